"""The optimum beside the published algorithm: at shared settings and nowhere else."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.results import Results
from sparsecone.reproduction.same_settings import compare, same_settings

from fabricated import emptied, fabricate


def row(method: str, lam: float, acc: float, **parameters: object) -> Row:
    if "(published)" not in method:
        parameters.setdefault("units", "absolute")
    cell = Cell(
        dataset="pie",
        method=method,
        n_features=(50, 100),
        parameters={"lam": lam, "eta": 10.0, **parameters},
    )
    return fabricate(cell, acc=acc)


PAIR = (row("SPCA-PSD (published)", 1.0, 40.0), row("SPCA-PSD", 1.0, 43.0))


@pytest.mark.parametrize(
    "alone",
    [
        row("SPCA-PSD (published)", 100.0, 99.0),
        row("SPCA-PSD", 1e4, 99.0),
        row("SPCA-PSD", 100.0, 99.0, units="relative"),
    ],
)
def test_a_setting_of_one_side_changes_nothing(alone: Row) -> None:
    expected = compare(Results(PAIR), "pie", "SPCA-PSD")
    assert expected is not None
    assert (expected.published, expected.optimum, expected.n_settings) == (40.0, 43.0, 1)
    assert compare(Results((*PAIR, alone)), "pie", "SPCA-PSD") == expected


def test_an_empty_side_is_no_pair() -> None:
    assert compare(Results((PAIR[0], emptied(PAIR[1]))), "pie", "SPCA-PSD") is None
    assert same_settings(Results((PAIR[0], emptied(PAIR[1])))) == []


def test_numbers_of_features_that_both_have() -> None:
    published, optimum = PAIR
    fewer = {**optimum, "scores": optimum["scores"][:1]}
    found = compare(Results((published, fewer)), "pie", "SPCA-PSD")
    assert found is not None
    assert found.optimum - found.published == pytest.approx(3.0)
