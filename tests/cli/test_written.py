"""What is said of outputs when a command ends early, and what it leaves behind."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

WAITING = """
import signal, sys, time
from sparsecone import model_file
from sparsecone.cli import main
signal.signal(signal.SIGINT, signal.default_int_handler)
def slow(*arguments, **options):
    print("writing", flush=True)
    time.sleep(60)
# The ranking is a draft by then.
model_file.json.dumps = slow
main()
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_signals_leave_no_drafts(
    small_table: Path, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    options = ["--out", tmp_path / "r.csv", "--save-model", tmp_path / "m.json"]
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, "select", small_table, "-k", "1", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == code
    assert list(tmp_path.iterdir()) == [small_table]


def test_a_disk_that_fails_between_two_files_names_the_first(
    run: Any, small_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace, ranking, model = Path.replace, tmp_path / "r.csv", tmp_path / "m.json"

    def fail_on_csv(draft: Path, target: Path) -> Path:
        if target == ranking:
            raise OSError(errno.ENOSPC, "No space left on device", str(target))
        return replace(draft, target)

    monkeypatch.setattr(Path, "replace", fail_on_csv)
    result = run("select", small_table, "-k", 1, "--out", ranking, "--save-model", model)
    assert result.exit_code == 2
    assert f"Written so far: {model}: check the disk" in result.stderr
    assert model.exists()
    assert not ranking.exists()


def test_an_interrupt_after_the_files_names_them(
    run: Any, small_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sparsecone.cli.selecting.show_result", interrupt)
    ranking = tmp_path / "r.csv"
    result = run("select", small_table, "-k", 1, "--out", ranking)
    assert result.exit_code == 130
    assert result.stderr.endswith(f"Interrupted: written so far: {ranking}.\n")
    assert run("select", small_table, "-k", 1).stderr.endswith("nothing was written.\n")
