"""A solver of one's own: gradient descent on the factor, with the step of Barzilai and Borwein."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sparsecone.certificate import certify
from sparsecone.model.closed_form import closed_form
from sparsecone.model.problem import Point, Problem
from sparsecone.solvers import Iterate


@dataclass(frozen=True)
class Descent:
    """Gradient descent with smoothed column norms.

    Parameters
    ----------
    every : int
        Steps from one bound to the next: a bound costs an eigenproblem.
    """

    every: int = 25
    name: ClassVar[str] = "descent"
    exact: ClassVar[bool] = True
    max_iter: ClassVar[int] = 5000

    def iterate(
        self, problem: Problem, *, tol: float, start: Point | None = None
    ) -> Iterator[Iterate]:
        """Yield a point a step, with a bound now and then; who stops is `solve`."""
        point = closed_form(problem) if start is None else start
        d = problem.samples.n_features
        eps = (0.1 * tol * point.value / (max(problem.lam, 1e-300) * d)) ** 2
        point = problem.evaluate(point.L, eps=eps)
        gradient, step = point.gradient, 1e-2 / problem.samples.trace
        for count in range(1, self.max_iter):
            moved = problem.evaluate(point.L - step * gradient, eps=eps)
            change, turn = moved.L - point.L, moved.gradient - gradient
            point, gradient = moved, gradient + turn
            step = float(abs(np.vdot(change, turn)) / np.vdot(turn, turn))
            checked = count % self.every == 0
            yield Iterate(point, certify(point).bound if checked else -np.inf)
