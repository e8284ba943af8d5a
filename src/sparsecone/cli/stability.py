"""A selection on random halves of the rows: how far it is the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .console import working
from .fitting import warnings_as_remarks

if TYPE_CHECKING:
    from ..selectors.base import Selector
    from ..stability import Stability


def measure_stability(
    selector: Selector, X: Any, *, n_resamples: int, seed: int, threads: int
) -> Stability:
    """Select on random halves of the rows, with a sign of work on the terminal."""
    from threadpoolctl import threadpool_limits

    from ..stability import selection_stability

    with (
        working(f"Selecting on {n_resamples} subsamples"),
        threadpool_limits(limits=threads),
        warnings_as_remarks(),
    ):
        return selection_stability(selector, X, n_resamples=n_resamples, random_state=seed)


def stability_sentence(stability: Stability) -> str:
    """Return in one sentence how far the selections agree."""
    known = not math.isnan(stability.kuncheva)
    kuncheva = f"{stability.kuncheva:.2f}" if known else "not defined"
    return (
        f"Stability over {stability.n_resamples} random halves of the rows: Kuncheva index "
        f"{kuncheva}, Jaccard index {stability.jaccard:.2f}."
    )


def stability_as_json(stability: Stability) -> dict[str, Any]:
    """Return the agreement as plain values."""
    return {
        "n_resamples": stability.n_resamples,
        "kuncheva": None if math.isnan(stability.kuncheva) else float(stability.kuncheva),
        "jaccard": float(stability.jaccard),
    }
