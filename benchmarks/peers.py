"""The calls that `methods.py` compares: of this package, and of the installable peers.

Both return the order of the features, best first. Ours are told what the peers have fixed: loops at
every sample, the first feature as the start of FPS, and for UDFS gamma as the ridge. The peer of
MCFS calls scikit-learn's `Lars`, which turns a feature round where its coefficient changes sign: at
its end the chosen features are not equally correlated with the residual, and selections differ.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Order = NDArray[np.intp]
KNN = {"metric": "euclidean", "neighbor_mode": "knn", "weight_mode": "binary", "k": 5}


class Case(NamedTuple):
    """One measurement.

    `n_selected` is 0 for half of the features, `limit` in CPU seconds; `by_our_path` has the peer
    follow our least angle regression, on its own graph and embedding.
    """

    method: str
    n_samples: int = 0
    n_features: int = 0
    dataset: str = ""
    gamma: float = 0.0
    n_selected: int = 0
    with_peer: bool = True
    limit: int = 60
    by_our_path: bool = False


def ours(case: Case, n_clusters: int) -> Callable[[NDArray[np.float64]], Order]:
    """Return the call of this package."""
    import sparsecone

    name = {"LapScore": "LaplacianScore"}.get(case.method, case.method)
    selector = getattr(sparsecone, name)(n_features_to_select=case.n_selected or None)
    given: dict[str, Any] = {
        "n_clusters": n_clusters,
        "self_loops": True,
        "random_state": 0,
        "start": 0,
    }
    if case.gamma:
        given |= {"gamma": case.gamma, "mu": case.gamma}
    known = selector.get_params()
    selector.set_params(**{key: value for key, value in given.items() if key in known})
    return lambda X: np.argsort(selector.fit(X).ranking_)


def peer(case: Case, n_clusters: int) -> Callable[[NDArray[np.float64]], Order]:
    """Return the call of skmatter or scikit-feature, with its own stopping rule."""
    if case.method in ("CUR", "FPS"):
        chooser = getattr(import_module("skmatter.feature_selection"), case.method)
        return lambda X: np.asarray(
            chooser(n_to_select=case.n_selected or X.shape[1] // 2).fit(X).selected_idx_
        )
    if case.method in ("LapScore", "SPEC"):
        name = {"LapScore": "lap_score"}.get(case.method, case.method)
        score = getattr(_skfeature(f"function.similarity_based.{name}"), name.lower())
        return lambda X: np.argsort(score(X, W=_graph(X, case.method), mode="raw"), kind="stable")
    method = getattr(
        _skfeature(f"function.sparse_learning_based.{case.method}"), case.method.lower()
    )

    if case.by_our_path:
        _skfeature("function.sparse_learning_based.MCFS").linear_model = SimpleNamespace(
            Lars=_OurPath
        )

    def order(X: NDArray[np.float64]) -> Order:
        given: dict[str, Any] = {"mode": "raw", "n_clusters": n_clusters}
        if case.method == "UDFS":
            given |= {"gamma": case.gamma, "k": 5}
        else:
            given["W"] = _graph(X, case.method)
        if case.method == "MCFS":
            given["n_selected_features"] = case.n_selected or X.shape[1] // 2
        norm = np.inf if case.method == "MCFS" else 2
        return np.argsort(-np.linalg.norm(method(X, **given), ord=norm, axis=1), kind="stable")

    return order


class _OurPath:
    """Our least angle regression in the place of scikit-learn's."""

    def __init__(self, n_nonzero_coefs: int) -> None:
        self.n_steps = n_nonzero_coefs

    def fit(self, X: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """Keep the coefficients at the end of the path."""
        from sparsecone.baselines.projections.least_angle import least_angle_ends

        X, y = X - X.mean(axis=0), y - y.mean()
        n_steps = min(self.n_steps, len(X) - 1, X.shape[1])
        self.coef_ = least_angle_ends(X, y[:, None], n_steps)[0][:, 0]


def _graph(X: NDArray[np.float64], method: str) -> Any:
    graph = _skfeature("utility.construct_W").construct_W(X, **KNN)
    return graph.toarray() if method == "SPEC" else graph


def _skfeature(part: str) -> Any:
    return import_module(f"skfeature.{part}")
