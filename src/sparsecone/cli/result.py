"""The result of a selection: in words, as a table, as a picture, as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model_file import certificate_of, finite_or_none
from ..selectors.reasons import reason_of, verdict_of
from .console import console, printable, say, show_table
from .sizes import SizedSelection, shares_of, show_sizes, sizes_as_json
from .stability import stability_as_json, stability_sentence

if TYPE_CHECKING:
    from ..path import Path as LamPath
    from ..selectors.base import Selector
    from ..stability import Stability
    from .evaluation import Evaluation

SHOWN = 10
BAR = 20
_ENDS = {
    "converged": "Converged in",
    "estimated": "Estimated in",
    "stalled": "Stalled after",
    "max_iter": "Stopped by max_iter after",
    "max_time": "Stopped by max_time after",
}


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What there is to tell of a selection, beside the selector."""

    name: str
    n_samples: int
    names: Sequence[str]  #: Names of the features.
    timings: Mapping[str, float]  #: Seconds of each phase.
    #: Rows and columns of the images whose pixels are the features.
    shape: tuple[int, int] | None = None
    evaluation: Evaluation | None = None  #: The selection against the classes.
    stability: Stability | None = None  #: The selection on subsamples.
    lam_path: LamPath | None = None  #: The solutions over a grid of lam.
    #: Why features that were asked about are selected or left out.
    reasons: Mapping[str, str] = field(default_factory=dict)
    #: The selections of several sizes, where more than one was asked for.
    sizes: Sequence[SizedSelection] = ()


def show_result(selector: Selector, outcome: Outcome, files: Sequence[Path]) -> None:
    """Print the best features, the certificate, and what was written."""
    names, n_selected = outcome.names, selector.selected_.size
    say(
        f"{printable(outcome.name)}: {outcome.n_samples} samples, {len(names)} features, "
        f"{n_selected} selected."
    )
    best = selector.selected_[:SHOWN]
    scores = selector.scores_[best]
    rows = [
        (str(rank), printable(names[index], width=40), f"{score:.4g}", _bar(score, scores))
        for rank, (index, score) in enumerate(zip(best, scores, strict=True), start=1)
    ]
    more = n_selected - len(rows)
    caption = "The selected features" + (f", {more} more after these" if more else "")
    show_table(caption, ["rank", "feature", "score", ""], rows, numbers=["rank", "score"])
    if outcome.sizes:
        show_sizes(outcome.sizes)
    if outcome.shape is not None:
        show_picture(selector.support_.reshape(outcome.shape))
    say(certificate_sentence(selector))
    verdict = verdict_of(selector)
    if verdict:
        say(verdict)
    reason = reason_of(selector)
    if reason:
        say(reason, style="dim")
    if outcome.evaluation is not None:
        say(f"k-means on the selected features: {outcome.evaluation}.")
    if outcome.stability is not None:
        say(stability_sentence(outcome.stability))
    if outcome.lam_path is not None:
        lams, counts = outcome.lam_path.relative_lams, outcome.lam_path.n_nonzero
        say(
            f"Along {lams.size} weights lam from {lams[-1]:.3g} to {lams[0]:.3g}, "
            f"{counts.min()} to {counts.max()} features have a score."
        )
    for sentence in outcome.reasons.values():
        say(printable(sentence))
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


def result_as_json(selector: Selector, outcome: Outcome, files: Sequence[Path]) -> dict[str, Any]:
    """Return the result as plain values."""
    best = selector.selected_
    evaluation, stability = outcome.evaluation, outcome.stability
    share, ceiling = shares_of(selector, best.size)
    return {
        "timings": dict(outcome.timings),
        "n_samples": outcome.n_samples,
        "n_features": len(outcome.names),
        "n_selected": best.size,
        "parameters": {
            name: value if isinstance(value, bool | int | float | str | None) else str(value)
            for name, value in selector.get_params(deep=False).items()
        },
        "certificate": certificate_of(selector),
        "explained": None if share is None else {"share": share, "ceiling": ceiling},
        "reason": reason_of(selector) or None,
        "evaluation": None if evaluation is None else vars(evaluation),
        "stability": None if stability is None else stability_as_json(stability),
        "reasons": dict(outcome.reasons),
        "sizes": sizes_as_json(outcome.sizes, outcome.names),
        "selected": [
            {"rank": rank, "feature": outcome.names[index], "index": int(index), "score": score}
            | ({} if stability is None else {"frequency": float(stability.frequencies[index])})
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
