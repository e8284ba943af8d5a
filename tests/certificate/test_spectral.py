"""The bound from eigenvectors of earlier weights."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.certificate import certify, spectral
from sparsecone.certificate.inequality import Dense
from sparsecone.certificate.spectral import Spectral, Tracked
from sparsecone.data import as_samples
from sparsecone.linalg.types import Array
from sparsecone.model.closed_form import closed_form
from sparsecone.model.losses import Robust
from sparsecone.model.problem import Point, Problem


def fitted_point() -> Point:
    """Return a point whose residuals are much smaller than those at W = 0."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 12)) + 0.2 * rng.normal(size=(60, 12))
    free = Problem(as_samples(X), Robust(), 0.0, 0.0)
    noise = float(free.zero.curvature_spectrum(0.0).values[3])
    return closed_form(free.with_weights(lam=0.1 * noise, eta=2.0 * noise))


def matrix_of(point: Point) -> Array:
    """Return M by its definition, sym(A X + B)."""
    X, W = point.problem.samples.centred_rows(), point.L @ point.L.T
    M = X.T @ (point.data.weights[:, None] * (X - X @ W)) - point.problem.lam * (
        W / point.smooth_scores
    )
    return np.asarray(0.5 * (M + M.T))


def known_at_zero(point: Point) -> Spectral:
    found = spectral.spectral(point.problem.zero, Dense(), 1e-4)
    assert found is not None
    return found


def exceeds(point: Point, strategy: Spectral) -> bool:
    """Return whether M has more above eta than the strategy says."""
    excess = strategy.excess(point)
    repaired = matrix_of(point) - (excess.vectors * excess.values) @ excess.vectors.T
    largest = float(np.linalg.eigvalsh(repaired)[-1])
    return largest > point.problem.eta + excess.rest + 1e-12 * point.data.curvature


def test_weights_that_have_grown_count(monkeypatch: pytest.MonkeyPatch) -> None:
    point = fitted_point()
    strategy = known_at_zero(point)
    assert strategy.room(point) < 0.0 < strategy.room(point.problem.zero)
    assert not exceeds(point, strategy)
    monkeypatch.setattr(spectral, "largest_ratio", lambda *_: 1.0)
    assert exceeds(point, strategy)


def test_eigenvectors_of_earlier_weights_prove_as_much_as_the_matrix() -> None:
    point = fitted_point()
    strategy = Tracked(Dense(), 1e-4)
    first = certify(point, strategy).bound
    known = strategy.known
    near = point.problem.evaluate(1.001 * point.L)
    second = certify(near, strategy).bound
    assert strategy.known is known
    assert known is not None
    assert first == pytest.approx(certify(point, Dense()).bound, rel=1e-6)
    assert second == pytest.approx(certify(near, Dense()).bound, rel=1e-6)
    assert not exceeds(near, known)


def test_weights_that_have_grown_are_decomposed_again() -> None:
    point = fitted_point()
    strategy = Tracked(Dense(), 1e-4)
    strategy.excess(point.problem.zero)
    before = strategy.known
    assert certify(point, strategy).bound <= point.value
    assert strategy.known is not before
