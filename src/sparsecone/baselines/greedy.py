"""What the methods share that choose one feature after the other."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..data import Rows, as_rows
from ..linalg.types import Array
from ..selectors.wishes import Wishes
from .base import Comparison


class GreedyComparison(Comparison):
    """Base of the methods whose criterion changes with every feature that is chosen.

    A subclass computes the order of the chosen features and the criterion of all; the ranking is
    that order, then the others by the criterion. The first h features are the same whatever number
    of them is asked for.
    """

    _accepted: ClassVar[dict[str, Any]] = {"dtype": np.float64, "accept_sparse": "csr"}

    def _select(self, X: Any) -> Self:
        samples = as_rows(X)
        if not samples.variances.any():
            raise ValueError("Every feature of X is constant: there is nothing to choose from.")
        wishes = Wishes.of(self, X.shape[1])
        chosen, scores = self._choose(samples, self._n_selected(X.shape[1]), wishes)
        self.n_iter_ = chosen.size
        is_other = np.ones(scores.size, dtype=bool)
        is_other[chosen] = False
        others = np.flatnonzero(is_other)
        by_score = others[np.argsort(-scores[others], kind="stable")]
        return self._keep(scores, np.concatenate([chosen, by_score]))

    @abstractmethod
    def _choose(
        self, samples: Rows, n_wanted: int, wishes: Wishes
    ) -> tuple[NDArray[np.intp], Array]:
        """Return the chosen features in order, at most `n_wanted`, and one score a feature."""
