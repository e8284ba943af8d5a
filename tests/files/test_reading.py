"""What may be asked of a file: columns left out, gaps filled, rows as features, cells and genes."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import anndata
from sparsecone.datasets import DataFileError, load_file

TABLE = "id,a,b,class\nr1,1,2,u\nr2,3,,v\nr3,5,6,u\nr4,7,8,v\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return path


def test_names_labels_and_columns_left_out(table: Path) -> None:
    dataset = load_file(table, sample_names="id", drop=["b"], label="class")
    assert dataset.X.tolist() == [[1.0], [3.0], [5.0], [7.0]]
    assert dataset.feature_names == ("a",)
    assert dataset.sample_names == ("r1", "r2", "r3", "r4")
    assert dataset.label_name == "class"
    assert dataset.y is not None
    assert dataset.y.tolist() == ["u", "v", "u", "v"]


def test_the_label_is_not_looked_for_if_not_wanted(table: Path) -> None:
    assert load_file(table, drop=["id", "b"]).label_name == "class"
    with pytest.raises(DataFileError, match="has text in column 'class', such as 'u'"):
        load_file(table, drop=["id", "b"], find_label=False)


def test_text_and_unknown_columns_are_named(table: Path) -> None:
    with pytest.raises(DataFileError, match=r"text in column 'id', such as 'r1'.*--drop"):
        load_file(table, find_id=False)
    with pytest.raises(DataFileError, match=r"no column 'clas'. Did you mean 'class'\?$"):
        load_file(table, label="clas")


def test_missing_values_are_left_out_or_filled(table: Path) -> None:
    with pytest.raises(DataFileError, match=r"no value in column 'b', row 2.*--missing median"):
        load_file(table, sample_names="id")
    rows = load_file(table, sample_names="id", missing="drop-rows")
    assert rows.X.tolist() == [[1.0, 2.0], [5.0, 6.0], [7.0, 8.0]]
    assert rows.sample_names == ("r1", "r3", "r4")
    assert rows.y is not None
    assert rows.y.tolist() == ["u", "u", "v"]
    filled = load_file(table, sample_names="id", missing="median")
    assert filled.X.tolist() == [[1.0, 2.0], [3.0, 6.0], [5.0, 6.0], [7.0, 8.0]]


def test_row_names_and_counted_columns_of_other_programs(tmp_path: Path) -> None:
    frame = pd.DataFrame([[1.5, 2.0, 4.0], [3.0, 5.0, 6.0]])
    frame.to_csv(tmp_path / "pandas.csv")
    frame.to_csv(tmp_path / "bare.csv", index=False)
    (tmp_path / "r.csv").write_text('"","0","1","2"\n"x",1.5,2,4\n"y",3,5,6\n')
    for name, rows in {"pandas": ("0", "1"), "bare": None, "r": ("x", "y")}.items():
        dataset = load_file(tmp_path / f"{name}.csv")
        np.testing.assert_array_equal(dataset.X, frame)
        assert (dataset.feature_names, dataset.sample_names) == (("0", "1", "2"), rows)


@pytest.mark.parametrize("gap", ["NA", "N/A", "nan", "NULL", "?", " ", " NA"])
def test_gaps_are_written_in_many_ways(tmp_path: Path, gap: str) -> None:
    (tmp_path / "t.csv").write_text(f"a,b\n1,2\n3,{gap}\n5,6\n")
    assert load_file(tmp_path / "t.csv", missing="median").X.tolist() == [[1, 2], [3, 4], [5, 6]]


def test_what_cannot_be_filled(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,\n3,\n")
    with pytest.raises(DataFileError, match=r"no value at all in column 'b'.*--drop"):
        load_file(tmp_path / "t.csv", missing="median")
    with pytest.raises(DataFileError, match="missing value in every row"):
        load_file(tmp_path / "t.csv", missing="drop-rows")
    (tmp_path / "i.csv").write_text("a,b\n1,inf\n3,4\n")
    with pytest.raises(DataFileError, match="inf in column 'b', row 1"):
        load_file(tmp_path / "i.csv", missing="median")


def test_features_in_rows(table: Path) -> None:
    dataset = load_file(
        table, transpose=True, sample_names="id", drop=["class"], missing="drop-rows"
    )
    assert dataset.X.tolist() == [[1.0, 3.0, 5.0, 7.0]]
    assert (dataset.feature_names, dataset.sample_names) == (("r1", "r2", "r3", "r4"), ("a",))
    with pytest.raises(DataFileError, match="labels belongs to the features"):
        load_file(table, transpose=True, sample_names="id", label="class")


def test_arrays_may_be_transposed_and_lose_columns(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(6.0).reshape(2, 3))
    dataset = load_file(tmp_path / "a.npy", transpose=True, drop=["column_0"])
    assert dataset.X.tolist() == [[3.0], [4.0], [5.0]]
    assert dataset.feature_names == ("column_1",)
    with pytest.raises(DataFileError, match="no feature left"):
        load_file(tmp_path / "a.npy", drop=["column_0", "column_1", "column_2"])


def test_packed_text_and_other_delimiters(tmp_path: Path) -> None:
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(b"a,b\n1,2\n3,4\n"))
    (tmp_path / "t.tsv").write_text("a\tb\n1\t2\n3\t4\n")
    (tmp_path / "s.csv").write_text("a;b\n1;2\n3;4\n")
    for name, delimiter in [("t.csv.gz", None), ("t.tsv", None), ("s.csv", ";")]:
        dataset = load_file(tmp_path / name, delimiter=delimiter)
        assert dataset.name == name[0]
        assert dataset.feature_names == ("a", "b")
        assert dataset.X.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_number_late_in_the_file_may_be_of_another_kind(tmp_path: Path) -> None:
    lines = ["a", *["1"] * 5000, "0.5"]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    assert load_file(tmp_path / "t.csv").X[-1, 0] == 0.5


def test_a_table_of_mixed_types(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "count": pl.Series([1, 2, 3], dtype=pl.UInt8),
            "mass": pl.Series([0.5, None, 1.5], dtype=pl.Float32),
            "seen": [True, False, True],
            "when": pl.Series(["2020-01-01"] * 3).str.to_date(),
            "kind": pl.Series(["u", "v", "u"], dtype=pl.Categorical),
        }
    )
    frame.write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataFileError, match=r"no numbers in column 'when' but Date.*--drop"):
        load_file(tmp_path / "t.parquet", label="kind")
    dataset = load_file(tmp_path / "t.parquet", label="kind", drop=["when"], missing="median")
    assert dataset.X.tolist() == [[1, 0.5, 1], [2, 1.0, 0], [3, 1.5, 1]]
    assert dataset.y is not None
    assert dataset.y.tolist() == ["u", "v", "u"]


def annotated(path: Path, X: object) -> None:
    obs = pd.DataFrame(
        {
            "kind": pd.Categorical(["t", "b", "t"]),
            "depth": [1, 2, 1],
            "partly": pd.Categorical(["t", None, "t"]),
            "seen": pd.array([True, None, False], dtype="boolean"),
        },
        index=["c1", "c2", "c3"],
    )
    var = pd.DataFrame(index=["g1", "g2"])
    anndata.AnnData(X=X, obs=obs, var=var).write_h5ad(path)


COUNTS = np.array([[0.0, 2.0], [3.0, 0.0], [0.0, 5.0]], dtype=np.float32)


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix, sparse.csc_matrix])
def test_cells_and_genes(tmp_path: Path, kind: object) -> None:
    annotated(tmp_path / "t.h5ad", kind(COUNTS))  # type: ignore[operator]
    dataset = load_file(tmp_path / "t.h5ad", label="kind")
    assert sparse.issparse(dataset.X) == (kind is not np.asarray)
    X = dataset.X.toarray() if sparse.issparse(dataset.X) else dataset.X
    np.testing.assert_array_equal(X, COUNTS)
    assert (dataset.feature_names, dataset.sample_names) == (("g1", "g2"), ("c1", "c2", "c3"))
    assert dataset.y is not None
    assert dataset.y.tolist() == ["t", "b", "t"]
    assert load_file(tmp_path / "t.h5ad", label="depth", drop=["g1"]).feature_names == ("g2",)
    turned = load_file(tmp_path / "t.h5ad", transpose=True)
    assert (turned.X.shape, turned.feature_names) == ((2, 3), ("c1", "c2", "c3"))


def test_gaps_of_sparse_data(tmp_path: Path) -> None:
    counts = sparse.csr_matrix(COUNTS)
    counts.data[1] = np.nan
    annotated(tmp_path / "t.h5ad", counts)
    for missing in ("error", "median"):
        with pytest.raises(DataFileError, match="no value in column 'g1', row 2"):
            load_file(tmp_path / "t.h5ad", missing=missing)  # type: ignore[arg-type]
    kept = load_file(tmp_path / "t.h5ad", missing="drop-rows")
    assert kept.X.toarray().tolist() == [[0.0, 2.0], [0.0, 5.0]]
    assert kept.sample_names == ("c1", "c3")


def test_broken_annotated_files(tmp_path: Path) -> None:
    annotated(tmp_path / "t.h5ad", sparse.csr_matrix(COUNTS))
    with pytest.raises(DataFileError, match="has no column 'nowhere'"):
        load_file(tmp_path / "t.h5ad", label="nowhere")
    for label in ("partly", "seen"):
        with pytest.raises(DataFileError, match="has missing labels"):
            load_file(tmp_path / "t.h5ad", label=label)
    with pytest.warns(UserWarning, match="not unique"):
        twice = anndata.AnnData(X=COUNTS, var=pd.DataFrame(index=["g", "g"]))
    twice.write_h5ad(tmp_path / "twice.h5ad")
    with pytest.raises(DataFileError, match=r"'g' over the columns 1 and 2.*make_unique"):
        load_file(tmp_path / "twice.h5ad")
    contents = (tmp_path / "t.h5ad").read_bytes()
    (tmp_path / "cut.h5ad").write_bytes(contents[: len(contents) // 2])
    with pytest.raises(DataFileError, match=r"cannot be read as \.h5ad"):
        load_file(tmp_path / "cut.h5ad")


def test_names_may_contain_anything(tmp_path: Path) -> None:
    names = [
        "<script>alert(1)</script>",
        '=HYPERLINK("x")',
        "two\nlines",
        "\U0001f9ec",
        "x" * 10000,
    ]
    pl.DataFrame([[1.0] * 5, [2.0] * 5], schema=names, orient="row").write_csv(tmp_path / "t.csv")
    assert load_file(tmp_path / "t.csv").feature_names == tuple(names)


def test_a_file_that_may_not_be_read(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("sparsecone.files.text_format.opened", refuse)
    with pytest.raises(DataFileError, match="may not be read by you"):
        load_file(table)


@pytest.mark.parametrize("gaps", ["NA,NA", ",", "nan, "])
@pytest.mark.parametrize("head", ["a,b\n", ""])
def test_a_row_of_gaps_is_a_sample_and_a_blank_line_is_none(
    tmp_path: Path, head: str, gaps: str
) -> None:
    path = tmp_path / "d.csv"
    path.write_text(f"{head}1,2\n\n{gaps}\n3,4\n\n")
    kept = load_file(path, missing="keep").X
    np.testing.assert_array_equal(kept, [[1, 2], [np.nan, np.nan], [3, 4]])
    with pytest.raises(DataFileError, match=r"no value in column '.*', row 2"):
        load_file(path)
    assert load_file(path, missing="drop-rows").X.tolist() == [[1, 2], [3, 4]]


def test_blank_lines_below_the_names_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a,b\n\n\n")
    with pytest.raises(DataFileError, match="a line of names but no rows"):
        load_file(path)


def test_a_header_of_years_is_names(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("1990,2000,2010\n1.5,2,3\n4,5,6.5\n")
    dataset = load_file(path)
    assert dataset.feature_names == ("1990", "2000", "2010")
    assert dataset.X.tolist() == [[1.5, 2.0, 3.0], [4.0, 5.0, 6.5]]
    assert dataset.notes == ("The years in the first line of 'd.csv' are taken for names.",)
    path.write_text("1990,2000,2011\n1.5,2,3\n4,5,6.5\n")
    assert load_file(path).X.shape == (3, 3)


@pytest.mark.parametrize(
    ("error", "reason"),
    [(KeyError(), "KeyError"), (OSError(" first.\nsecond"), "first"), (EOFError("  "), "EOFError")],
)
def test_whatever_a_reader_raises_is_told_in_a_line(
    table: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("sparsecone.files.reading.read_table", fail)
    with pytest.raises(DataFileError, match=rf"cannot be read as \.csv \({reason}\)\. It may be"):
        load_file(table)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SystemExit])
def test_what_is_no_fault_of_the_file_is_not_told_as_one(
    table: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("sparsecone.files.reading.read_table", fail)
    with pytest.raises(error):
        load_file(table)
