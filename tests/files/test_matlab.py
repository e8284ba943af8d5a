"""The variables of MATLAB files: limits, sparse matrices, and which of them are the data."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy import sparse
from scipy.io import savemat

from sparsecone.datasets import DataFileError, load_file


def test_a_dense_matrix_counts_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "d.mat"
    savemat(path, {"X": np.ones((100, 20))}, do_compression=True)
    assert load_file(path, max_memory=16_000).X.shape == (100, 20)
    with pytest.raises(DataFileError, match=r"would take 16 kB in memory \(an array of shape"):
        load_file(path, max_memory=15_999)


def test_a_sparse_matrix_counts_by_its_entries(tmp_path: Path) -> None:
    path = tmp_path / "d.mat"
    savemat(path, {"X": sparse.eye(1000, format="csc")})
    assert load_file(path, max_memory=32_000).X.nnz == 1000
    with pytest.raises(DataFileError, match=r"would take 32 kB in memory \(a sparse matrix"):
        load_file(path, max_memory=31_999)


def write_new(path: Path, *, block: int, rows: int, starts: list[int], **parts: list[int]) -> None:
    """Write a sparse matrix as MATLAB 7.3 does; one without entries has neither data nor ir."""
    with h5py.File(path, "w", userblock_size=block) as file:
        file.create_group("#refs#")
        group = file.create_group("X")
        group.attrs["MATLAB_sparse"] = np.uint64(rows)
        for name, part in ({"jc": starts} | parts).items():
            group[name] = np.asarray(part, dtype=np.float64 if name == "data" else np.uint64)


@pytest.mark.parametrize("block", [0, 512])
def test_sparse_matrices_with_and_without_entries(tmp_path: Path, block: int) -> None:
    path = tmp_path / "d.mat"
    write_new(path, block=block, rows=3, starts=[0, 0, 0])
    empty = load_file(path).X
    assert (empty.shape, empty.nnz) == ((3, 2), 0)
    write_new(path, block=block, rows=3, starts=[0, 1, 2], data=[7, 8], ir=[2, 0])
    assert load_file(path).X.toarray().tolist() == [[0, 8], [0, 0], [7, 0]]


def test_an_empty_sparse_matrix_of_many_rows_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.mat"
    write_new(path, block=512, rows=10**9, starts=[0, 0])
    with pytest.raises(DataFileError, match="would take 8 GB in memory"):
        load_file(path)


@pytest.mark.parametrize("shape", [(1, 4), (4, 1), (1, 1)])
def test_a_vector_beside_the_only_matrix_is_no_matrix(
    tmp_path: Path, shape: tuple[int, int]
) -> None:
    path = tmp_path / "d.mat"
    savemat(path, {"weights": np.ones(shape), "pixels": np.arange(8.0).reshape(4, 2)})
    assert load_file(path).X.tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]
