"""A loss of one's own: Huber's, quadratic for small residuals and linear for large ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sparsecone import CSPCAPSD
from sparsecone.data import Samples
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.solvers import Plan, make_plan

Array = NDArray[Any]


@dataclass(frozen=True)
class Huber(Robust):
    """phi(t) = t^2 / (2 k) up to the knee k, t - k / 2 beyond it; `delta` is the knee."""

    def value(self, squared_residuals: Array) -> float:
        """Return the sum of phi."""
        t, k = np.sqrt(squared_residuals), self.delta
        return float(np.where(t <= k, squared_residuals / (2.0 * k), t - 0.5 * k).sum())

    def weights(self, squared_residuals: Array) -> Array:
        """Return omega = phi'(t) / t."""
        return np.asarray(1.0 / np.maximum(np.sqrt(squared_residuals), self.delta))

    def dual_value(self, inner: float, squared_lengths: Array, scale: float) -> float:
        """Return <A, X'> less the conjugate, k |a_i|^2 / 2 for |a_i| <= 1."""
        return scale * inner - 0.5 * self.delta * scale**2 * float(squared_lengths.sum())


class HuberPCA(CSPCAPSD):
    """CSPCA-PSD with Huber's loss, its knee at the median distance from the mean."""

    def _loss(self, samples: Samples) -> Huber:
        return Huber(float(np.sqrt(np.median(samples.squared_norms))))

    def _plan(self, problem: Problem) -> Plan:
        return make_plan(problem, "factored")
