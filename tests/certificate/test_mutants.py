"""Every mutant of the certificate is caught: it gives some problem a bound above its optimum.

A test that no change of the certificate can break proves nothing. Each of `MUTANTS` makes one
mistake in it; the bounds at a fixed set of points of the three models must show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sparsecone.certificate.certify import certify, excess_of
from sparsecone.certificate.dual_point import Bound, Excess, Multipliers
from sparsecone.data import as_samples
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem
from sparsecone.solve.driver import solve
from sparsecone.solvers import make_plan

Array = NDArray[Any]

LOSSES: dict[str, Loss] = {
    "squared": Squared(),
    "robust": Robust(delta=0.1),
    "recentred": Robust(delta=0.1, recenter=True),
}
# lam and eta as parts of the loss at W = 0.
WEIGHTS = ((0.002, 0.03), (0.02, 0.05), (0.01, 0.0), (0.2, 0.3))
# How far beyond the optimum a bound is above it for sure; it is known more exactly than that.
BEYOND = 1e-6


@dataclass(frozen=True)
class Target:
    """A problem, an objective that some W has, and points whose bounds must not exceed it."""

    name: str
    reached: float
    points: tuple[Point, ...]


def problems() -> Iterator[tuple[str, Problem]]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(25, 3)) @ rng.normal(size=(3, 7)) + 0.3 * rng.normal(size=(25, 7))
    for name, loss in LOSSES.items():
        free = Problem(as_samples(X), loss, 0.0, 0.0)
        for lam, eta in WEIGHTS:
            eta = 0.0 if loss.recenter else eta
            unit = free.zero.value
            yield f"{name} {lam} {eta}", replace(free, lam=lam * unit, eta=eta * unit)


@cache
def targets() -> tuple[Target, ...]:
    """Return the targets, solved by the certificate as it is."""
    found = []
    for name, problem in problems():
        solution = solve(problem, make_plan(problem, "admm"), tol=1e-8, max_iter=5000)
        rng = np.random.default_rng(1)
        L, v = solution.factor, solution.offset
        noise = rng.normal(size=L.shape)
        others = [0.9 * L, 0.5 * L, 1.1 * L, L + 0.01 * noise, L + 0.3 * noise, L[:, :1]]
        points = tuple(problem.evaluate(factor, v) for factor in (L, *others))
        found.append(Target(name, solution.value, (problem.zero, *points)))
    return tuple(found)


def violations() -> dict[str, float]:
    """Return how far bounds are above an objective that was reached, by problem and point."""
    found = {}
    for target in targets():
        for index, point in enumerate(target.points):
            bound = max(certify(point).bound, certify(point, slacks=(1e-3, 1e-1)).bound)
            if bound > target.reached * (1.0 + BEYOND):
                found[f"{target.name}, point {index}"] = bound / target.reached - 1.0
    return found


def half_the_excess(patch: pytest.MonkeyPatch) -> None:
    def halved(point: Point, slacks: tuple[float, ...] = ()) -> Excess:
        excess = excess_of(point, slacks)
        return Excess(0.5 * excess.values, excess.vectors, 0.5 * excess.rest)

    patch.setattr("sparsecone.certificate.certify.excess_of", halved)


def half_the_quadratic(patch: pytest.MonkeyPatch) -> None:
    original = Multipliers._best

    def best(self: Multipliers, loss: Loss, limit: float) -> Bound:
        return original(replace(self, quadratic=0.5 * self.quadratic), loss, limit)

    patch.setattr(Multipliers, "_best", best)


def twice_the_slack(patch: pytest.MonkeyPatch) -> None:
    original = Robust.slack
    patch.setattr(Robust, "slack", lambda *arguments: 2.0 * original(*arguments))


def repair_without_its_cost(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Multipliers, "_repaired_columns", lambda self, _: self.squared_columns)


# Each makes one mistake in the certificate.
MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "half the excess": half_the_excess,
    "half the quadratic term": half_the_quadratic,
    "twice the slack of the smoothing": twice_the_slack,
    "a repair that costs nothing": repair_without_its_cost,
}


def test_the_certificate_itself_is_sound() -> None:
    assert violations() == {}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = violations()
    MUTANTS[name](monkeypatch)
    assert violations().keys() - sound.keys(), f"'{name}' changes no bound for the worse"
