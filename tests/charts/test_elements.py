"""The text of SVG elements."""

from __future__ import annotations

import re

import numpy as np

from sparsecone.charts.elements import dots, polyline


def coordinates(path: str) -> list[tuple[float, float]]:
    return [(float(a), float(b)) for a, b in re.findall(r"[ML]([-\d.]+) ([-\d.]+)", path)]


def test_paths_skip_what_a_screen_cannot_tell_apart() -> None:
    x = np.linspace(0.0, 1.0, 10_000)
    assert len(coordinates(polyline(x, x))) == 11
    assert dots(np.array([1.0, 1.01, 2.0]), np.array([3.0, 3.0, 3.0])) == "M1 3h0M2 3h0"
