"""Whatever is wrong with a call: one line that says what, where and what to do; exit code 2."""

from __future__ import annotations

import gzip
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.io import savemat

X = np.random.default_rng(0).standard_normal((20, 4))


def cut(path: Path) -> None:
    contents = path.read_bytes()
    path.write_bytes(contents[: len(contents) * 2 // 3])


def cut_parquet(path: Path) -> None:
    pl.DataFrame(X).write_parquet(path)
    cut(path)


def cut_npz(path: Path) -> None:
    np.savez(path, X=X)
    cut(path)


def cut_mat(path: Path) -> None:
    savemat(path, {"X": X}, do_compression=True)
    cut(path)


def text(contents: str) -> Any:
    return lambda path: path.write_text(contents)


BAD: dict[str, tuple[Any, list[str]]] = {
    "absent.csv": (lambda _: None, ["There is no file", "check its name and folder"]),
    "empty.csv": (text(""), ["is empty", "save it again"]),
    "header.csv": (text("a,b\n"), ["a line of names but no rows", "Add a line a sample"]),
    "ragged.csv": (text("a,b\n1,2\n1,2,3\n"), ["3 entries in line 3", "same number of entries"]),
    "short.csv": (text("a,b\n1,2\n1\n2,3\n"), ["1 entries in line 3", "same number of entries"]),
    "words.csv": (text("a,b\n1,u\n2,v\n"), ["text in column 'b', such as 'u'", "--drop"]),
    "gap.csv": (text("a,b\n1,\n2,3\n"), ["no value in column 'b', row 1", "--missing median"]),
    "inf.csv": (text("a,b\n1,inf\n2,3\n"), ["inf in column 'b', row 1", "Replace infinite"]),
    "cut.parquet": (cut_parquet, ["cannot be read as .parquet", "truncated"]),
    "cut.npz": (cut_npz, ["cannot be read as .npz", "truncated"]),
    "cut.mat": (cut_mat, ["cannot be read as .mat", "truncated"]),
    "cut.csv.gz": (
        lambda path: path.write_bytes(gzip.compress(b"a,b\n1,2\n")[:-5]),
        ["cannot be read as .csv.gz", "truncated"],
    ),
    "pickle.npz": (
        lambda path: np.savez(path, X=np.array([[{}]], dtype=object)),
        ["pickled Python objects", "plain arrays"],
    ),
    "pickle.npy": (lambda path: path.write_bytes(pickle.dumps(1)), ["or a pickle", "np.savez"]),
    "words.npz": (
        lambda path: np.savez(path, X=X.astype(str)),
        ["no numbers in X", "Save numbers"],
    ),
    "folder.csv": (lambda path: path.mkdir(), ["is a folder", "Give one file"]),
    "other.docx": (text("x"), ["is no data file", ".parquet"]),
}


def one_line(result: Any) -> str:
    """Return the message of a call that must have failed with one line and nothing else."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    return str(result.stderr)


@pytest.mark.parametrize("command", ["select", "compare"])
@pytest.mark.parametrize("name", BAD)
def test_bad_files(run: Any, tmp_path: Path, name: str, command: str) -> None:
    make, parts = BAD[name]
    path, out = tmp_path / name, tmp_path / "out.csv"
    make(path)
    out.write_text("as it was")
    message = one_line(run(command, path, "-k", 1, "--out", out))
    assert str(path) in message
    for part in parts:
        assert part in message
    assert out.read_text() == "as it was"
    assert not [file for file in tmp_path.iterdir() if ".draft" in file.name]


BAD_CALLS = {
    "too many features": (["-k", "7"], "must lie between 1 and the number of features, 6"),
    "too large a fraction": (["-k", "1.5"], "is a fraction and must lie in (0, 1]"),
    "no number": (["-k", "some"], "n_features_to_select"),
    "no such method": (["--method", "pca-psd"], "Did you mean 'spca-psd'?"),
    "no such parameter": (["--set", "width=3"], "has no parameter 'width'. It has: n_features"),
    "no pair": (["--set", "width"], "--set takes name=value"),
    "a parameter of others": (["-m", "udfs", "--eta", "1"], "udfs has no parameter 'eta'"),
    "a bad value": (["--eta", "-1"], "The 'eta' parameter of SPCAPSD must be"),
    "ours": (["--set", "verbose=1"], "has no parameter 'verbose'"),
    "measurements": (["--label", "s1"], "--label 's1' holds measurements such as"),
    "no such column": (["--drop", "kin"], "has no column 'kin'. Did you mean 'kind'?"),
    "no such label": (["--label", "sort"], "has no column 'sort'. It has 's0', 's1'"),
    "no such image": (["--image", "wide"], "--image takes rows x columns, such as 32x32"),
    "another image": (["--image", "2x4"], "--image 2x4 has 8 pixels, but the file has 6 features"),
    "two characters": (["--delimiter", "ab"], "--delimiter must be one character"),
    "an unknown ending": (["--out", "r.xls"], "must end in .csv or .tsv or .parquet or .json"),
    "a model as pickle": (["--save-model", "m.pkl"], "must end in .json"),
    "a folder that is not there": (["--out", "no/r.csv"], "there is no folder"),
    "one file twice": (["--out", "r.csv", "--save-selected", "./r.csv"], "same file as --out"),
    "the input": (["--out", "small.csv"], "is the same file as the input"),
    "a link to the input": (["--out", "link.csv"], "is the same file as the input"),
    "a folder as output": (["--out", "folder.csv"], "is there and is no file"),
    "a device": (["--out", "pipe.csv"], "is there and is no file"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_bad_calls(
    run: Any, small_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "link.csv").symlink_to(small_table)
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    arguments, message = BAD_CALLS[name]
    drop = [] if "--label" in arguments else ["--drop", "kind"]
    assert message in one_line(run("select", "small.csv", *drop, *arguments))
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_that_may_not_be_written_to(
    run: Any, small_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sparsecone.cli.outputs.os.access", lambda *_, **__: False)
    message = one_line(run("select", small_table, "--out", tmp_path / "r.csv"))
    assert "you may not write to" in message


def test_a_file_that_may_not_be_read(
    run: Any, small_table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("sparsecone.files.text_format.opened", refuse)
    assert "small.csv' may not be read by you" in one_line(run("select", small_table))


def test_a_full_disk_leaves_every_file_as_it_was(gene_table: Path, tmp_path: Path) -> None:
    # The ranking fits, the reduced table does not: neither may appear.
    ranking, reduced = tmp_path / "r.csv", tmp_path / "reduced.csv"
    ranking.write_text("as it was")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    result = subprocess.run(
        [
            *(sys.executable, "-m", "sparsecone", "select", gene_table, "--drop", "leukaemia"),
            *("-m", "max-variance", "--out", ranking, "--save-selected", reduced),
        ],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        check=False,
    )
    assert result.returncode == 2, result.stderr
    assert f"'{reduced}': File too large. Nothing was written: check the disk" in result.stderr
    assert result.stderr.count("\n") == 1
    assert ranking.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [ranking]


def test_a_report_that_fails_leaves_nothing(
    run: Any, small_table: Path, tmp_path: Path, reports: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sys.modules["sparsecone.report"], "write_report", fail)
    result = run(
        "select", small_table, "--drop", "kind", "-k", 2, "--out", tmp_path / "r.csv", "--report",
        tmp_path / "r.html",
    )  # fmt: skip
    assert "No space left on device. Nothing was written" in one_line(result)
    assert list(tmp_path.iterdir()) == [small_table]
    assert not reports


def test_an_internal_error_is_one_line_too(
    run: Any, small_table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("oops")

    monkeypatch.setattr("sparsecone.SPCAPSD.fit", fail)
    result = run("select", small_table, "--drop", "kind")
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: RuntimeError: oops (set SPARSECONE_TRACEBACK=1 to see where)\n"
    )
    monkeypatch.setenv("SPARSECONE_TRACEBACK", "1")
    assert "Traceback" in run("select", small_table, "--drop", "kind").stderr


ENDLESS_FIT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from sparsecone.cli import main, selecting
fit = selecting.fit
def announced(*arguments, **options):
    print("fitting", flush=True)
    return fit(*arguments, **options)
selecting.fit = announced
main()
"""


def test_ctrl_c_ends_a_fit_with_130(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "d.npy", rng.standard_normal((800, 800)))
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", ENDLESS_FIT, "select", tmp_path / "d.npy"),
            *("--solver", "published", "--set", "max_iter=1000000", "--tol", "0"),
            *("--out", tmp_path / "r.csv"),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "fitting\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, messages = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, messages) == ("", "Error: Interrupted: nothing was written.\n")
    assert [file.name for file in tmp_path.iterdir()] == ["d.npy"]
