"""The samples as the selected features see them: their first two principal components."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..charts import Group, scatter_chart
from ..charts.names import shortened
from ..data import as_rows
from ..linalg.types import Array
from .inputs import Inputs

#: Points that are drawn; classes that have a colour of their own.
MOST_POINTS = 2000
MOST_CLASSES = 10


@dataclass(frozen=True)
class Preview:
    """The section of the preview; `legend` has the CSS class and the name of each group."""

    chart: str
    legend: list[tuple[str, str]]
    shares: tuple[float, float]
    n_shown: int


def preview_of(inputs: Inputs) -> Preview | None:
    """Return the samples in two components, or None where nothing varies."""
    points, shares = components(inputs.columns(inputs.selected))
    if points is None:
        return None
    rows = np.arange(len(points))
    if rows.size > MOST_POINTS:
        rows = np.sort(np.random.default_rng(0).choice(rows, MOST_POINTS, replace=False))
    labels = None if inputs.labels is None else np.asarray(inputs.labels)[rows]
    groups, legend = _groups(points[rows], labels)
    chart = scatter_chart(
        groups, label="The samples in the first two principal components of the selected features."
    )
    return Preview(chart, legend, shares, rows.size)


def components(columns: Any) -> tuple[Array | None, tuple[float, float]]:
    """Return the first two principal components and their shares of the variance.

    Sparse columns are centred implicitly. Where there is one component only, the other is zero;
    where nothing varies there is none.
    """
    largest = abs(columns).max()
    if largest == 0.0:
        return None, (0.0, 0.0)
    samples = as_rows(columns / largest)
    found = samples.leading(0.0, most=2)
    if samples.trace <= 0.0 or not found.values.size:
        return None, (0.0, 0.0)
    points = np.zeros((samples.n_samples, 2))
    points[:, : found.values.size] = largest * samples.project(found.vectors)
    shares = np.append(found.values / samples.trace, 0.0)
    return points, (float(shares[0]), float(shares[1]))


def _groups(points: Array, labels: Array | None) -> tuple[list[Group], list[tuple[str, str]]]:
    """Return one group for each of the most frequent classes, and one for all the others."""
    if labels is None:
        return [Group("class-0", points)], []
    # Numbers are sorted as numbers, anything else as it is written.
    known = labels if labels.dtype.kind in "biuf" else labels.astype(str)
    classes, which, counts = np.unique(known, return_inverse=True, return_counts=True)
    frequent = np.sort(np.argsort(-counts, kind="stable")[:MOST_CLASSES])
    groups = [Group(f"class-{k}", points[which == c]) for k, c in enumerate(frequent)]
    legend = [(f"class-{k}", shortened(str(classes[c]), 30)) for k, c in enumerate(frequent)]
    others = ~np.isin(which, frequent)
    if others.any():
        groups.insert(0, Group("class-other", points[others]))
        legend.append(("class-other", f"{classes.size - frequent.size:,} other classes"))
    return groups, legend
