"""The list of methods: complete, importable and true to the classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sparsecone.registry import methods
from sparsecone.selectors.base import Selector

from methods_table import methods_table


def test_names_and_labels_are_unique() -> None:
    assert len({method.name for method in methods()}) == len(methods())
    assert len({method.label for method in methods()}) == len(methods())


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
def test_each_selector_can_be_made_from_its_parameters(method: Any) -> None:
    assert issubclass(method.selector, Selector)
    made = method.selector(**method.parameters)
    assert made.get_params() == method.selector().get_params() == method.parameters


@pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
def test_everything_but_a_control_has_a_source(method: Any) -> None:
    assert method.kind in {"SPCA", "spectral", "geometric", "control"}
    assert (method.year is None) == (method.paper == "none") == (method.kind == "control")


def test_table_has_a_row_a_method() -> None:
    header, rule, *rows = methods_table().splitlines()
    assert len(rows) == len(methods())
    assert {row.count(" | ") for row in [header, rule, *rows]} == {6}
    for method, row in zip(methods(), rows, strict=True):
        assert row.startswith(f"| {method.label} (`{method.selector.__name__}`)")
        assert method.complexity in row


def test_the_page_of_methods_is_up_to_date() -> None:
    page = Path(__file__).resolve().parents[1] / "docs" / "methods.md"
    assert page.read_text().endswith(methods_table()), "run `make methods-table`"
