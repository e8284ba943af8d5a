"""Points in the plane, in a colour for each group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..linalg.types import Array
from .elements import dots, path
from .frame import WIDTH, framed
from .scales import linear_axis


@dataclass(frozen=True)
class Group:
    """Points of one kind: their class in CSS and their two coordinates."""

    kind: str
    points: Array


def scatter_chart(groups: Sequence[Group], *, label: str, height: int = 360) -> str:
    """Return a chart of points; `label` says what it shows to those who cannot see it."""
    everything = np.concatenate([group.points for group in groups])
    low, high = everything.min(axis=0), everything.max(axis=0)
    margin = 0.04 * (high - low)
    x_axis, y_axis = (
        linear_axis(float(a), float(b)) for a, b in zip(low - margin, high + margin, strict=True)
    )
    marks = [
        path(
            dots(
                WIDTH * x_axis.fraction(group.points[:, 0]),
                height * (1.0 - y_axis.fraction(group.points[:, 1])),
            ),
            f"points {group.kind}",
        )
        for group in groups
    ]
    return framed(marks, x_axis=x_axis, y_axis=y_axis, height=height, label=label)
