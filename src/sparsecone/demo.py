"""The main job on data that come with scikit-learn, shown in the terminal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

from .metrics import evaluate_selection, reconstruction_error
from .selectors import SPCAPSD, MaxVariance, RandomFeatures

N_FEATURES = 16


def demo() -> str:
    """Select 16 of the 64 pixels of the handwritten digits; return the report as text."""
    X, y = load_digits(return_X_y=True)
    selector = SPCAPSD(n_features_to_select=N_FEATURES).fit(X)
    solution = selector.solution_
    selections = {
        "SPCA-PSD": selector.selected_,
        "highest variance": MaxVariance(n_features_to_select=N_FEATURES).fit(X).selected_,
        "random": RandomFeatures(n_features_to_select=N_FEATURES, random_state=0).fit(X).selected_,
    }
    lines = [
        f"Handwritten digits: {X.shape[0]} samples, {X.shape[1]} pixels, {N_FEATURES} selected.",
        f"{solution.status} in {solution.elapsed:.2f} s ({solution.solver}): no selection matrix "
        f"has an objective more than {100 * solution.gap:.4f} % below this one.",
        "",
        "method              k-means accuracy    variance explained",
        *(_row(X, y, name, selected) for name, selected in selections.items()),
        "",
        "The selected pixels (#) of the 8 x 8 image:",
        *_picture(selector.support_.reshape(8, 8)),
    ]
    return "\n".join(lines)


def _row(X: NDArray[Any], y: NDArray[Any], name: str, selected: NDArray[Any]) -> str:
    (score,) = evaluate_selection(X, y, selected, n_features=[N_FEATURES], random_state=0)
    explained = 100.0 * (1.0 - reconstruction_error(X, selected))
    return f"{name:18s}  {score.acc_mean:5.1f} +- {score.acc_std:3.1f} %      {explained:5.1f} %"


def _picture(mask: NDArray[np.bool_]) -> list[str]:
    return ["  " + " ".join("#" if pixel else "." for pixel in row) for row in mask]
