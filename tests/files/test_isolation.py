"""Reading in a process of its own: the same data, and an error where it crashes or hangs."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import sparse
from scipy.io import savemat

import anndata
from sparsecone.datasets import DataFileError, Dataset, load_file
from sparsecone.files import child
from sparsecone.files.parcel import received, send
from sparsecone.files.wanted import Wanted

CORPUS = Path(__file__).parent / "corpus"
X = np.array([[1.5, 0.0, -3.0], [4.0, 0.25, 0.0], [7.0, 0.0, 9.0]])


def written(path: Path) -> Path:
    """Write the same samples in the format that the ending says."""
    if path.suffix == ".mat":
        savemat(path, {"X": X, "y": [1, 2, 1]})
    elif path.suffix == ".parquet":
        names = ["a,b", "line\nbreak", "\N{GREEK SMALL LETTER ALPHA}"]
        pl.DataFrame(dict(zip(names, X.T, strict=True))).write_parquet(path)
    elif path.suffix == ".h5ad":
        cells = anndata.AnnData(sparse.csr_matrix(X))
        cells.obs["kind"] = ["u", "v", "w"]
        cells.write_h5ad(path)
    else:
        path.write_text("a,y\n1,0\n2,1\n")
    return path


def same(left: Dataset, right: Dataset) -> bool:
    """Whether two data sets have the same values, names and types."""
    a, b = (d.X.toarray() if sparse.issparse(d.X) else d.X for d in (left, right))
    assert sparse.issparse(left.X) == sparse.issparse(right.X)
    np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(left.y, right.y)
    rest = ("name", "feature_names", "sample_names", "label_name")
    return all(getattr(left, name) == getattr(right, name) for name in rest)


@pytest.mark.parametrize("ending", [".mat", ".h5ad", ".parquet", ".csv"])
def test_isolated_data_are_the_same(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path / f"d{ending}")
    options = {"label": "kind"} if ending == ".h5ad" else {}
    assert same(load_file(path, isolated=True, **options), load_file(path, **options))


def test_what_is_wrong_is_said_in_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a,b\n1,2\n3,oops\n")
    messages = []
    for isolated in (False, True):
        with pytest.raises(DataFileError) as caught:
            load_file(path, isolated=isolated)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    with pytest.raises(FileNotFoundError):
        load_file(tmp_path / "none.mat", isolated=True)


@pytest.mark.parametrize("text", ["a,b\n1,2\n3,5\n", "a,b\n1,2\n3,oops\n"])
def test_the_process_that_reads_answers_and_ends(tmp_path: Path, text: str) -> None:
    path = tmp_path / "d.csv"
    path.write_text(text)
    request = {"wanted": asdict(Wanted(path=path)), "memory": 2**33, "seconds": 60.0}
    process = subprocess.run(
        [sys.executable, "-m", "sparsecone.files.child"],
        input=json.dumps(request, default=str).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    head, arrays = received(BytesIO(process.stdout))
    if "oops" in text:
        assert head["error"] == "DataFileError"
        assert "oops" in head["message"]
    else:
        assert head["values"]["feature_names"] == ["a", "b"]
        np.testing.assert_array_equal(arrays["X"], [[1.0, 2.0], [3.0, 5.0]])


def test_what_was_sent_is_received_or_said_to_end_early() -> None:
    arrays = {"dense": X[:, ::2], "sparse": sparse.csr_matrix(X), "text": np.array(["u", "vw"])}
    stream = BytesIO()
    send(stream, {"name": "d"}, arrays)
    head, back = received(BytesIO(stream.getvalue()))
    assert head == {"name": "d"}
    assert sparse.issparse(back["sparse"])
    np.testing.assert_array_equal(back["sparse"].toarray(), X)
    for name in ("dense", "text"):
        np.testing.assert_array_equal(back[name], arrays[name])
    for length in range(len(stream.getvalue())):
        with pytest.raises(EOFError):
            received(BytesIO(stream.getvalue()[:length]))


def test_a_system_that_refuses_limits_reads_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    asked = []

    def refused(kind: int, limits: tuple[int, int]) -> None:
        asked.append((kind, limits[0]))
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refused)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, resource.RLIM_INFINITY))
    child._limit(10**9, 2.5)
    assert asked[:2] == [(resource.RLIMIT_AS, 10**9), (resource.RLIMIT_CORE, 0)]
    assert asked[2] == (resource.RLIMIT_CPU, 3 * (os.cpu_count() or 1))
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, 5))
    child._limit(10**9, 2.5)
    assert asked[3] == (resource.RLIMIT_AS, 5)


def test_a_file_that_crashes_its_library_is_an_error() -> None:
    with pytest.raises(DataFileError, match="crashes the library that reads it"):
        load_file(CORPUS / "crash.mat", isolated=True)


def test_a_file_that_hangs_its_library_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "hang.h5ad"
    path.write_bytes(gzip.decompress((CORPUS / "hang.h5ad.gz").read_bytes()))
    started = time.monotonic()
    with pytest.raises(DataFileError, match=r"not read within 3 seconds.*--max-seconds"):
        load_file(path, isolated=True, max_seconds=3.0)
    assert time.monotonic() - started < 30.0


def test_the_time_and_memory_that_a_reader_has_grow_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sparsecone.files import isolation

    asked = []

    def answer(_in: object, _out: object, request: str) -> Dataset:
        asked.append((json.loads(request)["seconds"], json.loads(request)["memory"]))
        return Dataset("d", X)

    monkeypatch.setattr(isolation, "_answer", answer)
    path = tmp_path / "large.mat"
    with path.open("wb") as file:
        file.truncate(60 * 10**6)
    for max_seconds in (None, 7.0):
        load_file(path, isolated=True, max_seconds=max_seconds, max_memory=1000)
    load_file(path, isolated=True)
    assert asked == [(180.0, 2**31 + 4000), (7.0, 2**31 + 4000), (180.0, 2**31 + 80 * 60 * 10**6)]


@pytest.mark.parametrize("kind", ["FileNotFoundError", "ImportError", "ValueError", "OddError"])
def test_what_was_raised_there_is_raised_here(kind: str) -> None:
    from sparsecone.files.isolation import _answer

    stream, sent = BytesIO(), BytesIO()
    send(stream, {"error": kind, "message": "as it was said"}, {})
    expected = {"FileNotFoundError": FileNotFoundError, "ImportError": ImportError}
    with pytest.raises(expected.get(kind, ValueError), match="as it was said") as caught:
        _answer(sent, BytesIO(stream.getvalue()), "request")
    assert not isinstance(caught.value, DataFileError)


def test_what_is_no_array_arrives_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    path.write_text("id;a;b;y\n7;1,5;2;u\n8;3,5;4;v\n")
    there = load_file(path, isolated=True, drop=["b"], only=["a"])
    here = load_file(path, drop=["b"], only=["a"])
    assert there.notes == here.notes != ()
    assert (there.id_name, there.feature_names) == ("id", ("a",))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit address space")
def test_a_reader_that_takes_too_much_memory_is_ended(tmp_path: Path) -> None:
    from sparsecone.files import isolation

    path = written(tmp_path / "d.mat")
    # Not even the libraries fit.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isolation, "_LIBRARIES", 2**20)
        with pytest.raises(DataFileError, match=r"needs more memory than the 1\.4"):
            load_file(path, isolated=True, max_memory=100_000)


def test_modules_beside_the_data_are_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "d.mat")
    (tmp_path / "scipy.py").write_text("raise SystemExit('a module beside the data was run')")
    monkeypatch.chdir(tmp_path)
    assert load_file(path, isolated=True).X.shape == (3, 3)


def test_the_panic_of_a_reader_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "d.parquet")

    def panic(*_: object) -> None:
        raise pl.exceptions.PanicException("range end index 9 out of range")

    monkeypatch.setattr(pl, "read_parquet", panic)
    with pytest.raises(DataFileError, match=r"cannot be read as \.parquet \(range end index 9"):
        load_file(path)
