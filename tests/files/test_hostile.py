"""Files that were made to do harm: refused in one line, before anything happens."""

from __future__ import annotations

import gzip
import os
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import polars as pl
import pytest
from scipy import sparse
from scipy.io import savemat

import anndata
from sparsecone.datasets import DataFileError, load_file

POINTERS = np.array([0, 2, 4, 6], dtype=np.int32)
INDICES = np.array([0, 1, 0, 2, 1, 2], dtype=np.int32)
BAD_PARTS = {
    "far out of range": ([0, 1, 0, 2, 1, 2**30], POINTERS),
    "just out of range": ([0, 1, 0, 2, 1, 5], POINTERS),
    "negative": ([0, 1, 0, 2, 1, -1], POINTERS),
    "pointers that fall": (INDICES, [0, 4, 2, 6]),
    "pointers beyond the entries": (INDICES, [0, 2, 4, 2**30]),
    "fractions": ([0, 1.5, 0, 2, 1, 2], POINTERS),
}


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr"])
@pytest.mark.parametrize("fault", BAD_PARTS)
def test_invalid_indices_in_npz_are_refused(tmp_path: Path, kind: str, fault: str) -> None:
    indices, pointers = map(np.asarray, BAD_PARTS[fault])
    data = np.ones((6, 1, 1) if kind == "bsr" else 6)
    path = tmp_path / "a.npz"
    np.savez(path, format=kind.encode(), data=data, indices=indices, indptr=pointers, shape=(3, 3))
    with pytest.raises(DataFileError, match=r"cannot be read as \.npz"):
        load_file(path)


@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "coo"])
@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_sparse_npz_of_any_index_and_byte_order(
    tmp_path: Path, kind: str, width: type, order: str
) -> None:
    X = np.random.default_rng(0).normal(size=(6, 8))
    matrix = sparse.coo_matrix(np.where(X > 0.3, X, 0.0)).asformat(kind)
    path = tmp_path / "a.npz"
    sparse.save_npz(path, matrix)
    with np.load(path) as stored:
        arrays = dict(stored)
    integer = np.dtype(width).newbyteorder(order)
    for name in {"indices", "indptr", "row", "col"} & arrays.keys():
        arrays[name] = arrays[name].astype(integer)
    arrays["data"] = arrays["data"].astype(np.dtype(np.float64).newbyteorder(order))
    np.savez(path, **arrays)
    np.testing.assert_array_equal(load_file(path).X.toarray(), matrix.toarray())


def test_big_endian_arrays_are_read_as_numbers(tmp_path: Path) -> None:
    X = np.arange(6.0).reshape(2, 3)
    np.savez(tmp_path / "a.npz", X=X.astype(">f4"), y=np.array([1, 2], dtype=">i2"))
    dataset = load_file(tmp_path / "a.npz")
    np.testing.assert_array_equal(dataset.X, X)
    assert dataset.X.dtype == np.float64
    assert dataset.y is not None
    assert dataset.y.tolist() == [1, 2]


def sparse_matlab(path: Path, fault: str) -> None:
    """Write a sparse matrix with its rows out of range into a file of MATLAB 5."""
    savemat(path, {"X": sparse.csc_matrix((np.ones(6), INDICES, POINTERS), shape=(3, 3))})
    rows = np.asarray(BAD_PARTS[fault][0], dtype=np.int32)
    contents = path.read_bytes()
    assert contents.count(INDICES.tobytes()) == 1
    path.write_bytes(contents.replace(INDICES.tobytes(), rows.tobytes()))


