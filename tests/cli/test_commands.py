"""The other commands, how fast the command starts, and how it says what it is."""

from __future__ import annotations

import json
import os
import pty
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import anndata
import numpy as np
import polars as pl
import pytest
from scipy import sparse

import sparsecone
from sparsecone import MaxVariance
from sparsecone.metrics import reconstruction_error
from sparsecone.registry import methods

from shared import folder


def test_compare_measures_every_method(run: Any, small_table: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.csv"
    arguments = ("--methods", "max-variance, spca-psd,random", "-k", 2, "--label", "kind")
    result = run("compare", small_table, *arguments, "--json", "--out", out)
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert [row["method"] for row in rows] == ["max-variance", "spca-psd", "random"]
    X = pl.read_csv(small_table).drop("kind").to_numpy()
    selected = MaxVariance(n_features_to_select=2).fit(X).selected_
    explained = 100 * (1 - reconstruction_error(X, selected))
    assert rows[0]["explained"] == pytest.approx(explained)
    assert [row["overlap"] for row in rows[:2]] == [100.0, 100.0]
    assert rows[2]["overlap"] < 100.0
    assert rows[0]["acc"] == rows[1]["acc"] > rows[2]["acc"]
    assert pl.read_csv(out)["nmi"].to_list() == pytest.approx([row["nmi"] for row in rows])
    shown = run("compare", small_table, *arguments).stdout
    assert all(word in shown for word in ("max-variance", "explained", "overlap", "ACC", "NMI"))


def test_a_method_that_fails_is_a_row(run: Any, tmp_path: Path) -> None:
    counts = sparse.random(30, 40, density=0.3, format="csr", random_state=0)
    anndata.AnnData(X=counts).write_h5ad(tmp_path / "c.h5ad")
    arguments = ("compare", tmp_path / "c.h5ad", "-k", 5, "--methods", "rne,spca-psd")
    result = run(*arguments, "--json")
    assert result.exit_code == 1
    failed, done = json.loads(result.stdout)
    assert "sparse" in failed["failure"].lower()
    assert 0.0 < done["explained"] < 100.0
    shown = run(*arguments)
    assert "failed" in shown.stdout
    assert "rne: " in shown.stderr


def test_no_method_at_all_is_refused(run: Any, small_table: Path) -> None:
    result = run("compare", small_table, "--methods", ",")
    assert result.exit_code == 2
    assert "--methods names none" in result.stderr


def test_a_poor_terminal_shows_other_characters(small_table: Path) -> None:
    command = [sys.executable, "-m", "sparsecone", "select", small_table, "-m", "max-variance"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "????" in result.stdout


def test_methods_lists_all(run: Any) -> None:
    listed = json.loads(run("methods", "--json").stdout)
    assert [method["name"] for method in listed] == [method.name for method in methods()]
    shown = run("methods").stdout
    assert all(method.name in shown for method in methods())


def test_datasets(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    data = folder("data")
    monkeypatch.setenv("SPARSECONE_DATA", str(data))
    listed = {info["name"]: info for info in json.loads(run("datasets", "list", "--json").stdout)}
    assert listed["allaml"]["available"]
    assert not listed["imm40"]["available"]
    assert "by hand" in run("datasets", "list").stdout
    assert "7129" in run("datasets", "info", "ALLAML").stdout
    about = json.loads(run("datasets", "info", "allaml", "--json").stdout)
    assert run("datasets", "fetch", "allaml").stdout.strip() == about["file"]
    for arguments, message in [
        (("info", "nowhere"), "There is no data set 'nowhere'"),
        (("fetch", "imm40"), "No public address of Imm40 is known"),
    ]:
        result = run("datasets", *arguments)
        assert result.exit_code == 2
        assert message in result.stderr


def test_demo_compares_and_reports(
    run: Any, reports: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("demo")
    assert result.exit_code == 0, result.output
    assert "1797 samples, 64 pixels, 16 selected" in result.stdout
    assert result.stdout.count("#") == 17
    assert "Written: sparsecone-demo.html" in result.stdout
    (page,) = reports
    assert page["image_shape"] == (8, 8)
    labels, accuracies, _, information = zip(*page["evaluation"], strict=True)
    assert labels == ("SPCA-PSD", "Highest variance", "Random subset")
    assert min(accuracies[:2]) > accuracies[2]
    assert information[0] > information[1] > information[2]
    assert run("demo", "--report", tmp_path / "nowhere" / "d.html").exit_code == 2


def test_version_and_help(run: Any) -> None:
    assert run("--version").stdout == f"sparsecone {sparsecone.__version__}\n"
    for command in ("select", "apply", "compare", "methods", "demo", "reproduce"):
        page = " ".join(run(command, "--help").stdout.split())
        assert "130 interrupted by Ctrl-C" in page
    assert "--show-completion" in run("--help").stdout


def test_the_shell_completes_methods() -> None:
    words = {"COMP_WORDS": "sparsecone select x.csv --method sp", "COMP_CWORD": "4"}
    environment = os.environ | words | {"_SPARSECONE_COMPLETE": "complete_bash"}
    code = "import sys; sys.argv = ['sparsecone']; from sparsecone.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert result.stdout.split() == ["spca-psd", "spcafs"]


def test_help_starts_at_once_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['sparsecone', '--help']; from sparsecone.cli import main\n"
        "try: main()\nexcept SystemExit: print('modules', *sys.modules)"
    )
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.check_output([sys.executable, "-c", code], text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    loaded = set(output.rpartition("modules")[2].split())
    assert not {"numpy", "sklearn", "scipy", "polars", "h5py", "jinja2"} & loaded
    assert min(seconds) < 0.5


def test_progress_shows_the_gap_on_a_terminal(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "d.npy", rng.standard_normal((300, 300)))
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "sparsecone", "select", tmp_path / "d.npy", "--tol", "1e-9"]
    process = subprocess.Popen(
        [*command, "--max-time", "2", "--json"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "120"},
    )
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(screen, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(screen)
    out, _ = process.communicate(timeout=60)
    json.loads(out)
    assert b"Reading d.npy" in shown
    assert b"SPCA-PSD: " in shown
    assert b"iteration" in shown
    assert b"gap " in shown
