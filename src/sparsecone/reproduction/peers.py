"""Feature selectors of other libraries, called through our interface.

skmatter chooses features one by one; skfeature (GPL-2) is called where it is installed, and is no
dependency of this package.
"""

from __future__ import annotations

from abc import abstractmethod
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..baselines.base import Baseline
from ..linalg.types import Array
from ..optional import require
from ..selectors.constraints import NUMBER_OR_FRACTION


class Peer(Baseline):
    """Base of the peers: they differ in the order of the features alone.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        A number of features, a fraction of them, or None for half.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": NUMBER_OR_FRACTION,
    }

    def __init__(self, *, n_features_to_select: int | float | None = None) -> None:
        self.n_features_to_select = n_features_to_select

    def _scores(self, X: Array) -> Array:
        """Order the features of X, centred; those that were not ordered follow as they stand."""
        first = np.asarray(self._first(X - X.mean(axis=0), self._n_selected(X.shape[1])))
        scores = np.zeros(X.shape[1])
        scores[first] = np.arange(len(first), 0, -1)
        return scores

    @abstractmethod
    def _first(self, X: Array, count: int) -> NDArray[np.intp]:
        """Return at least the first `count` features, best first."""


class _Skmatter(Peer):
    """A selector of skmatter with its defaults."""

    _name: ClassVar[str]

    def _first(self, X: Array, count: int) -> NDArray[np.intp]:
        module = require(
            "skmatter.feature_selection", purpose=f"The method {self._name}", install="skmatter"
        )
        fitted = getattr(module, self._name)(n_to_select=count).fit(X)
        return np.asarray(fitted.selected_idx_)


class CURFeatures(_Skmatter):
    """CUR: the feature of largest leverage, after the chosen ones are projected out."""

    _name = "CUR"


class FarthestFeatures(_Skmatter):
    """FPS: the feature farthest from the chosen ones; the first feature is the start."""

    _name = "FPS"


class _Skfeature(Peer):
    """A method of skfeature, on its graph of 5 neighbours by Euclidean distance.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        A number of features, a fraction of them, or None for half.
    n_clusters : int, default=5
        Number of clusters.
    """

    _name: ClassVar[str]
    # The norm of a feature's weights, one a cluster, that is its score.
    _norm: ClassVar[float] = 2
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **Peer._parameter_constraints,
        "n_clusters": [Integral],
    }

    def __init__(
        self, *, n_features_to_select: int | float | None = None, n_clusters: int = 5
    ) -> None:
        super().__init__(n_features_to_select=n_features_to_select)
        self.n_clusters = n_clusters

    def _first(self, X: Array, count: int) -> NDArray[np.intp]:
        module, graph = (
            require(
                f"skfeature.{part}",
                purpose=f"The method {self._name}",
                install="skfeature-chappers",
            )
            for part in (f"function.sparse_learning_based.{self._name}", "utility.construct_W")
        )
        affinity = graph.construct_W(
            X, metric="euclidean", neighbor_mode="knn", weight_mode="binary", k=5
        )
        method = getattr(module, self._name.lower())
        given = {"mode": "raw", "W": affinity, "n_clusters": self.n_clusters, **self._more(count)}
        scores = np.linalg.norm(np.asarray(method(X, **given)), ord=self._norm, axis=1)
        return np.argsort(-scores, kind="stable")

    def _more(self, count: int) -> dict[str, Any]:  # noqa: ARG002
        """Return further arguments of the method."""
        return {}


class MultiClusterFeatures(_Skfeature):
    """MCFS: the largest weight of a feature in sparse regressions on spectral clusters."""

    _name = "MCFS"
    _norm = np.inf

    def _more(self, count: int) -> dict[str, Any]:
        return {"n_selected_features": count}


class NonnegativeSpectralFeatures(_Skfeature):
    """NDFS: the norm of a feature's weights in a regression on non-negative spectral clusters."""

    _name = "NDFS"
