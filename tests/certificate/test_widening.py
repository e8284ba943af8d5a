"""Fewer eigenvectors at first, and all of them once a bound is not enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone.certificate import widening as module
from sparsecone.certificate.certify import Certificate, certify
from sparsecone.certificate.dual_point import Excess
from sparsecone.certificate.inequality import Dense, strategy_for
from sparsecone.certificate.spectral import Spectral
from sparsecone.certificate.widening import Widening, widening
from sparsecone.data import from_gram
from sparsecone.model.closed_form import closed_form
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Point, Problem

TOL = 1e-3
# As parts of eta: one above, one between both levels of eigenvalues for each at the first.
CURVATURES = (4.0, 0.9, 0.8, 0.78, 0.1)


def zero(curvatures: tuple[float, ...] = CURVATURES) -> Point:
    gram = 0.5 * np.diag(curvatures)
    return Problem(from_gram(gram, n_samples=9), Squared(), 0.1, 1.0).zero


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let sides of any size count as large."""
    monkeypatch.setattr(module, "SMALL", 1)


def found_at(point: Point) -> Widening:
    found = widening(point, Dense(), TOL)
    assert found is not None
    return found


def test_eigenvectors_well_below_eta_are_taken_in_when_they_are_asked_for() -> None:
    found = found_at(zero())
    assert found.is_cheap
    np.testing.assert_allclose(found.known.spectrum.values, [4.0, 0.9])
    assert found.widen()
    np.testing.assert_allclose(found.known.spectrum.values, [4.0, 0.9, 0.8, 0.78])
    assert not found.widen()


def test_all_are_taken_in_at_once_where_that_saves_little() -> None:
    # Two of three are fewer, three of four are not.
    assert widening(zero((4.0, 0.9, 0.8, 0.1)), Dense(), TOL) is not None
    assert widening(zero((4.0, 0.9, 0.9, 0.8, 0.1)), Dense(), TOL) is None


def test_all_are_taken_in_at_once_on_small_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = zero().problem
    assert isinstance(strategy_for(problem, tol=TOL), Widening)
    monkeypatch.setattr(module, "SMALL", 5)
    assert widening(problem.zero, Dense(), TOL) is None
    assert isinstance(strategy_for(problem, tol=TOL), Spectral)


def test_no_more_than_a_certificate_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sparsecone.certificate.spectral.MOST_VECTORS", 3)
    # Two of the three that may be taken in.
    assert found_at(zero()).known.spectrum.values.size == 2
    monkeypatch.setattr("sparsecone.certificate.spectral.MOST_VECTORS", 2)
    assert widening(zero(), Dense(), TOL) is None


def test_what_it_proves_holds_before_and_after() -> None:
    point = closed_form(zero().problem)
    found = found_at(point.problem.zero)
    exact = certify(point, Dense())
    for _ in range(2):
        certificate = certify(point, found.known)
        assert certificate.proven
        assert certificate.bound <= point.value
        assert abs(certificate.bound - exact.bound) <= 1e-3 * point.value
        found.widen()


@pytest.mark.parametrize("second", [0.5, 0.9])
def test_a_bound_that_is_not_enough_is_found_again(
    second: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = zero()
    excess = Excess(np.zeros(0), np.zeros((5, 0)), 0.0)
    bounds: list[float] = []

    def bounded(*_: Any) -> Certificate:
        return Certificate(bounds.pop(0) * point.value, 1.0, excess)

    # The function has the name of its module.
    monkeypatch.setitem(certify.__globals__, "_certificate", bounded)
    bounds[:] = [1.0, second]
    assert certify(point, found_at(point), tol=TOL).bound == point.value
    bounds[:] = [0.7, second]
    strategy = found_at(point)
    assert certify(point, strategy, tol=TOL).bound == max(0.7, second) * point.value
    assert strategy.is_wide
    # There is nothing to widen any more, nor without a tolerance, nor for other strategies.
    bounds[:] = [0.7, second]
    assert certify(point, strategy, tol=TOL).bound == 0.7 * point.value
    for given, tol in ((found_at(point), 0.0), (Dense(), TOL)):
        bounds[:] = [0.7, second]
        assert certify(point, given, tol=tol).bound == 0.7 * point.value
