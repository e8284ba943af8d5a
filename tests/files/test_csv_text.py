"""The text of a table: lines of names, years, names that stand twice, lines that are too short."""

from __future__ import annotations

from pathlib import Path

import pytest

from sparsecone.files.csv_text import (
    are_names,
    are_years,
    blank_lines,
    check_rows,
    check_unique,
    first_row,
    is_number,
    numbered,
    spreadsheet_safe,
)
from sparsecone.files.dataset import DataFileError
from sparsecone.files.text_format import UTF_8, TextFormat

COMMAS = TextFormat(encoding=UTF_8, delimiter=",")


@pytest.mark.parametrize("line", ["a;b", "a", "a;1", "a;1;NA", ";7", ";", "0;1;2", "NA;-"])
def test_lines_of_names(line: str) -> None:
    assert are_names(line.split(";"))


@pytest.mark.parametrize(
    "line", ["1", "1.5;2", "1,5;NA", "1;NA", "NA;1", "7;;8", "0;1", "5;6;7", "1;2;3", "2000;2010"]
)
def test_lines_of_numbers(line: str) -> None:
    assert not are_names(line.split(";"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("1990 1995 2000", True),
        ("1990 1991 1992", True),
        ("2010 2000 1990", True),
        ("1990 1995 2001", False),
        ("2000 2000 2000", False),
        ("990 1000 1010", False),
        ("2990 3000 3010", False),
        ("1990 x 2000", False),
        ("12 13 14", False),
    ],
)
def test_years_stand_in_equal_steps(line: str, expected: bool) -> None:
    assert are_years(line.split()) is expected
    assert are_names(line.split()) is (expected or "x" in line)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a", "a"], ["a", "a.1", "a.2"]),
        (["a", "a", "a.1"], ["a", "a.2", "a.1"]),
        (["a.1", "a", "a"], ["a.1", "a", "a.2"]),
        (["", "a", ""], ["", "a", "column_2"]),
        (["a", "", "column_1"], ["a", "column_1.1", "column_1"]),
    ],
)
def test_no_two_columns_have_one_name(names: list[str], expected: list[str]) -> None:
    assert numbered(names)[0] == expected


def test_names_that_are_numbered_are_told_once() -> None:
    assert numbered(["a", "b", "", ""])[1] == []
    told = "Names that stand over several columns are numbered: 'a', 'c'."
    assert numbered(["a", "a", "a", "b", "c", "c"])[1] == [told]


def test_three_places_of_a_name_are_told() -> None:
    with pytest.raises(DataFileError, match=r"'b' over the columns 1 and 3 and 4\. Rename"):
        check_unique(Path("d"), ["b", "a", "b", "b", "b"], remedy="Rename them")


def written(folder: Path, text: str) -> Path:
    path = folder / "t.csv"
    path.write_text(text)
    return path


def test_the_first_line_with_entries_is_stripped(tmp_path: Path) -> None:
    assert first_row(written(tmp_path, "\n\n a , b\n1,2\n"), COMMAS) == ["a", "b"]
    with pytest.raises(DataFileError, match="has only blank lines"):
        first_row(written(tmp_path, "\n\n"), COMMAS)


def test_the_first_line_of_another_width_is_told(tmp_path: Path) -> None:
    check_rows(written(tmp_path, "\na,b\n\n1,2\n\n"), COMMAS)
    path = written(tmp_path, "\na,b\n\n1,2\n1,2,3\n1\n")
    with pytest.raises(DataFileError, match="has 3 entries in line 5, where the first line has 2"):
        check_rows(path, COMMAS)
    below = TextFormat(encoding=UTF_8, delimiter=",", n_skipped=2)
    path = written(tmp_path, "Title\n\na,b\n1,2\n1\n")
    with pytest.raises(DataFileError, match="has 1 entries in line 5, where the first line has 2"):
        check_rows(path, below)


def test_lines_are_blank_from_the_first_with_an_entry_on(tmp_path: Path) -> None:
    path = written(tmp_path, "\n\na,b\n\n,\n1,2\n\n")
    assert blank_lines(path, COMMAS) == [False, True, False, False, True]


@pytest.mark.parametrize(
    ("text", "expected"), [("1e5", True), ("-5", True), ("nan", True), ("1,5", False), ("", False)]
)
def test_what_reads_as_a_number(text: str, expected: bool) -> None:
    assert is_number(text) is expected


@pytest.mark.parametrize("text", ["=1+1", "+a", "-a", "@sum", "\tx", "\rx"])
def test_formulas_are_made_text(text: str) -> None:
    assert spreadsheet_safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["gene", "-5", "+1.5", "5", "", "a=b"])
def test_other_text_stays(text: str) -> None:
    assert spreadsheet_safe(text) == text
