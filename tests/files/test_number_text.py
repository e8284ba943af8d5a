"""Numbers as people write them: what is one, what is text, and what may be either."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sparsecone.datasets import DataFileError, load_file
from sparsecone.files.number_text import bare, has_decimal_commas, numbers_in

PATH = Path("d.parquet")


def read(*columns: list[str | None], decimal: str | None = None, points: bool = False) -> Any:
    """Return the columns that are numbers, by their places."""
    series = [pl.Series(str(place), column) for place, column in enumerate(columns)]
    texts = [bare(column, pl) for column in series]
    found = numbers_in(texts, pl, path=PATH, decimal=decimal, has_points=points)
    return {int(column.name): column.to_list() for column in found}


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ([["1,5"]], True),
        ([["1,5", "1.234"]], True),
        ([["1,5", "1,234"]], True),
        ([["a"], ["1,5"]], True),
        ([["0,234"]], True),
        ([["1,5", "x"]], False),
        ([["1,234"]], False),
        ([["1.234", "15"]], False),
        ([[None]], False),
        ([], False),
    ],
)
def test_decimal_commas_are_recognised(columns: list[list[str | None]], expected: bool) -> None:
    assert has_decimal_commas([pl.Series(c, dtype=pl.String) for c in columns]) is expected


def test_one_column_of_commas_tells_how_the_others_are_read() -> None:
    columns: list[list[str | None]] = [["1,5", "2"], ["12.500", "1.000"], ["0.5", "12.500"], ["7"]]
    assert read(*columns) == {0: [1.5, 2], 1: [12500, 1000], 2: [0.5, 12.5], 3: [7]}
    assert read(*columns[1:]) == {0: [12.5, 1], 1: [0.5, 12.5], 2: [7]}


@pytest.mark.parametrize("gap", [" ", "'", "\xa0", "\u202f", "\u2019"])
def test_groups_of_thousands(gap: str) -> None:
    assert read([f"1{gap}234,5", "2,5"]) == {0: [1234.5, 2.5]}
    assert read([f"1{gap}234{gap}567.5", "2"]) == {0: [1234567.5, 2]}
    assert read([f"-1{gap}234", "2"]) == {0: [-1234, 2]}


def test_commas_are_thousands_beside_points() -> None:
    assert read(["1,234", "2,345"], points=True) == {0: [1234, 2345]}
    assert read(["1,234", "2,345"], decimal=".") == {0: [1234, 2345]}
    assert read(["1,234", "2,345"], decimal=",") == {0: [1.234, 2.345]}
    assert read(["1,234", "1,234.5", "7"]) == {0: [1234, 1234.5, 7]}
    with pytest.raises(DataFileError, match=r"such as '1,234' in column '0', which may be"):
        read([None, "1,234"])


def test_points_beside_decimal_commas_that_were_said() -> None:
    assert read(["12.500"], decimal=",") == {0: [12500]}
    assert read(["12.500"], decimal=".") == {0: [12.5]}
    assert read(["1.5", "2"], decimal=",") == {0: [1.5, 2]}


def test_signs_without_digits_are_text() -> None:
    assert read(["1,234.5", "+"]) == {}
    assert read(["1,5", "x"], ["2", "3"]) == {1: [2, 3]}


@pytest.mark.parametrize(
    ("column", "numbers"),
    [
        (["3 kg"], [3]),
        (["$3", "$4"], [3, 4]),
        (["3%", None, "4%"], [3, None, 4]),
        (["€ 3,5 ", " € 4,5"], [3.5, 4.5]),
        (["5", "3 kg"], None),
        (["3 kg", "5"], None),
        (["3 kg", "4 g"], None),
        (["$3", "4"], None),
        (["3kg", "4kg"], None),
    ],
)
def test_a_unit_is_left_out_where_all_have_it(
    column: list[str | None], numbers: list[float] | None
) -> None:
    assert read(column) == ({} if numbers is None else {0: numbers})


@pytest.mark.parametrize(
    ("column", "numbers"),
    [
        (["yes", "no", None], [1, 0, None]),
        (["Yes", "no", "YES", "No", "yes", None], [1, 0, 1, 0, 1, None]),
        (["off", "on"], [0, 1]),
        (["ja", "nein"], [1, 0]),
        (["yes", "maybe", "no"], None),
        (["yes", "nein"], None),
        (["yes", "yes"], None),
    ],
)
def test_yes_and_no_in_any_capitals(
    column: list[str | None], numbers: list[float | None] | None
) -> None:
    assert read(column) == ({} if numbers is None else {0: numbers})


def test_a_column_of_gaps_is_numbers() -> None:
    assert read(["NA", "?"], ["1,5", "2"]) == {0: [None, None], 1: [1.5, 2]}


def test_gaps_of_ones_own_are_nulls() -> None:
    assert bare(pl.Series(["none ", "NA", "3"]), pl, ["none"]).to_list() == [None, None, "3"]


def test_numbers_as_text_in_files_that_have_types(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    columns = {"a": ["1,234", "2,345"], "b": [0.5, 1.5], "c": [1, 2]}
    pl.DataFrame(columns).write_parquet(path)
    np.testing.assert_array_equal(load_file(path).X, [[1234, 0.5, 1], [2345, 1.5, 2]])
