"""Files that others read as well: our numbers are theirs."""

from __future__ import annotations

import csv
import math
from inspect import signature
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.io import loadmat, savemat

import anndata
from sparsecone.datasets import load_file

NUMBERS = st.one_of(
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False, width=64),
    st.floats(-100, 100).map(lambda value: round(value, 3)),
)
ENTRIES = st.one_of(NUMBERS, NUMBERS, NUMBERS, st.just(None))
GAPS = st.sampled_from(["", "NA", "nan", "NULL"])
NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1
)


@st.composite
def tables(draw: Any) -> tuple[list[str], list[list[Any]]]:
    """Names that are no numbers, and rows of numbers and gaps."""
    width = draw(st.integers(2, 5))
    names = [f"x{index}{draw(NAMES)}" for index in range(width)]
    return names, draw(st.lists(st.lists(ENTRIES, min_size=width, max_size=width), min_size=1))


@st.composite
def texts(draw: Any) -> tuple[str, list[str], list[list[Any]]]:
    """A table as text in some dialect, with its names and rows."""
    names, rows = draw(tables())
    buffer = StringIO(newline="")
    writer = csv.writer(
        buffer,
        quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])),
        lineterminator=draw(st.sampled_from(["\n", "\r\n"])),
    )
    writer.writerow(names)
    for row in rows:
        writer.writerow([draw(GAPS) if entry is None else repr(entry) for entry in row])
    return buffer.getvalue(), names, rows


def check_text(path: Path, text: str, names: list[str], rows: list[list[Any]]) -> None:
    """Read a text, and compare with Python's own csv and with pandas."""
    path.write_text(text, encoding="utf-8", newline="")
    found = load_file(path, missing="keep", find_id=False, find_label=False)
    parsed = list(csv.reader(StringIO(text, newline="")))
    assert found.feature_names == tuple(name.strip() for name in parsed[0]) == tuple(names)
    expected = np.array(
        [[math.nan if entry is None else float(entry) for entry in row] for row in rows]
    )
    assert_array_equal(found.X, expected)
    # Its own digits are off by the last one in older versions.
    frame = pd.read_csv(path, dtype=str).map(float)
    assert_array_equal(found.X, frame.to_numpy(dtype=float))


# Newer versions of SciPy ask which kind of sparse matrix to return.
AS_ARRAYS = {"spmatrix": False} if "spmatrix" in signature(loadmat).parameters else {}
MATRICES = st.tuples(st.integers(1, 9), st.integers(2, 9), st.integers(0, 2**32 - 1))


def drawn(shape_and_seed: tuple[int, int, int]) -> Any:
    """Return a sparse matrix of this shape."""
    n_rows, n_columns, seed = shape_and_seed
    rng = np.random.default_rng(seed)
    values = rng.normal(scale=10.0 ** rng.integers(-9, 9), size=(n_rows, n_columns))
    return sparse.coo_matrix(np.where(rng.random(values.shape) < rng.random(), values, 0.0))


def _dense(path: Path) -> Any:
    X: Any = load_file(path).X
    return X.toarray()


def check_arrays(folder: Path, matrix: Any, kind: str) -> None:
    """Write one matrix in every format, and compare with what other libraries read."""
    dense = matrix.toarray()
    stored = matrix.asformat(kind)
    npz, mat, cells, parquet = (
        folder / f"d{ending}" for ending in (".npz", ".mat", ".h5ad", ".parquet")
    )
    sparse.save_npz(npz, stored)
    assert_array_equal(_dense(npz), sparse.load_npz(npz).toarray())
    savemat(mat, {"X": matrix.tocsc(), "Z": np.zeros(1)})
    assert_array_equal(_dense(mat), loadmat(mat, **AS_ARRAYS)["X"].toarray())
    anndata.AnnData(matrix.tocsr()).write_h5ad(cells)  # type: ignore[attr-defined]
    read = anndata.read_h5ad(cells)  # type: ignore[attr-defined]
    assert_array_equal(_dense(cells), read.X.toarray())
    frame = pl.DataFrame(dense, schema=[f"x{index}" for index in range(dense.shape[1])])
    frame.write_parquet(parquet)
    assert_array_equal(load_file(parquet).X, pd.read_parquet(BytesIO(parquet.read_bytes())))
