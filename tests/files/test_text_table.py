"""Text tables: what is said of them, blank and short lines, thousands, columns without entries."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sparsecone.datasets import DataFileError, Dataset, load_file
from sparsecone.files.text_format import UTF_8, TextFormat, usual_delimiter
from sparsecone.files.text_table import without_empty


def loaded(folder: Path, text: str, *, name: str = "t.csv", **options: Any) -> Dataset:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    return load_file(path, **options)


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("a\n1\n2\n", {}, []),
        ("a\tb\n1\t2\n", {"name": "t.tsv"}, []),
        ("a\tb\n1\t2\n", {"name": "t.tsv.gz"}, []),
        ("a\tb\n1\t2\n", {}, ["with tabs between columns"]),
        ("a,b\n1,2\n", {"name": "t.tsv"}, ["with commas between columns"]),
        ("a b\n1 2\n", {}, ["with spaces between columns"]),
        ("a|b\n1|2\n", {"delimiter": "|"}, []),
        ("a;b\n1;2\n", {"encoding": "cp1252", "delimiter": ";"}, []),
        ("sep=;\na;b\n1;2\n", {"delimiter": ";"}, ["from line 2 on"]),
        ("Weights\nof men\na,b\n1,2\n", {}, ["from line 3 on"]),
        ("a;b\n1,5;2\n", {"delimiter": ";"}, ["with decimal commas"]),
        ("a;b\n1,5;2\n", {"delimiter": ";", "decimal": ","}, []),
    ],
)
def test_what_is_unusual_and_was_not_said_is_told(
    tmp_path: Path, text: str, options: dict[str, Any], told: list[str]
) -> None:
    name = options.get("name", "t.csv")
    expected = [f"'{name}' is read {', '.join(told)}, as it looks."] if told else []
    dataset = loaded(tmp_path, text, **options)
    assert list(dataset.notes) == expected
    assert dataset.X.shape == (2 if text == "a\n1\n2\n" else 1, len(dataset.feature_names or ()))


def test_names_of_rows_that_r_writes(tmp_path: Path) -> None:
    dataset = loaded(tmp_path, '"a" "b"\n"7" 1 2\n"8" 3 4\n')
    assert dataset.X.tolist() == [[1, 2], [3, 4]]
    assert (dataset.feature_names, dataset.sample_names) == (("a", "b"), ("7", "8"))
    assert dataset.notes == (
        "'t.csv' is read with spaces between columns, as it looks.",
        "Lines have an entry more than there are names: the first names the row.",
    )


def test_two_years_are_numbers_and_need_no_word(tmp_path: Path) -> None:
    dataset = loaded(tmp_path, "1990,2000\n1,2\n")
    assert (dataset.X.shape, dataset.notes) == ((2, 2), ())


@pytest.mark.parametrize("text", ["a,b,c\n1,2,3\n4,5\n", "a,b,c\n1,2,3\n4,5\n6,7\n"])
def test_short_lines_are_told_by_their_number(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataFileError, match="has 2 entries in line 3, where the first line has 3"):
        loaded(tmp_path, text)


def test_a_gap_in_the_last_column_is_no_short_line(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="has no value in column 'c', row 1"):
        loaded(tmp_path, "a,b,c\n1,2,\n4,5,6\n")


def test_a_single_row_or_number_is_a_table(tmp_path: Path) -> None:
    assert loaded(tmp_path, "a,b\n1,2\n").X.tolist() == [[1, 2]]
    assert loaded(tmp_path, "7").X.tolist() == [[7]]


def test_blank_lines_in_one_column(tmp_path: Path) -> None:
    kept = loaded(tmp_path, "a\n1\n\nNA\n3\n\n", missing="keep").X
    np.testing.assert_array_equal(kept, [[1], [np.nan], [3]])


def test_gaps_in_the_first_column_alone_are_no_blank_lines(tmp_path: Path) -> None:
    kept = loaded(tmp_path, "a,b\n,1\n\n2,3\n", missing="keep").X
    np.testing.assert_array_equal(kept, [[np.nan, 1], [2, 3]])


def test_thousands_beside_decimal_commas_that_were_said(tmp_path: Path) -> None:
    text = "a;b;c\n12.500;1,5;0.5\n1.000;2,5;12.500\n"
    for decimal in (",", None):
        values = loaded(tmp_path, text, decimal=decimal).X
        assert values.tolist() == [[12500, 1.5, 0.5], [1000, 2.5, 12.5]]
    points = loaded(tmp_path, "a;b\n12.500;1\n1.000;2\n", decimal=".")
    assert points.X.tolist() == [[12.5, 1], [1, 2]]


def test_thousands_without_names_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("12.500;1,5\r1.000;2,5\r".encode("utf-16"))
    assert load_file(path).X.tolist() == [[12500, 1.5], [1000, 2.5]]


def test_gaps_of_ones_own_stand_beside_the_usual(tmp_path: Path) -> None:
    kept = loaded(tmp_path, "a,b\nnone,1\nNA,2\n3,4\n", gaps=["none"], missing="median").X
    assert kept.tolist() == [[3, 1], [3, 2], [3, 4]]


def test_a_table_of_nothing_but_gaps_has_columns(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="has no value in column 'column_1', row 1"):
        loaded(tmp_path, ",\n,\n,\n")


def test_columns_with_neither_name_nor_entry_are_left_out() -> None:
    frame = pl.DataFrame({"a": [1, 2], "b": [None, None], "c": [None, 3], "d": [None, None]})
    assert without_empty(frame, ["a", "b", "", ""]).columns == ["a", "b", "c"]
    assert without_empty(frame, ["a", "", "c", ""]).columns == ["a", "c"]
    gaps = frame.select("b", "d")
    assert without_empty(gaps, ["", ""]).columns == ["b", "d"]
    assert without_empty(gaps, ["b", ""]).columns == ["b"]


def test_only_utf_8_from_its_first_line_on_is_read_as_it_is() -> None:
    assert TextFormat(encoding=UTF_8, delimiter=";").is_plain
    assert not TextFormat(encoding="cp1252", delimiter=",").is_plain
    assert not TextFormat(encoding=UTF_8, delimiter=",", n_skipped=1).is_plain
    assert not TextFormat(encoding=UTF_8, delimiter=",", ends_in_returns=True).is_plain
    assert not TextFormat(encoding=UTF_8, delimiter=",").names_rows


@pytest.mark.parametrize(
    ("kind", "delimiter"), [(".csv", ","), (".csv.gz", ","), (".tsv", "\t"), (".tsv.gz", "\t")]
)
def test_what_usually_separates(kind: str, delimiter: str) -> None:
    assert usual_delimiter(kind) == delimiter
