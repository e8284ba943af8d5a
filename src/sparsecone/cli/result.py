"""The result of a selection: in words, as a table, as a picture, as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model_file import certificate_of
from .console import console, printable, say, show_table
from .outputs import finite_or_none

if TYPE_CHECKING:
    from ..datasets import Dataset
    from ..selectors.base import Selector
    from .evaluation import Evaluation

SHOWN = 10
BAR = 20
_ENDS = {
    "converged": "Converged in",
    "stalled": "Stalled after",
    "max_iter": "Stopped by max_iter after",
    "max_time": "Stopped by max_time after",
}


def show_result(
    selector: Selector,
    dataset: Dataset,
    names: Sequence[str],
    evaluation: Evaluation | None,
    files: Sequence[Path],
    shape: tuple[int, int] | None,
) -> None:
    """Print the best features, the certificate, and what was written."""
    n_samples, n_features = dataset.X.shape
    n_selected = selector.selected_.size
    say(f"{dataset.name}: {n_samples} samples, {n_features} features, {n_selected} selected.")
    best = selector.selected_[:SHOWN]
    scores = selector.scores_[best]
    rows = [
        (str(rank), printable(names[index], width=40), f"{score:.4g}", _bar(score, scores))
        for rank, (index, score) in enumerate(zip(best, scores, strict=True), start=1)
    ]
    more = n_selected - len(rows)
    caption = "The selected features" + (f", {more} more after these" if more else "")
    show_table(caption, ["rank", "feature", "score", ""], rows, numbers=["rank", "score"])
    if shape is not None:
        show_picture(selector.support_.reshape(shape))
    say(certificate_sentence(selector))
    if evaluation is not None:
        say(f"k-means on the selected features: {evaluation}.")
    if files:
        say(f"Written: {', '.join(printable(str(file)) for file in files)}")


def certificate_sentence(selector: Selector) -> str:
    """Return in one sentence how good the result is for certain."""
    certificate = certificate_of(selector)
    if certificate is None:
        return "This method gives no certificate: how far from optimal its result is, is not known."
    ended = _ENDS.get(certificate["status"], certificate["status"])
    how = (
        f"{ended} {certificate['seconds']:.2f} s ({certificate['solver']}, {certificate['n_iter']} "
        "iterations)"
    )
    if certificate["gap"] >= 1.0:
        return f"{how}, before there was a bound: how far from optimal the result is, is not known."
    # Rounded up, so that the sentence stays true.
    share = math.ceil(1e6 * certificate["gap"]) / 1e4
    return f"{how}: no selection matrix has an objective more than {share:g} % below this one."


def show_picture(mask: Any) -> None:
    """Print which pixels are selected, where the terminal is wide enough."""
    if 2 * mask.shape[1] + 2 > console.width:
        return
    say(f"The selected pixels (#) of the {mask.shape[0]} x {mask.shape[1]} image:")
    for row in mask:
        say("  " + " ".join("#" if pixel else "." for pixel in row))


def result_as_json(
    selector: Selector,
    dataset: Dataset,
    names: Sequence[str],
    evaluation: Evaluation | None,
    files: Sequence[Path],
) -> dict[str, Any]:
    """Return the result as plain values."""
    best = selector.selected_
    n_samples, n_features = dataset.X.shape
    return {
        "n_samples": n_samples,
        "n_features": n_features,
        "n_selected": best.size,
        "parameters": {
            name: value if isinstance(value, bool | int | float | str | None) else str(value)
            for name, value in selector.get_params(deep=False).items()
        },
        "certificate": certificate_of(selector),
        "evaluation": None if evaluation is None else vars(evaluation),
        "selected": [
            {"rank": rank, "feature": names[index], "index": int(index), "score": score}
            for rank, (index, score) in enumerate(
                zip(best, finite_or_none(selector.scores_[best]), strict=True), start=1
            )
        ],
        "files": [str(file) for file in files],
    }


def _bar(score: float, scores: Any) -> str:
    """Return a bar as long as a score is large beside the best one shown."""
    top = float(np.max(scores, initial=0.0))
    share = score / top if top > 0.0 and np.isfinite(score) else 0.0
    return "█" * round(BAR * max(0.0, share))
