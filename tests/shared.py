"""Reference data, found beside the checkout or through SPARSECONE_DATA; tests skip without it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray


def folder(name: str) -> Path:
    """Return the folder `data` or `golden`, or skip the test that asks."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    given = os.environ.get("SPARSECONE_DATA")
    candidates = [Path(given), Path(given).parent / name] if given else []
    for path in [*candidates, beside / name]:
        if path.name == name and path.is_dir():
            return path
    pytest.skip(f"reference folder '{name}' not found: set SPARSECONE_DATA to the data folder")


def load(dataset: str) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Return X (as float64) and y of a reference data set."""
    with np.load(folder("data") / f"{dataset}.npz") as file:
        return file["X"].astype(np.float64), file["y"]


def golden(name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a reference run."""
    with np.load(folder("golden") / f"{name}.npz") as file:
        return dict(file)
