"""The paper's algorithm run to its own end, to check the paper's numbers.

`solver="published"` of the selectors returns the best iterate. The algorithm is not one of descent
and its program returns the last, so that is what these selectors keep.

The release of CSPCA-PSD has eta where the derivative of the objective has eta / 2: it takes the
steps of the problem with twice the eta, but stops by the objective with the eta stated.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from ..certificate import certify
from ..losses import Loss, Robust, Squared
from ..problem import Point, Problem
from ..samples import as_samples
from ..selectors.base import Selector
from ..solution import Record, Solution, Status
from ..solvers.published import (
    ROBUST_SMOOTHING,
    Published,
    best_offset,
    next_weights,
    positive_part,
)


class PublishedRun(Selector):
    """Base of the paper's programs, in absolute units.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        None for half of the features, an int for their number, a float for their fraction.
    lam, eta : float, default=10
        The paper's own lambda and eta.
    random_state : int, RandomState instance or None, default=None
        Draws the start.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        As in every selector.
    solution_ : Solution
        The last iterate, with the objective after each step; never converged.
    lam_, eta_ : float
        The weights.
    n_iter_ : int
        Number of steps.
    seconds_ : float
        Time until the last step, without that of the certificate.
    """

    #: How many times the eta stated its steps have.
    eta_of_steps: ClassVar[float] = 1.0

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        lam: float = 10.0,
        eta: float = 10.0,
        random_state: Any = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.lam = lam
        self.eta = eta
        self.random_state = random_state

    @abstractmethod
    def _loss(self) -> Loss:
        """Return the loss of the model."""

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Run the program on X, an array of shape (n_samples, n_features)."""
        started = time.perf_counter()
        loss = self._loss()
        self.lam_, self.eta_ = self.lam, 0.0 if loss.recenter else self.eta
        problem = Problem(as_samples(X), loss, self.lam_, self.eta_)
        point, values = self._run(problem)
        self.seconds_ = time.perf_counter() - started
        self.n_iter_ = len(values)
        self.solution_ = Solution(
            factor=point.L,
            offset=point.v,
            scores=np.sqrt(point.squared_scores),
            value=point.value,
            bound=min(max(certify(point).bound, 0.0), point.value),
            status=Status.STALLED if self.n_iter_ < Published.max_iter else Status.MAX_ITER,
            solver=Published.name,
            n_iter=self.n_iter_,
            elapsed=self.seconds_,
            history=tuple(
                Record(Published.name, step, 0.0, value, 0.0)
                for step, value in enumerate(values, start=1)
            ),
        )
        return self._keep(self.solution_.scores)

    def _run(self, stated: Problem) -> tuple[Point, list[float]]:
        """Return the last iterate and the objective after each step."""
        stepped = replace(stated, eta=self.eta_of_steps * stated.eta)
        program = Published(random_state=self.random_state)
        weights = program._first_weights(stepped)
        values: list[float] = []
        rank = 8
        while True:
            L = positive_part(stepped, weights, rank)
            v = best_offset(stepped, L, weights) if stated.loss.recenter else None
            point, rank = stated.evaluate(L, v), L.shape[1]
            values.append(point.unsmoothed_value)
            settled = len(values) > 1 and abs(values[-2] - values[-1]) <= program.stop
            if settled or len(values) == program.max_iter:
                return point, values
            weights = next_weights(stepped, point)


class PublishedSPCAPSD(PublishedRun):
    """SPCA-PSD as published; see `PublishedRun`."""

    def _loss(self) -> Loss:
        return Squared()


class PublishedCSPCAPSD(PublishedRun):
    """CSPCA-PSD by the formulas of the paper; see `PublishedRun`."""

    def _loss(self) -> Loss:
        return Robust(ROBUST_SMOOTHING)


class ReleasedCSPCAPSD(PublishedCSPCAPSD):
    """CSPCA-PSD as its authors released it; see `PublishedRun`."""

    eta_of_steps = 2.0


class PublishedAWSPCAPSD(PublishedRun):
    """AW-SPCA-PSD as published; eta is not used. See `PublishedRun`."""

    def _loss(self) -> Loss:
        return Robust(ROBUST_SMOOTHING, recenter=True)