@pytest.mark.parametrize("fault", ["far out of range", "just out of range", "negative"])
def test_invalid_indices_in_matlab_5_are_refused(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "a.mat"
    sparse_matlab(path, fault)
    with pytest.raises(DataFileError, match=r"cannot be read as \.mat"):
        load_file(path)


@pytest.mark.parametrize("fault", BAD_PARTS)
def test_invalid_indices_in_matlab_73_are_refused(tmp_path: Path, fault: str) -> None:
    path = tmp_path / "a.mat"
    rows, starts = map(np.asarray, BAD_PARTS[fault])
    with h5py.File(path, "w") as file:
        group = file.create_group("X")
        group.attrs["MATLAB_sparse"] = 3
        group["data"], group["ir"], group["jc"] = np.ones(6), rows, starts
    with pytest.raises(DataFileError, match=r"cannot be read as \.mat"):
        load_file(path)


def test_duplicate_entries_of_a_file_are_added_up(tmp_path: Path) -> None:
    doubled = sparse.csr_matrix(
        ([1.0, 1, 2, 2, 3, 3], [0, 0, 1, 1, 0, 1], [0, 2, 4, 6]), shape=(3, 2)
    )
    sparse.save_npz(tmp_path / "a.npz", doubled)
    X: Any = load_file(tmp_path / "a.npz").X
    assert X.data.tolist() == [2.0, 4.0, 3.0, 3.0]


def cells(path: Path, **changes: Any) -> Path:
    """Write three cells of two genes, and change items of the file."""
    adata = anndata.AnnData(np.arange(6.0).reshape(3, 2))
    adata.obs["kind"] = ["u", "v", "u"]
    adata.write_h5ad(path)
    with h5py.File(path, "r+") as file:
        for name, value in changes.items():
            place = name.replace("__", "/")
            if place in file:
                del file[place]
            file[place] = value
    return path


@pytest.mark.parametrize(
    ("place", "names", "message"),
    [
        ("var___index", ["a"], "1 names in var for 2 columns of X"),
        ("var___index", ["a", "b", "c"], "3 names in var for 2 columns of X"),
        ("obs___index", ["a"], "1 names in obs for 3 rows of X"),
        ("obs___index", list("abcd"), "4 names in obs for 3 rows of X"),
    ],
)
def test_too_few_and_too_many_names_in_h5ad_are_counted(
    tmp_path: Path, place: str, names: list[str], message: str
) -> None:
    path = cells(tmp_path / "a.h5ad", **{place: names})
    with pytest.raises(DataFileError, match=message):
        load_file(path)


def test_a_short_column_of_sample_names_is_counted(tmp_path: Path) -> None:
    path = cells(tmp_path / "a.h5ad", obs__short=["p", "q"])
    with pytest.raises(DataFileError, match="2 names in obs for 3 rows of X"):
        load_file(path, sample_names="short")


@pytest.mark.parametrize("kind", ["link", "raw", "virtual"])
def test_contents_in_other_files_are_not_followed(tmp_path: Path, kind: str) -> None:
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["secret"] = np.ones((3, 2))
    path = cells(tmp_path / "a.h5ad")
    with h5py.File(path, "r+") as file:
        del file["X"]
        if kind == "link":
            file["X"] = h5py.ExternalLink("other.h5", "/secret")
        elif kind == "raw":
            stored = [(str(other), 0, h5py.h5f.UNLIMITED)]
            file.create_dataset("X", shape=(3, 2), dtype="f8", external=stored)
        else:
            layout = h5py.VirtualLayout(shape=(3, 2), dtype="f8")
            layout[:] = h5py.VirtualSource(str(other), "secret", shape=(3, 2))
            file.create_virtual_dataset("X", layout)
    with pytest.raises(DataFileError, match="keeps 'X' in another file"):
        load_file(path)


def test_a_small_packed_table_may_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"0,0\n" * 2_000_000))
    assert path.stat().st_size < 40_000
    with pytest.raises(DataFileError, match=r"would take .*MB in memory.*--max-memory"):
        load_file(path, max_memory=5_000_000)
    assert load_file(path, max_memory=50_000_000).X.shape == (2_000_000, 2)


