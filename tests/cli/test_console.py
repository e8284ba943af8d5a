"""What the terminal shows."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np


def test_a_poor_terminal_shows_other_characters(small_table: Path) -> None:
    command = [sys.executable, "-m", "sparsecone", "select", small_table, "-m", "max-variance"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "????" in result.stdout


def test_progress_shows_the_gap_on_a_terminal(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    np.save(tmp_path / "d.npy", rng.standard_normal((300, 300)))
    screen, terminal = pty.openpty()
    command = [sys.executable, "-m", "sparsecone", "select", tmp_path / "d.npy", "--tol", "1e-8"]
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
