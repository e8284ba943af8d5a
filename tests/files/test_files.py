"""Loading files of every kind, and what is said about broken ones."""

from __future__ import annotations

import gzip
import pickle
import subprocess
import sys

import h5py
import numpy as np
import polars as pl
import pytest
from scipy import sparse
from scipy.io import savemat

from sparsecone.datasets import DataFileError, load_file

X = np.array([[1.5, 2.0, -3.0], [4.0, 0.25, 6.0], [7.0, 8.0, 9.0], [0.0, 1.0, 2.0]])
Y = np.array([0, 1, 1, 0])
NAMES = ("a", "b", "c")


def saved_npz(path, **arrays):
    np.savez(path, **arrays)
    return path.read_bytes()


def save_matlab_73(path, **variables):
    """Write what MATLAB writes: a header of 512 bytes, then HDF5 with transposed arrays."""
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in variables.items():
            file[name] = np.asarray(value).T
        file.create_group("#refs#")
    with path.open("r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(116) + bytes(8) + b"\x00\x02IM")


def save_table(path):
    frame = pl.DataFrame(dict(zip(NAMES, X.T, strict=True)) | {"label": Y})
    if path.suffix == ".csv":
        frame.write_csv(path)
    else:
        frame.write_parquet(path)


WRITERS = {
    "d.npz": lambda path: np.savez(path, X=X, y=Y),
    "d.mat": lambda path: savemat(path, {"X": X, "Y": Y[:, np.newaxis]}),
    "compressed.mat": lambda path: savemat(path, {"fea": X, "gnd": Y}, do_compression=True),
    "old.mat": lambda path: savemat(path, {"X": X, "Y": Y.astype(float)}, format="4"),
    "new.mat": lambda path: save_matlab_73(path, X=X, Y=Y[:, np.newaxis].astype(float)),
    "d.csv": save_table,
    "d.parquet": save_table,
    "D.NPZ": lambda path: path.write_bytes(saved_npz(path.with_name("lower.npz"), X=X, y=Y)),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_of_file_holds_the_same_data(tmp_path, name):
    path = tmp_path / name
    WRITERS[name](path)
    dataset = load_file(path)
    assert dataset.name == path.stem
    assert dataset.X.dtype == np.float64
    np.testing.assert_array_equal(dataset.X, X)
    np.testing.assert_array_equal(dataset.y, Y)
    assert np.issubdtype(dataset.y.dtype, np.integer)
    is_table = path.suffix in {".csv", ".parquet"}
    assert dataset.feature_names == (NAMES if is_table else None)


def test_npy_has_data_only(tmp_path):
    np.save(tmp_path / "d.npy", X.astype(np.float32))
    dataset = load_file(str(tmp_path / "d.npy"), name="mine")
    np.testing.assert_array_equal(dataset.X, X)
    assert (dataset.name, dataset.y) == ("mine", None)


def test_small_integers_are_widened(tmp_path):
    np.savez(tmp_path / "d.npz", X=np.full((2, 2), 255, dtype=np.uint8))
    assert (load_file(tmp_path / "d.npz").X + 1.0).max() == 256.0


def test_the_only_matrix_is_the_data_and_the_label_may_be_named(tmp_path):
    savemat(tmp_path / "d.mat", {"pixels": X, "person": Y, "note": "text"})
    dataset = load_file(tmp_path / "d.mat", label="person")
    np.testing.assert_array_equal(dataset.X, X)
    np.testing.assert_array_equal(dataset.y, Y)


def test_labels_show_where_the_samples_stand(tmp_path):
    savemat(tmp_path / "d.mat", {"fea": X.T, "gnd": Y})
    np.testing.assert_array_equal(load_file(tmp_path / "d.mat").X, X)


@pytest.mark.parametrize(
    ("text", "expected_names"),
    [
        pytest.param("1.5,2\n4,0.25\n", ("column_0", "column_1"), id="no-names"),
        pytest.param("a,b\n1.5,2\n4,0.25\n\n", ("a", "b"), id="blank-line-at-the-end"),
        pytest.param("a, b\n1.5, 2\n4, 0.25\n", ("a", "b"), id="spaces-after-commas"),
        pytest.param("\ufeffa,b\r\n1.5,2\r\n4,0.25\r\n", ("a", "b"), id="from-windows"),
    ],
)
def test_csv_dialects(tmp_path, text, expected_names):
    (tmp_path / "d.csv").write_text(text, encoding="utf-8", newline="")
    dataset = load_file(tmp_path / "d.csv")
    np.testing.assert_array_equal(dataset.X, [[1.5, 2.0], [4.0, 0.25]])
    assert dataset.feature_names == expected_names


def test_labels_may_be_text_and_features_true_or_false(tmp_path):
    (tmp_path / "d.csv").write_text("kind,a\nbad,true\ngood,false\n")
    dataset = load_file(tmp_path / "d.csv", label="kind")
    assert dataset.y.tolist() == ["bad", "good"]
    assert dataset.X.tolist() == [[1.0], [0.0]]
    assert dataset.feature_names == ("a",)


BROKEN = {
    "empty.csv": (lambda _: b"", "is empty"),
    "empty.npz": (lambda _: b"", "is empty"),
    "empty.mat": (lambda _: b"", "is empty"),
    "blank.csv": (lambda _: b"\n\n", "only blank lines"),
    "names_only.csv": (lambda _: b"a,b\n", "a line of names but no rows"),
    "label_only.csv": (lambda _: b"label\n1\n", "has no feature left"),
    "long_row.csv": (lambda _: b"a,b\n1,2\n3,4,5\n", "3 entries in line 3, where .* has 2"),
    "short_row.csv": (lambda _: b"a,b\n1,2\n3\n", "1 entries in line 3, where .* has 2"),
    "quote.csv": (lambda _: b'a,b\n1,"2\n3,4\n', "quotation mark that is not closed"),
    "cut.csv.gz": (lambda _: gzip.compress(b"a,b\n1,2\n")[:-6], "cannot be read as .csv.gz"),
    "all_gaps.csv": (lambda _: b"a,b\n1,\n3,\n", "no value in column 'b', row 1"),
    "gap.csv": (lambda _: b"a,b\n1,\n3,4\n", "no value in column 'b', row 1"),
    "text.csv": (lambda _: b"a,b\n1,2\n3,oops\n", "text in column 'b', such as 'oops'"),
    "nan.csv": (lambda _: b"a,b\n1,2\n3,nan\n", "no value in column 'b', row 2"),
    "binary.csv": (lambda _: b"PK\x03\x04\x00\x81", "bytes that are no text"),
    "garbage.parquet": (lambda _: b"no parquet at all", "cannot be read as .parquet"),
    "garbage.mat": (lambda _: b"no matlab at all" * 50, "cannot be read as .mat"),
    "garbage.npz": (lambda _: b"no numpy at all", "is not a NumPy file"),
    "pickle.npy": (lambda _: pickle.dumps([1, 2]), "is not a NumPy file, or a pickle"),
    "object.npz": (lambda p: saved_npz(p, X=X.astype(object)), "pickled Python objects"),
    "words.npz": (lambda p: saved_npz(p, X=X.astype(str)), "no numbers in X but <U"),
    "complex.npz": (lambda p: saved_npz(p, X=X * 1j), "no numbers in X but complex"),
    "vector.npz": (lambda p: saved_npz(p, X=X[0]), r"data of shape \(3,\) in X"),
    "cube.npz": (lambda p: saved_npz(p, X=X[np.newaxis]), r"data of shape \(1, 4, 3\)"),
    "no_rows.npz": (lambda p: saved_npz(p, X=X[:0]), r"data of shape \(0, 3\)"),
    "infinite.npz": (lambda p: saved_npz(p, X=X / (X != 4)), "inf in column 1, row 2"),
    "two.npz": (lambda p: saved_npz(p, P=X, Q=X), r"which of its variables .* \('P', 'Q'\)"),
    "none.npz": (lambda p: saved_npz(p), r"which of its variables .* \(none\)"),
    "few_labels.npz": (lambda p: saved_npz(p, X=X, y=[1, 2]), "2 labels for 4 samples"),
    "nan_label.npz": (lambda p: saved_npz(p, X=X, y=[0, 1, 2, np.nan]), "missing labels"),
    "date_label.npz": (
        lambda p: saved_npz(p, X=X, y=np.zeros(4, dtype="datetime64[s]")),
        "labels of type datetime64",
    ),
    "data.txt": (lambda _: b"1 2 3", r"Give a file that ends in \.npz, \.npy, \.mat"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_broken_files_are_named_with_fault_and_remedy(tmp_path, name):
    make, message = BROKEN[name]
    path = tmp_path / name
    path.write_bytes(make(path))
    with pytest.raises(DataFileError, match=message) as caught:
        load_file(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("kept", [0.1, 0.5, 0.9])
def test_truncated_files_never_pass_for_whole_ones(tmp_path, name, kept):
    whole, cut = tmp_path / name, tmp_path / f"cut{name}"
    WRITERS[name](whole)
    contents = whole.read_bytes()
    cut.write_bytes(contents[: int(kept * len(contents))])
    if cut.suffix == ".csv":
        # A table cut within a row lacks values; one cut between rows cannot be told from a whole.
        cut.write_bytes(contents.rstrip()[: contents.rstrip().rindex(b",")])
    with pytest.raises(DataFileError):
        load_file(cut)


def test_matlab_cells_are_no_numbers(tmp_path):
    cells = np.empty((2, 2), dtype=object)
    cells[:] = [["a", "b"], ["c", "d"]]
    savemat(tmp_path / "d.mat", {"X": cells})
    with pytest.raises(DataFileError, match="no numbers in X but object"):
        load_file(tmp_path / "d.mat")


def save_sparse_matlab_73(path):
    columns = sparse.csc_matrix(X)
    with h5py.File(path, "w", userblock_size=512) as file:
        group = file.create_group("X")
        group.attrs["MATLAB_sparse"] = np.uint64(X.shape[0])
        group["data"], group["ir"], group["jc"] = columns.data, columns.indices, columns.indptr


SPARSE_WRITERS = {
    "new.mat": save_sparse_matlab_73,
    "d.mat": lambda path: savemat(path, {"X": sparse.csc_matrix(X)}),
    "d.npz": lambda path: sparse.save_npz(path, sparse.csc_matrix(X)),
}


@pytest.mark.parametrize("name", SPARSE_WRITERS)
def test_sparse_data_stay_sparse(tmp_path, name):
    SPARSE_WRITERS[name](tmp_path / name)
    dataset = load_file(tmp_path / name)
    assert sparse.issparse(dataset.X)
    assert (dataset.X.format, dataset.X.dtype) == ("csr", np.float64)
    np.testing.assert_array_equal(dataset.X.toarray(), X)


def test_missing_file_folder_and_label(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no file '.*nowhere\.npz'"):
        load_file(tmp_path / "nowhere.npz")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(DataFileError, match="is a folder"):
        load_file(tmp_path / "folder.csv")
    np.savez(tmp_path / "d.npz", X=X, y=Y)
    with pytest.raises(DataFileError, match=r"has no column 'kind'. It has 'X', 'y'"):
        load_file(tmp_path / "d.npz", label="kind")


@pytest.mark.parametrize(
    ("package", "name"), [("polars", "d.csv"), ("polars", "d.parquet"), ("h5py", "new.mat")]
)
def test_absent_packages_are_named(tmp_path, monkeypatch, package, name):
    WRITERS[name](tmp_path / name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"{package}: pip install 'sparsecone\[datasets\]'"):
        load_file(tmp_path / name)


def test_optional_packages_are_not_imported_before_they_are_needed():
    code = "import sys, sparsecone.datasets; print(*{'polars', 'h5py', 'pooch'} & {*sys.modules})"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == ""
