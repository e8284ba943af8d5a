"""Orders of features by our selections and by peers, for `selection.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone import SPCAPSD, RandomFeatures

NUMBERS = (50, 100)
Order = NDArray[np.intp]


def dense(X: Any) -> NDArray[np.float64]:
    X = X.toarray() if sp.issparse(X) else X
    return np.asarray(X - X.mean(axis=0))


def ours(selection: str) -> Callable[[Any], Order]:
    def order(X: Any) -> Order:
        return np.argsort(SPCAPSD(n_features_to_select=1, selection=selection).fit(X).ranking_)

    return order


def pivoted_qr(X: Any) -> Order:
    """Choose the column that is farthest from the span of the chosen ones."""
    left, chosen = dense(X), []
    for _ in range(min(max(NUMBERS), min(left.shape) - 1)):
        best = int(np.argmax(np.einsum("ij,ij->j", left, left)))
        unit = left[:, best] / np.linalg.norm(left[:, best])
        left -= np.outer(unit, unit @ left)
        chosen.append(best)
    return np.array(chosen)


def plain_greedy(X: Any) -> Order:
    """Choose the column whose projection explains most, without a ridge."""
    left, chosen = dense(X), []
    for _ in range(min(max(NUMBERS), min(left.shape) - 1)):
        own = np.einsum("ij,ij->j", left, left)
        told = np.einsum("ij,ij->j", left, (left @ left.T) @ left)
        gains = np.where(own > 1e-9 * own.max(), told / np.maximum(own, 1e-300), 0.0)
        best = int(np.argmax(gains))
        unit = left[:, best] / np.linalg.norm(left[:, best])
        left -= np.outer(unit, unit @ left)
        chosen.append(best)
    return np.array(chosen)


def skmatter(name: str) -> Callable[[Any], Order]:
    def order(X: Any) -> Order:
        from skmatter import feature_selection

        count = min(max(NUMBERS), min(X.shape) - 1)
        chosen = getattr(feature_selection, name)(n_to_select=count).fit(dense(X))
        return np.asarray(chosen.selected_idx_)

    return order


def random(X: Any) -> Order:
    return np.argsort(RandomFeatures(random_state=0).fit(X).ranking_)


METHODS: dict[str, Callable[[Any], Order]] = {
    "explained": ours("explained"),
    "diverse": ours("diverse"),
    "pivoted QR": pivoted_qr,
    "greedy": plain_greedy,
    "CUR": skmatter("CUR"),
    "FPS": skmatter("FPS"),
    "random": random,
}