def test_the_usual_limit_grows_with_the_file(tmp_path: Path) -> None:
    from sparsecone.files.limits import limit_of

    small, large = tmp_path / "small", tmp_path / "large"
    small.write_bytes(b"x")
    with large.open("wb") as file:
        file.truncate(2**30)
    assert limit_of(small).most == 2**30
    assert limit_of(large).most == 20 * 2**30
    assert limit_of(large, 7).most == 7
    limit_of(large, 16).check_shape((1, 2))
    with pytest.raises(DataFileError, match="would take 24 B in memory"):
        limit_of(large, 16).check_shape((3,))


@pytest.mark.parametrize("kind", ["csc", "coo"])
def test_a_tiny_sparse_file_of_many_rows_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.npz"
    empty = sparse.csc_matrix(([1.0], ([5], [1])), shape=(10**9, 3))
    sparse.save_npz(path, empty.asformat(kind))
    with pytest.raises(DataFileError, match=r"would take 8 GB in memory \(a sparse matrix"):
        load_file(path)


def test_an_unwritten_hdf5_array_is_not_allocated(tmp_path: Path) -> None:
    path = cells(tmp_path / "a.h5ad")
    with h5py.File(path, "r+") as file:
        del file["X"]
        file.create_dataset("X", shape=(10**7, 10**5), dtype="f8", chunks=(100, 100))
    assert path.stat().st_size < 10**6
    with pytest.raises(DataFileError, match="would take 8 TB in memory"):
        load_file(path)


def test_a_header_of_another_size_is_refused_before_memory_is_asked_for(tmp_path: Path) -> None:
    head = BytesIO()
    np.lib.format.write_array_header_1_0(
        head, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 10)}
    )
    plain, packed = tmp_path / "a.npy", tmp_path / "a.npz"
    plain.write_bytes(head.getvalue() + bytes(80))
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("X.npy", plain.read_bytes())
    for path in (plain, packed):
        with pytest.raises(DataFileError, match="its header states 80000000000000 bytes"):
            load_file(path)


def test_a_bomb_in_npz_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, X=np.zeros((2000, 1000)))
    with pytest.raises(DataFileError, match="would take 16 MB in memory"):
        load_file(path, max_memory=10**6)


def test_a_sparse_matrix_counts_by_its_entries_rows_and_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    sparse.save_npz(path, sparse.csr_matrix(np.ones((50, 1000))))
    with pytest.raises(DataFileError, match="would take 808 kB in memory"):
        load_file(path, max_memory=700_000)


def test_a_parquet_file_of_one_value_packed_many_times_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pl.DataFrame({"a": np.zeros(10**6), "b": np.zeros(10**6)}).write_parquet(path)
    assert path.stat().st_size < 10**5
    with pytest.raises(DataFileError, match="would take 16 MB in memory"):
        load_file(path, max_memory=10**6)


def test_bytes_that_look_like_an_archive_are_none(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    X = np.zeros((4, 3))
    X[1] = np.frombuffer(b"PK\x05\x06" + bytes(20))
    np.save(path, X)
    np.testing.assert_array_equal(load_file(path).X, X)


def test_a_table_in_an_archive_may_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(10**7))
    with pytest.raises(DataFileError, match="would take 10 MB in memory"):
        load_file(path, max_memory=10**6)


def test_labels_that_numbers_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    labels = np.array([2.0**63, 2.0**64])
    np.savez(tmp_path / "a.npz", X=np.eye(2), y=labels)
    with pytest.raises(DataFileError, match="labels beyond 9007199254740992"):
        load_file(tmp_path / "a.npz")


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.npz", "a.mat", "a.h5ad", "a.parquet"])
def test_pipes_and_devices_are_no_files(tmp_path: Path, name: str) -> None:
    pipe, device = tmp_path / name, tmp_path / f"device{name}"
    os.mkfifo(pipe)
    device.symlink_to("/dev/zero")
    for path in (pipe, device):
        with pytest.raises(DataFileError, match="is no regular file"):
            load_file(path)
