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


def test_help_starts_at_once_and_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['sparsecone', '--help']; from sparsecone.cli import main\n"
        "try: main()\nexcept SystemExit: print('modules', *sys.modules)"
    )
    # Beneath coverage the children of tests are measured, and slower.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    seconds = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = subprocess.check_output([sys.executable, "-c", code], env=plain, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    loaded = set(output.rpartition("modules")[2].split())
    assert not {"numpy", "sklearn", "scipy", "polars", "h5py", "jinja2"} & loaded
    assert min(seconds) < 0.5
