"""The calls that `methods.py` compares: of this package, and of the installable peers.

Both return the order of the features, best first. Ours are told what the peers have fixed: loops at
every sample, the first feature as the start of FPS, and for UDFS gamma as the ridge. Where
definitions are to be equal, MCFS follows the paths of scikit-learn's `Lars`, and NDFS starts from
k-means on the samples, with the same seed as the peer.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Order = NDArray[np.intp]
KNN = {"metric": "euclidean", "neighbor_mode": "knn", "weight_mode": "binary"}
EQUAL = {"path": "scikit-learn", "start": "samples"}


class Case(NamedTuple):
    """One measurement.

    `n_selected` is 0 for half of the features, `limit` in CPU seconds; `equal` asks for the peer's
    choices where a paper leaves one.
    """

    method: str
    n_samples: int = 0
    n_features: int = 0
    dataset: str = ""
    gamma: float = 0.0
    n_selected: int = 0
    with_peer: bool = True
    limit: int = 60
    equal: bool = False
    n_neighbors: int = 5


def ours(case: Case, n_clusters: int) -> Callable[[NDArray[np.float64]], Order]:
    """Return the call of this package."""
    import sparsecone

    name = {"LapScore": "LaplacianScore"}.get(case.method, case.method)
    selector = getattr(sparsecone, name)(n_features_to_select=case.n_selected or None)
    given: dict[str, Any] = {
        "n_clusters": n_clusters,
        "self_loops": True,
        "random_state": 0,
        "n_neighbors": case.n_neighbors,
    }
    if case.method == "FPS":
        given["start"] = 0
    if case.equal:
        given |= EQUAL
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
        return lambda X: np.argsort(score(X, W=_graph(X, case), mode="raw"), kind="stable")
    method = getattr(
        _skfeature(f"function.sparse_learning_based.{case.method}"), case.method.lower()
    )

    def order(X: NDArray[np.float64]) -> Order:
        given: dict[str, Any] = {"mode": "raw", "n_clusters": n_clusters}
        if case.method == "UDFS":
            given |= {"gamma": case.gamma, "k": case.n_neighbors}
        else:
            given["W"] = _graph(X, case)
        if case.method == "MCFS":
            given["n_selected_features"] = case.n_selected or X.shape[1] // 2
        # The peer has no parameter for the seed of its k-means.
        np.random.seed(0)  # noqa: NPY002
        norm = np.inf if case.method == "MCFS" else 2
        return np.argsort(-np.linalg.norm(method(X, **given), ord=norm, axis=1), kind="stable")

    return order


def _graph(X: NDArray[np.float64], case: Case) -> Any:
    graph = _skfeature("utility.construct_W").construct_W(X, k=case.n_neighbors, **KNN)
    return graph.toarray() if case.method == "SPEC" else graph


def _skfeature(part: str) -> Any:
    return import_module(f"skfeature.{part}")
