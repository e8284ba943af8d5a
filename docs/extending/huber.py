"""A loss of one's own: Huber's, quadratic for small residuals and linear for large ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sparsecone import CSPCAPSD
from sparsecone.data import Data, Rows, Terms
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Problem
from sparsecone.solvers import Plan, make_plan


@dataclass(frozen=True)
class Huber(Robust):
    """phi(t) = t^2 / (2 k) up to the knee k, t - k / 2 beyond it; `delta` is the knee."""

    def value(self, squared_residuals: Array) -> float:
        """Return the sum of phi."""
        t, k = np.sqrt(squared_residuals), self.delta
        return float(np.where(t <= k, squared_residuals / (2.0 * k), t - 0.5 * k).sum())

    def smooth_value(self, squared_residuals: Array) -> float:
        """Return the same: the loss has no kink that a solver would smooth."""
        return self.value(squared_residuals)

    def weights(self, squared_residuals: Array) -> Array:
        """Return omega = phi'(t) / t."""
        return np.asarray(1.0 / np.maximum(np.sqrt(squared_residuals), self.delta))

    def conjugate(self, squared_lengths: Array) -> float:
        """Return the sum of phi*, k |a_i|^2 / 2 for |a_i| <= 1."""
        return 0.5 * self.delta * float(squared_lengths.sum())


def norms(rows: Rows) -> Terms:
    """Return the distances of a block of rows from the mean."""
    return Terms(rowwise=(np.sqrt(rows.squared_norms),))


class HuberPCA(CSPCAPSD):
    """CSPCA-PSD with Huber's loss, its knee at the median distance from the mean."""

    def _loss(self, data: Data) -> Huber:
        return Huber(float(np.median(data.collect(norms).rowwise[0])))

    def _plan(self, problem: Problem) -> Plan:
        return make_plan(problem, "factored")
