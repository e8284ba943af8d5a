"""How much memory a file may ask for: what is just allowed, and what just is not."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest
from scipy import sparse

from sparsecone.files.dataset import DataFileError
from sparsecone.files.limits import Limit, limit_of, shown_size


@pytest.mark.parametrize(
    ("n_bytes", "expected"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (1_001_000, "1 MB"),
        (6_400_000_000, "6.4 GB"),
        (999_000_000_000, "999 GB"),
        (10**12, "1 TB"),
        (25 * 10**14, "2.5e+03 TB"),
    ],
)
def test_sizes_in_words(n_bytes: int, expected: str) -> None:
    assert shown_size(n_bytes) == expected


def test_the_usual_limit_is_twenty_times_the_file_or_a_gibibyte(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    with path.open("wb") as file:
        file.truncate(2**30 // 20)
        assert limit_of(path).most == 2**30
        file.truncate(2**30 // 20 + 1)
        assert limit_of(path).most == 20 * (2**30 // 20 + 1)
    assert limit_of(path, 0).most == 0


def test_an_array_is_counted_in_double_precision() -> None:
    Limit(Path("d"), 48).check_shape((2, 3))
    with pytest.raises(DataFileError, match=r"48 B in memory \(an array of shape \(2, 3\)\), and"):
        Limit(Path("d"), 47).check_shape((2, 3))


def test_a_sparse_matrix_is_counted_by_entries_rows_and_columns() -> None:
    matrix = sparse.csr_matrix([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
    n_bytes = 3 * (8 + 8) + (2 + 3) * 8
    Limit(Path("d"), n_bytes).check_sparse(matrix)
    with pytest.raises(DataFileError, match=f"would take {n_bytes} B in memory"):
        Limit(Path("d"), n_bytes - 1).check_sparse(matrix)


def test_packed_text_is_counted_to_the_byte(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"1" * 900))
    Limit(path, 900).check_gzip()
    with pytest.raises(DataFileError, match=r"would take 900 B in memory \(what was unpacked so"):
        Limit(path, 899).check_gzip()


def test_unpacking_ends_with_the_first_mebibyte_too_many(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(bytes(4 * 2**20)))
    with pytest.raises(DataFileError, match=r"would take 1\.05 MB in memory"):
        Limit(path, 10**6).check_gzip()
    with pytest.raises(DataFileError, match=r"would take 3\.15 MB in memory"):
        Limit(path, 3 * 10**6).check_gzip()


def test_a_packed_file_that_cannot_be_too_large_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(b"0" * 100)
    Limit(path, 100 * 1032).check_gzip()
    with pytest.raises(gzip.BadGzipFile):
        Limit(path, 100 * 1032 - 1).check_gzip()


def test_members_of_an_archive_are_added_up(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a", "b"):
            archive.writestr(name, bytes(300))
    Limit(path, 600).check_zip()
    with pytest.raises(DataFileError, match=r"would take 600 B in memory \(unpacked\)"):
        Limit(path, 599).check_zip()
