"""What a row says about the program and the machine that made it."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from .. import __version__

#: What differs between two runs on the same machine with the same program.
MOMENT = ("started", "load")


def machine_info() -> dict[str, Any]:
    """Return processor, system, versions, and the moment: UTC time and load of the machine."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {**_lasting(), "started": now, "load": _load()}


@cache
def _lasting() -> dict[str, Any]:
    """Return what stays the same while the program runs."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "threads": 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
        "sparsecone": __version__,
        "commit": commit_of(Path(__file__).parents[3]),
        "blas": _blas(),
    }


def commit_of(root: Path) -> str | None:
    """Return the commit that a checkout of the library is at, None for an installed one."""
    git = root / ".git"
    if not (root / "src" / "sparsecone").is_dir():
        return None
    try:
        if git.is_file():
            # A further working tree: the file says where the rest is.
            git = root / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref:"):
            return head
        return _commit_of_branch(git, head.removeprefix("ref:").strip())
    except OSError:
        return None


def _commit_of_branch(git: Path, branch: str) -> str | None:
    """Return the commit of a branch, which has a file of its own or a line in a shared one."""
    shared = git / "commondir"
    common = git / shared.read_text(encoding="utf-8").strip() if shared.is_file() else git
    if (common / branch).is_file():
        return (common / branch).read_text(encoding="utf-8").strip()
    lines = (common / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.split()[0] for line in lines if line.endswith(f" {branch}")), None)


def _blas() -> str:
    """Return names and versions of the libraries that NumPy and SciPy multiply matrices with.

    Those that other packages bring with them have no part in a row.
    """
    built = [package.show_config(mode="dicts") for package in (np, scipy)]
    found = [config["Build Dependencies"]["blas"] for config in built]
    return ", ".join(sorted({f"{blas['name']} {blas['version']}" for blas in found}))


def _load() -> float | None:
    """Return how many processes were running or waiting, mean of the last minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _processor() -> str:
    """Return the model of the processor; Linux tells it in a file only."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
