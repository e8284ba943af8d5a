"""Tables: what the reader says of them, categories, Arrow and Excel files."""

from __future__ import annotations

import sys
from datetime import date
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import polars as pl
import pytest

from sparsecone.datasets import DataFileError, load_file
from sparsecone.files.csv_text import check_unique
from sparsecone.files.ids import ids_among
from sparsecone.files.tables import column_of, texts_in


def test_an_unknown_encoding_is_named(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no encoding 'utf-9'"):
        load_file(tmp_path / "t.csv", encoding="utf-9")


def test_the_reader_says_what_it_decided(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("Nr;Größe;Größe;Ort\n1;1,5;2,5;Bonn\n2;2,5;3,5;Köln\n".encode("cp1252"))
    dataset = load_file(path, drop_text=True)
    assert dataset.notes == (
        "'t.csv' is read in cp1252, with semicolons between columns, with decimal commas, as it "
        "looks.",
        "Names that stand over several columns are numbered: 'Größe'.",
        "'Nr' is taken for the names of the rows and left out of the features: find_id=False "
        "(--no-id) says otherwise.",
        "Left out, because of text in them: 'Ort'.",
    )
    assert (dataset.id_name, dataset.sample_names) == ("Nr", ("1", "2"))


@pytest.mark.parametrize(
    ("column", "are_ids"),
    [
        ([1.0, 2.0, 3.0], True),
        ([1.5, 2.0, 3.0], False),
        ([1.0, 1.0, 3.0], False),
        ([1, 2, 3], True),
        (["u", "v", "w"], True),
        (["u", None, "w"], False),
        ([True, False, None], False),
    ],
)
def test_rows_are_named_by_whole_numbers_or_text_without_a_gap(
    column: list[Any], are_ids: bool
) -> None:
    frame = pl.DataFrame({"id": column, "width": column})
    assert ids_among(frame, ["id", "width"], pl) == (["id"] if are_ids else [])


def test_a_plain_table_needs_no_word(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1.5,2\n3,4\n")
    assert load_file(tmp_path / "t.csv").notes == ()


def test_a_byte_far_below_tells_the_encoding(tmp_path: Path) -> None:
    lines = [f"{row},x{row}" for row in range(200_000)]
    (tmp_path / "t.csv").write_bytes("\n".join(["a,b", *lines, "1,é"]).encode("cp1252"))
    dataset = load_file(tmp_path / "t.csv", label="b")
    assert dataset.y is not None
    assert dataset.y[-1] == "é"


def test_the_first_of_several_names_for_the_rows_is_taken(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("who,a\nx,1\ny,2\n")
    assert load_file(tmp_path / "t.csv", sample_names=["id", "who"]).sample_names == ("x", "y")
    with pytest.raises(DataFileError, match="text in column 'who'"):
        load_file(tmp_path / "t.csv", sample_names=["id"])


def test_categories_are_text_and_numbers_as_text_are_numbers(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["1,5", "2,5"], "b": ["3", "4"], "kind": ["u", "v"]})
    frame = frame.with_columns(pl.col("b", "kind").cast(pl.Categorical))
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataFileError, match="has no numbers in column 'kind' but Categorical"):
        load_file(tmp_path / "t.parquet")
    assert load_file(tmp_path / "t.parquet", drop_text=True).X.tolist() == [[1.5, 3], [2.5, 4]]


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
@pytest.mark.parametrize("ending", [".feather", ".arrow"])
def test_arrow_files(tmp_path: Path, compression: Any, ending: str) -> None:
    frame = pl.DataFrame({"id": ["x", "y"], "a": [1, 2], "b": [0.5, None]})
    frame.write_ipc(tmp_path / f"t{ending}", compression=compression)
    dataset = load_file(tmp_path / f"t{ending}", missing="keep")
    np.testing.assert_array_equal(dataset.X, [[1, 0.5], [2, np.nan]])
    assert (dataset.feature_names, dataset.sample_names) == (("a", "b"), ("x", "y"))


def test_no_arrow_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "t.feather").write_bytes(b"none at all")
    with pytest.raises(DataFileError, match=r"cannot be read as \.feather"):
        load_file(tmp_path / "t.feather")


TYPES = """<?xml version="1.0"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/xl/workbook.xml"
 ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>
"""
RELATION = """<?xml version="1.0"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>
"""
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def write_excel(path: Path, sheets: dict[str, list[list[object]]]) -> None:
    """Write a workbook as the standard has it, with text in the cells themselves."""

    def cell(value: object) -> str:
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return "<c/>" if value is None else f"<c><v>{value}</v></c>"

    def relation(number: int, kind: str, target: str) -> str:
        return f'<Relationship Id="r{number}" Type="{OFFICE}/{kind}" Target="{target}"/>'

    numbers = range(1, len(sheets) + 1)
    listed = "".join(
        f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>'
        for number, name in zip(numbers, sheets, strict=True)
    )
    with ZipFile(path, "w") as file:
        file.writestr("[Content_Types].xml", TYPES)
        file.writestr(
            "_rels/.rels", RELATION.format(relation(1, "officeDocument", "xl/workbook.xml"))
        )
        relations = (relation(n, "worksheet", f"worksheets/sheet{n}.xml") for n in numbers)
        file.writestr("xl/_rels/workbook.xml.rels", RELATION.format("".join(relations)))
        file.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
        )
        for number, rows in zip(numbers, sheets.values(), strict=True):
            lines = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
            contents = f'<worksheet xmlns="{MAIN}"><sheetData>{lines}</sheetData></worksheet>'
            file.writestr(f"xl/worksheets/sheet{number}.xml", contents)


