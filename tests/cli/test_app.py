"""The command itself: its version, its help, and how fast it starts."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from typing import Any

import sparsecone


def test_version_and_help(run: Any) -> None:
    assert run("--version").stdout == f"sparsecone {sparsecone.__version__}\n"
    for command in ("select", "apply", "compare", "methods", "demo", "reproduce"):
        page = " ".join(run(command, "--help").stdout.split())
        assert "130 interrupted by Ctrl-C" in page
    assert "--show-completion" in run("--help").stdout


OURS = """
import sys; sys.argv = ['sparsecone', '--help']; from sparsecone.cli import main
try: main()
except SystemExit: print('modules', *sys.modules)
"""
# The help of a command with nothing to it: what typer and rich take by themselves.
LEAST = """
import sys, typer; sys.argv = ['least', '--help']; app = typer.Typer()
@app.command()
def one(number: int = 1): ...
@app.command()
def other(number: int = 1): ...
try: app()
except SystemExit: print()
"""


def started(code: str) -> tuple[float, str]:
    """Return the processor seconds of a child that runs some code, and its output."""
    # Beneath coverage the children of tests are measured, and slower.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.check_output([sys.executable, "-c", code], env=plain, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, output


def test_help_starts_at_once_and_imports_nothing_heavy() -> None:
    runs = [(started(OURS), started(LEAST)) for _ in range(3)]
    loaded = set(runs[0][0][1].rpartition("modules")[2].split())
    assert not {"numpy", "sklearn", "scipy", "polars", "h5py", "jinja2"} & loaded
    assert min(ours for (ours, _), _ in runs) < 1.5 * min(least for _, (least, _) in runs)
