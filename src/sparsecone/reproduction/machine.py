"""What a row says about the machine it was made on."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


@cache
def machine_info() -> dict[str, str | int]:
    """Return processor, system and the versions that decide about numbers and times."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "threads": 1,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in ("numpy", "scipy", "scikit-learn", "sparsecone")},
    }


def _processor() -> str:
    """Return the model of the processor; Linux tells it in a file only."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