def test_excel_files(tmp_path: Path) -> None:
    pytest.importorskip("fastexcel", reason="fastexcel is not installed: pip install '.[excel]'")
    rows: list[list[object]] = [
        ["id", "a", "a", "", "b"],
        ["x", 1, 2.5, None, "1,5"],
        ["y", 3, 4, None, "2,5"],
    ]
    write_excel(tmp_path / "t.xlsx", {"data": rows, "other": [["n"], [1]]})
    dataset = load_file(tmp_path / "t.xlsx")
    assert dataset.X.tolist() == [[1, 2.5, 1.5], [3, 4, 2.5]]
    assert dataset.feature_names == ("a", "a_1", "b")
    assert dataset.sample_names == ("x", "y")
    assert "Sheet 'data' is read, the first of 2" in " ".join(dataset.notes)
    write_excel(tmp_path / "one.xlsx", {"data": [["a", None], [1, None], [2, None]]})
    single = load_file(tmp_path / "one.xlsx")
    assert (single.X.tolist(), single.feature_names, single.notes) == ([[1], [2]], ("a",), ())
    (tmp_path / "cut.xlsx").write_bytes((tmp_path / "t.xlsx").read_bytes()[:300])
    with pytest.raises(DataFileError, match=r"cannot be read as \.xlsx"):
        load_file(tmp_path / "cut.xlsx")


def test_excel_needs_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_excel(tmp_path / "t.xlsx", {"data": [["a"], [1]]})
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(ImportError, match=r"fastexcel: pip install 'sparsecone\[excel\]'"):
        load_file(tmp_path / "t.xlsx")


def test_the_name_that_stands_twice_is_told_with_its_places() -> None:
    check_unique(Path("d.csv"), ["a", "b"])
    with pytest.raises(DataFileError, match=r"the name 'b' over the columns 2 and 4\. Give every"):
        check_unique(Path("d.csv"), ["a", "b", "c", "b"])


def test_every_column_that_is_no_numbers_is_told() -> None:
    days = pl.Series([date(2024, 1, 1), date(2024, 1, 2)])
    columns = {"day": days, "size": [1.0, 2.0], "note": ["a", "3"], "mixed": ["4", "5,5"]}
    texts = texts_in(pl.DataFrame(columns), path=Path("a.parquet"))
    assert list(texts) == ["day", "note", "mixed"]
    assert (texts["day"].kind, texts["day"].mostly_numbers) == ("Date", False)
    assert (texts["note"].entry, texts["mixed"].entry) == ("a", "5,5")


@pytest.mark.parametrize("row", [1, 2, 3])
def test_the_row_without_a_label_is_told(row: int) -> None:
    labels = ["a", "b", "c"]
    labels[row - 1] = None  # type: ignore[call-overload]
    with pytest.raises(DataFileError, match=f"no value in column 'kind', row {row} of its data"):
        column_of(pl.DataFrame({"kind": labels}), "kind", path=Path("a.csv"))
