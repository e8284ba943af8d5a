"""Files of NumPy: headers of every version, limits, and the parts of sparse matrices."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib import format as npy

from sparsecone.datasets import DataFileError, load_file

PARTS: dict[str, Any] = {
    "data": [5.0, 6.0],
    "indices": [1, 0],
    "indptr": [0, 1, 2],
    "shape": (2, 2),
}


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_headers_of_every_version(tmp_path: Path, version: tuple[int, int]) -> None:
    path = tmp_path / "a.npy"
    with path.open("wb") as file:
        npy.write_array(file, np.arange(6.0).reshape(2, 3), version=version)
    assert load_file(path).X.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("write", [npy.write_array_header_1_0, npy.write_array_header_2_0])
@pytest.mark.parametrize(("n_bytes", "shape"), [(47, "(2, 3)"), (49, "(2, 3)")])
def test_more_or_fewer_bytes_than_the_header_states(
    tmp_path: Path, write: Any, n_bytes: int, shape: str
) -> None:
    head = BytesIO()
    write(head, {"descr": "<f8", "fortran_order": False, "shape": (2, 3)})
    path = tmp_path / "a.npy"
    path.write_bytes(head.getvalue() + bytes(n_bytes))
    with pytest.raises(DataFileError) as caught:
        load_file(path)
    told = f"its header states 48 bytes for shape {shape}, and {n_bytes} follow"
    assert told in str(caught.value)


@pytest.mark.parametrize("ending", [".npy", ".npz"])
def test_small_numbers_count_as_they_will_be(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    X = np.zeros((100, 50), dtype=np.uint8)
    np.save(path, X) if ending == ".npy" else np.savez_compressed(path, X=X)
    assert load_file(path, max_memory=40_000).X.shape == (100, 50)
    with pytest.raises(DataFileError, match=r"would take 40 kB in memory \(an array of shape"):
        load_file(path, max_memory=39_999)


def test_words_beside_the_data_are_no_numbers_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, X=np.eye(2), y=["u", "v"], notes=np.full(1000, "x"))
    assert load_file(path, max_memory=5_000).X.shape == (2, 2)


@pytest.mark.parametrize("kind", ["csr", b"csr"])
def test_the_format_of_a_sparse_matrix_may_be_bytes_or_text(tmp_path: Path, kind: Any) -> None:
    np.savez(tmp_path / "a.npz", format=kind, **PARTS)
    assert load_file(tmp_path / "a.npz").X.toarray().tolist() == [[0, 5], [6, 0]]


def test_data_without_the_parts_of_their_format_are_no_data(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", format="csr", shape=(2, 2), data=np.eye(2))
    with pytest.raises(DataFileError, match=r"cannot be read as \.npz"):
        load_file(tmp_path / "a.npz")


def test_data_and_a_shape_alone_are_dense(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", shape=(2, 2), data=np.eye(2))
    assert load_file(tmp_path / "a.npz").X.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("part", ["indices", "indptr"])
def test_indices_of_two_dimensions_are_refused(tmp_path: Path, part: str) -> None:
    np.savez(tmp_path / "a.npz", format="csr", **(PARTS | {part: [PARTS[part]]}))
    with pytest.raises(DataFileError, match=r"its indices are int64 of shape \(1, [23]\), not int"):
        load_file(tmp_path / "a.npz")
