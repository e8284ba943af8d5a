"""Tables as they are written, and what is told of their columns of text."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sparsecone.files.tables import (
    TextColumn,
    column_of,
    matrix_of,
    table_bytes,
    texts_in,
    texts_of,
)

COLUMNS = {"=name": ["a", "-b", "-5"], "size": np.array([-1.5, 2.0, 3.0]), "n": [1, 2, 3]}
PATH = Path("t.parquet")


@pytest.mark.parametrize(("suffix", "sign"), [(".csv", ","), (".tsv", "\t")])
def test_text_tables_are_safe_for_spreadsheets(suffix: str, sign: str) -> None:
    lines = table_bytes(COLUMNS, suffix=suffix).decode().splitlines()
    expected = [
        ["'=name", "size", "n"],
        ["a", "-1.5", "1"],
        ["'-b", "2.0", "2"],
        ["-5", "3.0", "3"],
    ]
    assert [line.split(sign) for line in lines] == expected


def test_parquet_has_names_and_entries_as_they_are() -> None:
    frame = pl.read_parquet(BytesIO(table_bytes(COLUMNS, suffix=".parquet")))
    assert frame.to_dict(as_series=False) == {
        "=name": ["a", "-b", "-5"],
        "size": [-1.5, 2.0, 3.0],
        "n": [1, 2, 3],
    }


@pytest.mark.parametrize(
    ("entries", "entry", "mostly_numbers"),
    [
        (["1", "2", "x"], "x", True),
        (["1", "x"], "x", False),
        (["x", "1", "y"], "x", False),
        (["x", "y", "z", "1"], "x", False),
        (["1", "2", "3", "x", "y"], "x", True),
        (["4", "5"], "4", True),
    ],
)
def test_a_column_of_text_is_shown_by_its_first_word(
    entries: list[str], entry: str, mostly_numbers: bool
) -> None:
    (text,) = texts_in(pl.DataFrame({"a": entries}), path=PATH).values()
    assert (text.entry, text.mostly_numbers) == (entry, mostly_numbers)
    assert str(text) == f"such as '{entry}'"


def test_numbers_truths_and_gaps_are_no_text() -> None:
    frame = pl.DataFrame({"a": [1], "b": [0.5], "c": [True], "d": [None]})
    assert texts_in(frame, path=PATH) == {}
    assert str(TextColumn(kind="Date")) == "Date"
    assert not TextColumn().mostly_numbers


def test_columns_become_matrices_labels_and_names() -> None:
    frame = pl.DataFrame({"a": [1, None], "b": [True, False], "k": [" u", "v "], "n": [7, 8]})
    numbers = matrix_of(frame.select("a", "b"), path=PATH)
    np.testing.assert_array_equal(numbers, [[1, 1], [np.nan, 0]])
    assert column_of(frame, "k", path=PATH).tolist() == ["u", "v"]
    assert column_of(frame, "n", path=PATH).tolist() == [7, 8]
    assert texts_of(frame, "a", path=PATH) == ("1", "")
