"""Files that crash, hang or fill the memory end as one line, from the command line too."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.io import savemat

CORPUS = Path(__file__).parents[1] / "files" / "corpus"
Run = Callable[..., Any]


ANNOUNCED_READING = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from sparsecone.cli import main
from sparsecone.files import reading
read = reading.read_isolated
def announced(*arguments, **options):
    print("reading", flush=True)
    return read(*arguments, **options)
reading.read_isolated = announced
main()
"""


def command(*arguments: object) -> subprocess.Popen[str]:
    """Start the command in a process of its own, which says when it reads."""
    return subprocess.Popen(
        [sys.executable, "-c", ANNOUNCED_READING, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_matlab_file_that_crashes_its_library(run: Run) -> None:
    result = run("select", CORPUS / "crash.mat", "-k", 1)
    assert result.exit_code == 2
    assert "crashes the library that reads it" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_file_that_hangs_ends_by_time_and_by_an_interrupt(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "hang.h5ad"
    path.write_bytes(gzip.decompress((CORPUS / "hang.h5ad.gz").read_bytes()))
    result = run("select", path, "-k", 1, "--max-seconds", 2)
    assert result.exit_code == 2
    assert "not read within 2 seconds" in result.stderr

    process = command("select", path, "-k", 1)
    assert process.stdout is not None
    assert process.stdout.readline() == "reading\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "Interrupted" in messages


def test_damaged_parquet_files_are_one_line_each(tmp_path: Path, run: Run) -> None:
    buffer = BytesIO()
    pl.DataFrame(np.arange(200.0).reshape(50, 4)).write_parquet(buffer)
    chance = random.Random(0)
    path = tmp_path / "d.parquet"
    for _ in range(3):
        contents = bytearray(buffer.getvalue())
        for place in chance.sample(range(len(contents) // 2, len(contents) - 8), 30):
            contents[place] = chance.randrange(256)
        path.write_bytes(contents)
        result = run("select", path, "-k", 1)
        assert result.exit_code in (0, 2)
        assert "Traceback" not in result.stderr
        assert "panicked" not in result.stderr
        if result.exit_code == 2:
            assert result.stderr.count("\n") == 1


def test_the_limit_of_memory_can_be_raised(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "d.csv.gz"
    rows = "".join(f"{i},{i * i % 7}\n" for i in range(20_000))
    path.write_bytes(gzip.compress(f"a,b\n{rows}".encode()))
    refused = run("select", path, "-k", 1, "--max-memory", "10kB")
    assert refused.exit_code == 2
    assert "--max-memory" in refused.stderr
    done = run("select", path, "-k", 1, "--max-memory", "1GB", "--json")
    assert json.loads(done.stdout)["n_samples"] == 20_000
    wrong = run("select", path, "-k", 1, "--max-memory", "much")
    assert wrong.exit_code == 2
    assert "a size such as 16GB" in wrong.stderr


def test_compare_and_apply_isolate_as_well(tmp_path: Path, run: Run) -> None:
    crash = CORPUS / "crash.mat"
    good = tmp_path / "d.mat"
    savemat(good, {"X": np.random.default_rng(0).normal(size=(9, 3))})
    model = tmp_path / "m.json"
    assert run("select", good, "-k", 1, "--save-model", model).exit_code == 0
    for arguments in (["compare", crash], ["apply", model, crash, "--out", tmp_path / "o.csv"]):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "crashes the library that reads it" in result.stderr


def test_pipes_in_a_streamed_folder_are_refused(tmp_path: Path, run: Run) -> None:
    pl.DataFrame({"a": [1.0, 2.0], "b": [2.0, 5.0]}).write_parquet(tmp_path / "1.parquet")
    os.mkfifo(tmp_path / "2.parquet")
    result = run("select", tmp_path, "-k", 1)
    assert result.exit_code == 2
    assert "is no regular file" in result.stderr


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: Path(path).symlink_to("/dev/zero")])
def test_a_model_that_is_no_file_is_refused(tmp_path: Path, run: Run, make: Any) -> None:
    model, table = tmp_path / "m.json", tmp_path / "d.csv"
    make(model)
    table.write_text("a,b\n1,2\n3,5\n")
    result = run("apply", model, table, "--out", tmp_path / "o.csv")
    assert result.exit_code == 2
    assert "is no regular file" in result.stderr
