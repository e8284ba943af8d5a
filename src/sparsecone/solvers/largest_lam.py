"""The lam from which on W = 0 is optimal, by Dinkelbach's method.

It is the largest ratio of `sparsecone.model.lambda_max`. The optimum for a lam that is a share e
smaller has a ratio that is larger than lam, and smaller than the largest one by O(e^2) only: its
direction is off by O(e), and the ratio is stationary. So steps of the factored solver, with a lam
that follows the ratio and a share that shrinks each time, come to it in about ten steps. Every
ratio on the way is a lam below which something is selected.
"""

from __future__ import annotations

import numpy as np

from ..linalg.types import Array
from ..model.closed_form import leading_factor
from ..model.data_term import Image
from ..model.lambda_max import ascended, ratio, single_feature
from ..model.problem import Problem
from .descent import Descent
from .row_step import VANISHING

# The relative accuracy of an exact limit, and of a rough one.
EXACTLY = 5e-5
ROUGHLY = 2e-3
# How far below the ratio lam is at first and at last, as a share of it, by how much that shrinks a
# step, and the longest search within the span after one: the next turns it in any case
# (benchmarks/path.py: two thirds of the time on digits, three quarters on PIE, of 0.35 and searches
# to their end, and as exact).
FIRST_SHARE = 0.5
LAST_SHARE = 1.5e-3
SHRINKING = 0.2
SEARCH = 4
MOST_STEPS = 20
# The smoothing of the column norms, as a part of their mean.
SMOOTHING = 2e-5
# Quasi-Newton steps that turn the span where a step of all rows does not.
TURNS = 5
# Directions that are followed, at least and at most, and how short those at first are that the
# closed form lacks: W may have more of them than eigenvalues exceed eta.
LEAST_DIRECTIONS, MOST_DIRECTIONS = 8, 64
SHORT = 1e-2


def largest_useful_lam(problem: Problem, accuracy: float = EXACTLY) -> float:
    """Return the largest lam for which something is selected, from below; not positive if none is.

    Parameters
    ----------
    problem : Problem
        Samples, loss and eta; its own lam does not matter.
    accuracy : float
        The relative error that is allowed, about.
    """
    if problem.samples.trace == 0.0:
        return 0.0
    if problem.eta <= 0.0 or problem.loss.recenter:
        # Nothing keeps the rank low.
        return ascended(problem, accuracy**2)
    free = problem.with_weights(lam=0.0, eta=problem.eta)
    L = leading_factor(free)[:, :MOST_DIRECTIONS]
    rank = L.shape[1]
    if rank == 0:
        return 0.0
    if rank < LEAST_DIRECTIONS:
        vectors = free.zero.curvature_spectrum(0.0, most=LEAST_DIRECTIONS).vectors
        L = np.column_stack([L, SHORT * vectors[:, rank:]])
    single = single_feature(problem)
    alone = ratio(problem, single)[0]
    search = Search(free, L)
    if search.lam < alone:
        search = Search(free, np.column_stack([single, L]))
    return max(search.run(accuracy), alone)


class Search:
    """Steps of the factored solver with a lam that follows the ratio.

    Parameters
    ----------
    problem : Problem
        The problem with lam = 0.
    L : ndarray of shape (n_features, rank)
        Where to start.
    """

    def __init__(self, problem: Problem, L: Array) -> None:
        self.problem, self.point = problem, problem.evaluate(L)
        self.lam, self.share = self._ratio(), FIRST_SHARE

    def run(self, accuracy: float) -> float:
        """Step until the ratio grows by less than the accuracy in two steps, and return it."""
        last_share = max(LAST_SHARE, np.sqrt(accuracy))
        before = [-np.inf, self.lam]
        for step in range(MOST_STEPS):
            self._step(turn=step > 0)
            self.lam = max(self.lam, self._ratio())
            small = self.lam - before[-2] <= 0.5 * accuracy * abs(self.lam)
            if self.lam <= 0.0 or (small and self.share <= last_share):
                break
            before.append(self.lam)
            self._shrink(max(SHRINKING * self.share, LAST_SHARE))
        return self.lam

    def _ratio(self) -> float:
        """Return the ratio at the point: for the squared loss its image is known."""
        point = self.point
        image = None if self.problem.loss.needs_rows else point.data.H
        return ratio(self.problem, point.L, image=image)[0]

    def _step(self, *, turn: bool) -> None:
        """Turn the span, and go to the best point in it."""
        lam = (1.0 - self.share) * max(self.lam, 0.0)
        problem = self.problem.with_weights(lam=lam, eta=self.problem.eta)
        point = self.point.under(problem)
        eps = SMOOTHING**2 * float(point.squared_scores.mean())
        descent = Descent(problem, point, eps, TURNS)
        # Directions that the closed form lacks are short until they have been turned.
        descent.vanishing = VANISHING
        if turn and lam > 0.0 and not descent.step_rows():
            for _ in range(TURNS):
                descent.step()
        descent.refine(SEARCH)
        self.point = descent.point

    def _shrink(self, share: float) -> None:
        """Take a smaller share: W is in proportion to it."""
        L, scale = self.point.L, np.sqrt(share / self.share)
        self.share = share
        if self.problem.loss.needs_rows:
            self.point = self.problem.evaluate(scale * L)
            return
        image = self.point.data.image
        scaled = Image(scale * image.values, scale * image.error)
        self.point = self.problem.evaluate(scale * L, image=scaled)
