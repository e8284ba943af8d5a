"""Every source of blocks, and what is said of a block that is wrong."""

from __future__ import annotations

import os
from itertools import pairwise

import h5py
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
import zarr

from sparsecone import CSPCAPSD, SPCAPSD, from_blocks

X = np.random.default_rng(0).normal(size=(60, 5)) * [3, 2, 1, 1, 1] + 5
NAMES = [f"f{j}" for j in range(5)]
PLAIN = SPCAPSD().fit(X)


def parquet(folder, cuts=(0, 25, 60)):
    for number, (start, stop) in enumerate(pairwise(cuts)):
        table = pa.table(dict(zip(NAMES, X[start:stop].T, strict=True)))
        pq.write_table(table, folder / f"part-{number}.parquet", row_group_size=10)
    return folder


def npy(folder):
    np.save(folder / "x.npy", X)
    return folder / "x.npy"


def zarr_store(folder):
    array = zarr.open(str(folder / "x.zarr"), mode="w", shape=X.shape, chunks=(7, 2), dtype="f8")
    array[:] = X
    return folder / "x.zarr"


SOURCES = {
    "npy": lambda folder: str(npy(folder)),
    "memory map": lambda folder: np.load(npy(folder), mmap_mode="r"),
    "zarr path": zarr_store,
    "zarr array": lambda folder: zarr.open_array(zarr_store(folder)),
    "hdf5": lambda folder: h5py.File(folder / "x.h5", "w").create_dataset("X", data=X),
    "csr": lambda _: sp.csr_array(X),
    "csc": lambda _: sp.csc_matrix(X),
    "frame": lambda _: pd.DataFrame(X, columns=NAMES),
    "parquet folder": parquet,
    "parquet pattern": lambda folder: str(parquet(folder) / "part-*.parquet"),
    "parquet list": lambda folder: sorted(parquet(folder).glob("*.parquet")),
    "arrow dataset": lambda folder: pyarrow.dataset.dataset(parquet(folder)),
    "arrays": lambda _: [X[:10], X[10:10], X[10:]],
    "csr blocks": lambda _: [sp.csr_array(X[:10]), sp.csr_array(X[10:])],
    "mixed": lambda _: [X[:10], sp.csr_array(X[10:40]), X[40:].astype(np.float32)],
    "function": lambda _: lambda: (X[i : i + 7] for i in range(0, 60, 7)),
}


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
@pytest.mark.parametrize("kind", SOURCES)
def test_sources(kind, model, tmp_path):
    blocks = from_blocks(SOURCES[kind](tmp_path))
    selector = model(n_features_to_select=2).fit(blocks)
    same = {"solver": "reweighted"} if model is CSPCAPSD else {}
    plain = model(n_features_to_select=2, **same).fit(X)
    np.testing.assert_allclose(selector.scores_, plain.scores_, rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(selector.selected_, plain.selected_)
    named = "parquet" in kind or "arrow" in kind or kind == "frame"
    assert list(getattr(selector, "feature_names_in_", [])) == (NAMES if named else [])


def test_small_steps_give_the_same(tmp_path):
    for rows in (1, 7):
        for source in (npy(tmp_path), parquet(tmp_path)):
            selector = SPCAPSD().fit(from_blocks(source, block_rows=rows))
            np.testing.assert_allclose(selector.scores_, PLAIN.scores_, rtol=1e-9)


def test_chosen_columns(tmp_path):
    selector = SPCAPSD().fit(from_blocks(parquet(tmp_path), columns=["f3", "f0"]))
    np.testing.assert_array_equal(selector.get_feature_names_out(), ["f0"])
    files = sorted(tmp_path.glob("*.parquet"))
    listed = SPCAPSD().fit(from_blocks(files, columns=["f3", "f0"]))
    np.testing.assert_array_equal(listed.scores_, selector.scores_)
    with pytest.raises(ValueError, match="Parquet files only"):
        from_blocks([X], columns=["f0"])


def test_an_iterator_has_one_pass():
    parts = [X[:30], X[30:]]
    np.testing.assert_allclose(SPCAPSD().fit(from_blocks(iter(parts))).scores_, PLAIN.scores_)
    with pytest.raises(ValueError, match="used up"):
        CSPCAPSD().fit(from_blocks(iter(parts)))


def faulty(block):
    return [X[:10], X[10:20], block, X[30:]]


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
@pytest.mark.parametrize(
    ("block", "message"),
    [
        (np.where(X[20:30] > 5, np.nan, 0), "In block 2: Input contains NaN"),
        (X[20:30, :4], "In block 2: 4 features, while the blocks before have 5"),
        (np.char.add(X[20:30].astype(str), "?"), "In block 2: could not convert string"),
        (X[20:30].astype(complex), "In block 2: Complex data not supported"),
        (X[20], "In block 2: Expected 2D array"),
        (sp.csr_array(np.full((2, 5), np.inf)), "In block 2: Input contains infinity"),
    ],
    ids=["nan", "width", "text", "complex", "one-dimensional", "sparse"],
)
def test_a_bad_block_is_named(model, block, message):
    selector = model().fit(X)
    before = selector.scores_.copy()
    with pytest.raises(ValueError, match=message):
        selector.fit(from_blocks(faulty(block)))
    np.testing.assert_array_equal(selector.scores_, before)


def test_blocks_with_other_names_are_refused():
    frames = [pd.DataFrame(X, columns=NAMES), pd.DataFrame(X, columns=NAMES[::-1])]
    with pytest.raises(ValueError, match="In block 1: the feature names differ"):
        SPCAPSD().fit(from_blocks(frames))


def rewritten(folder, **columns):
    """Write the second file with some columns replaced, or left out where they are None."""
    path = parquet(folder) / "part-1.parquet"
    table = dict(zip(NAMES, X[25:].T, strict=True)) | columns
    pq.write_table(pa.table({k: v for k, v in table.items() if v is not None}), path)
    return folder


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"f2": None}, "part-1.parquet lacks column 'f2'"),
        ({"f2": ["a"] * 35}, "part-1.parquet: column 'f2' of type string"),
        ({"f2": [None] + [1.0] * 34}, "row group 0 of .*part-1.parquet: Input contains NaN"),
    ],
)
def test_a_parquet_file_that_changes_is_named(columns, message, tmp_path):
    with pytest.raises(ValueError, match=message):
        SPCAPSD().fit(from_blocks(rewritten(tmp_path, **columns)))


