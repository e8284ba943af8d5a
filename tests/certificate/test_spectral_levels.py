"""Eigenvectors that a bound takes in: how many, how exact, and when others are needed; by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from sparsecone.certificate import spectral as module
from sparsecone.certificate.dual_point import Excess
from sparsecone.certificate.inequality import Dense
from sparsecone.certificate.spectral import Spectral, Tracked, largest_ratio, spectral
from sparsecone.data import Data, Rows, Spectrum, Terms, from_gram
from sparsecone.data.centring import as_rows
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem

# Of the eigenvalues of 2 S the two first are above 3/4, and the third is far below.
S = np.diag([3.0, 0.4, 0.1, 0.05])
ETA = 1.0


def point_of(gram: Any = S, eta: float = ETA) -> Point:
    return Problem(from_gram(gram, n_samples=9), Squared(), 0.25, eta).zero


def known(point: Point, tol: float = 1e-3) -> Spectral:
    found = spectral(point, Dense(), tol)
    assert found is not None
    return found


@pytest.mark.parametrize("eta", [1.0, 0.5])
def test_eigenvectors_down_to_three_quarters_of_eta_are_taken_in(eta: float) -> None:
    for second, count in ((0.5 * 0.76 * eta, 2), (0.5 * 0.74 * eta, 1)):
        found = known(point_of(np.diag([3.0, second, 0.01, 0.01]), eta))
        assert found.spectrum.values.size == count
        assert found.exactness == 0.1 * 1e-3
        assert found.weights is None
        assert found.is_cheap


def test_where_weights_may_grow_more_are_taken_in() -> None:
    rows = np.vstack([np.eye(4), -np.eye(4)]) * [4.0, 1.0, 0.1, 0.1]
    problem = Problem(as_rows(rows), Robust(), 0.25, 1.0)
    # At W = 0 a sample along an axis has the weight 1 / |x_i|: 2 |x_i| is the eigenvalue.
    for eta, count in ((2.0 / 0.61, 2), (2.0 / 0.59, 1)):
        point = problem.with_weights(lam=0.25, eta=eta).zero
        found = spectral(point, Dense(), 1e-3)
        assert found is not None
        assert found.spectrum.values.size == count
        assert found.exactness == 0.01 * 1e-3
        assert found.weights is point.data.weights


def test_few_eigenvectors_are_enough_or_none_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(np.diag([3.0, 2.0, 1.0, 0.05]))
    monkeypatch.setattr(module, "MOST_VECTORS", 3)
    assert known(point).spectrum.values.size == 3
    monkeypatch.setattr(module, "MOST_VECTORS", 2)
    assert spectral(point, Dense(), 1e-3) is None
    monkeypatch.setattr(module, "MOST_VECTORS", 200)
    monkeypatch.setattr(module, "most_vectors", lambda _: 2)
    assert spectral(point, Dense(), 1e-3) is None


def test_the_room_must_be_a_tenth_of_eta(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(eta=10.0)
    for floor, enough in ((9.0, True), (8.0, True), (9.1, False)):
        spectrum = Spectrum(np.array([6.0]), np.eye(4)[:, :1], floor, 0.0)
        monkeypatch.setattr(Point, "curvature_spectrum", lambda *_, s=spectrum, **__: s)
        assert (spectral(point, Dense(), 1e-3) is not None) == enough


def test_errors_must_be_below_the_tolerance(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(eta=0.5)
    for tol in (0.125, 0.1):
        for residual, rounding, enough in (
            (0.5 * tol, 0.0, True),
            (0.51 * tol, 0.0, False),
            (0.25 * tol, 0.125 * tol, True),
            (0.25 * tol, 0.126 * tol, False),
        ):
            spectrum = Spectrum(np.array([6.0]), np.eye(4)[:, :1], 0.1, residual)
            monkeypatch.setattr(Point, "curvature_spectrum", lambda *_, s=spectrum, **__: s)
            data = replace(point.data, matrix_rounding=rounding)
            found = spectral(replace(point, data=data), Dense(), tol)
            assert (found is not None) == enough


def test_the_room_is_what_is_left_below_eta() -> None:
    spectrum = Spectrum(np.array([6.0]), np.eye(4)[:, :1], 0.25, 0.0625)
    strategy = Spectral(spectrum, None, Dense(), 1e-4)
    assert strategy.room(point_of()) == 1.0 - (0.25 + 2.0 * 0.0625)
    assert strategy.room(point_of(), 0.125) == 1.0 - (0.25 + 2.0 * 0.0625 + 0.125)


def test_weights_that_have_grown_take_from_the_room() -> None:
    point = Problem(as_rows(np.diag([4.0, -4.0, 0.0, 0.0])), Robust(), 0.25, 1.0).zero
    weights = point.data.weights
    spectrum = Spectrum(np.array([6.0]), np.eye(4)[:, :1], 0.25, 0.0)
    for before, grown in ((0.5 * weights, 2.0), (2.0 * weights, 1.0), (weights, 1.0)):
        strategy = Spectral(spectrum, before, Dense(), 1e-4)
        assert strategy.room(point) == pytest.approx(1.0 - 0.25 * grown, rel=1e-15)
    changed = weights * np.array([0.5, 1.0, 2.0, 4.0])
    assert largest_ratio(point.problem.samples, changed, weights) == 4.0
    assert largest_ratio(point.problem.samples, 0.25 * changed, weights) == 1.0


class Elsewhere:
    """Two blocks of rows whose values are kept elsewhere."""

    def collect(self, function: Callable[..., Terms], *given: tuple[Any, Any]) -> Terms:
        """Return the terms of both blocks."""
        first, last = zip(*given, strict=True)
        none = cast(Rows, None)
        return function(none, *first) + function(none, *last)


def test_weights_that_are_kept_elsewhere_are_compared_there() -> None:
    samples = cast(Data, Elsewhere())
    ones = np.ones(2), np.ones(1)
    assert largest_ratio(samples, (np.array([0.5, 3.0]), np.array([2.0])), ones) == 3.0
    assert largest_ratio(samples, (np.array([0.5, 0.2]), np.array([0.1])), ones) == 1.0
    assert largest_ratio(samples, (np.array([1.5, 0.2]), np.zeros(1)), ones) == 1.5
    assert largest_ratio(samples, ones, ones) == 1.0
    halves = np.full(2, 0.5), np.full(1, 0.25)
    assert largest_ratio(samples, (np.array([0.5, 1.0]), np.array([1.25])), halves) == 5.0
    nothing = np.zeros(0)
    assert module._ratios(cast(Rows, None), nothing, nothing).largest == 0.0


class Asked:
    """An exact strategy that says that it was asked."""

    is_cheap = False

    def excess(self, point: Point, margins: Sequence[float] = ()) -> Excess:
        """Return nothing, and the margins."""
        del point
        return Excess(np.zeros(0), np.zeros((4, 0)), float(sum(margins)))


def test_without_room_the_exact_way_is_taken() -> None:
    for floor, room in ((0.25, 0.75), (0.75, 0.25), (1.0, None), (1.5, None)):
        spectrum = Spectrum(np.array([6.0]), np.eye(4)[:, :1], floor, 0.0)
        found = Spectral(spectrum, None, Asked(), 1e-4).excess(point_of(), (2.0, 3.0))
        if room is None:
            assert found.rest == 5.0
        else:
            assert found.room == pytest.approx(room, rel=1e-12)
            np.testing.assert_allclose(found.values, [5.0], rtol=1e-12)
            assert found.proven


@pytest.mark.parametrize("loss", [Squared(), Robust()], ids=str)
def test_images_are_computed_anew_where_weights_have_changed(
    loss: Loss, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(20, 4)) * [9.0, 1.0, 0.1, 0.1])
    point = Problem(rows, loss, 0.25, 3.0 if loss.needs_rows else 10.0).zero
    strategy = known(point, 1.0)
    products: list[Any] = []
    plain = Point.curvature_product

    def product(self: Point, x: Any) -> Any:
        products.append(x)
        return plain(self, x)

    monkeypatch.setattr(Point, "curvature_product", product)
    assert strategy.excess(point).values.size > 0
    assert products == []
    if loss.needs_rows:
        changed = replace(point, data=replace(point.data, weights=0.9 * point.data.weights))
        found = strategy.excess(changed)
        assert len(products) == 1
        M = rows.weighted_gram(0.9 * point.data.weights)
        exact = np.linalg.eigvalsh(M)[-1] - 3.0
        assert found.values[0] == pytest.approx(exact, rel=1e-6)


def test_a_measured_error_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(20, 4)) * [9.0, 1.0, 0.1, 0.1])
    point = Problem(rows, Squared(), 0.25, 10.0).zero
    strategy = known(point, 1.0)
    assert strategy.excess(point).proven
    monkeypatch.setattr(type(rows), "is_measured", True)
    assert not strategy.excess(point).proven


@pytest.mark.parametrize(("floor", "again"), [(8.0, False), (9.0, False), (9.1, True)])
def test_less_than_a_tenth_of_eta_is_no_room(
    floor: float, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = point_of(eta=10.0)
    strategy = Tracked(Asked(), 1e-3)
    assert strategy.is_cheap
    spectrum = Spectrum(np.array([6.0]), np.eye(4)[:, :1], floor, 0.0)
    before = strategy.known = Spectral(spectrum, None, Asked(), 1e-4)
    after = replace(before, exactness=0.5)
    monkeypatch.setattr(module, "spectral", lambda *_: after)
    strategy.excess(point)
    assert strategy.known is (after if again else before)


def test_the_exact_way_is_taken_where_too_many_eigenvectors_were_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "spectral", lambda *_: None)
    strategy = Tracked(Asked(), 1e-3)
    assert strategy.excess(point_of(), (2.0, 3.0)).rest == 5.0
    assert strategy.known is None