def test_parquet_columns_in_another_order_are_the_same(tmp_path):
    swapped = pa.table(dict(zip(NAMES[::-1], X[25:].T[::-1], strict=True)))
    pq.write_table(swapped, parquet(tmp_path) / "part-1.parquet")
    np.testing.assert_allclose(SPCAPSD().fit(from_blocks(tmp_path)).scores_, PLAIN.scores_)


@pytest.mark.parametrize("name", ["no.npy", "no.zarr", "no-*.parquet", "no.parquet"])
def test_missing_files(name, tmp_path):
    with pytest.raises(FileNotFoundError, match="no"):
        from_blocks(tmp_path / name)


def test_what_is_no_parquet_file_is_named(tmp_path):
    (tmp_path / "x.parquet").write_text("not at all")
    with pytest.raises(ValueError, match=r"x.parquet is not a Parquet file"):
        from_blocks(tmp_path)


@pytest.mark.parametrize("parts", [[], [X[:0]], [X[:1]]])
def test_too_few_samples(parts):
    with pytest.raises(ValueError, match="a minimum of 2 is required"):
        SPCAPSD().fit(from_blocks(parts))


def test_what_cannot_be_read_is_refused():
    with pytest.raises(TypeError, match="cannot read int"):
        from_blocks(3)


def test_rows_that_change_between_passes_are_noticed():
    lengths = iter(range(60, 0, -1))
    with pytest.raises(RuntimeError, match="must not change"):
        CSPCAPSD().fit(from_blocks(lambda: [X[: next(lengths)]]))


def test_solvers_that_need_all_rows():
    for solver in ("admm", "published"):
        with pytest.raises(ValueError, match="needs all rows in memory"):
            CSPCAPSD(solver=solver).fit(from_blocks([X]))
    with pytest.raises(ValueError, match="for the robust models"):
        SPCAPSD(solver="reweighted").fit(X)


def test_the_number_of_features_can_be_chosen():
    plain = SPCAPSD(n_features_to_select="auto").fit(X)
    parts = from_blocks([X[:10], X[10:]])
    for model in (SPCAPSD, CSPCAPSD):
        selector = model(n_features_to_select="auto", selection="scores").fit(parts)
        assert 1 <= selector.selected_.size <= 5
    np.testing.assert_allclose(
        SPCAPSD(n_features_to_select="auto").fit(parts).curve_.explained, plain.curve_.explained
    )


def test_a_pipe_is_no_array(tmp_path):
    os.mkfifo(tmp_path / "a.npy")
    with pytest.raises(ValueError, match="is no regular file"):
        from_blocks(tmp_path / "a.npy")
