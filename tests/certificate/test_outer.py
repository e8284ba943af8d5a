"""M outside of the span of a factor: which matrix is factorised, at which levels, what is added.

With W = a^2 e_1 e_1' and S diagonal but for s_12 = c, the part of M that leaves the span is
c (2 - a^2) e_2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sparsecone.certificate import outer
from sparsecone.certificate.matrix import low_rank_part, matrix_rounding, matrix_size
from sparsecone.certificate.outer import Outer
from sparsecone.certificate.span import SpanPart
from sparsecone.data import from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.eigen import Largest
from sparsecone.linalg.rounding import cholesky_error, sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Point, Problem

S = np.diag([3.0, 2.0, 1.0, 0.5])
S[0, 1] = S[1, 0] = 0.125
LAM = 0.25
MIXING = 0.125 * 1.75
INSIDE = 6.0 * 0.75 - LAM


def point_of(eta: float, n_samples: int = 9) -> Point:
    """Return a point with 2S = diag(4, 2, 1) outside of the span of its factor."""
    problem = Problem(from_gram(S, n_samples=n_samples), Squared(), LAM, eta)
    return problem.evaluate(np.array([[0.5], [0.0], [0.0], [0.0]]))


class Search:
    """Takes the place of the search for the largest eigenvalue."""

    def __init__(self, patch: pytest.MonkeyPatch, value: float, bound: float = np.inf) -> None:
        self.found, self.steps = Largest(value, np.eye(4)[1], bound), 0
        patch.setattr(outer, "randomised_largest", self)

    def __call__(self, product: Callable[..., Array], size: int, level: float, most: int) -> Any:
        """Return what is given, where the product is that of the matrix outside of the span."""
        del level
        self.steps = most
        np.testing.assert_allclose(product(np.eye(size)[1])[1], 2.0 * S[1, 1], rtol=1e-14)
        np.testing.assert_allclose(product(np.eye(size)[0]), 0.0, atol=1e-14)
        np.testing.assert_allclose(product(np.eye(size)[1])[0], 0.0, atol=1e-14)
        return self.found


def rounding_of(point: Point) -> float:
    """Return what rounding adds to a level: of the matrix, of what is left out, of products."""
    left, right = low_rank_part(point)
    size = matrix_size(point, left, right)
    return matrix_rounding(point, left, right) + sum_error(4) * size


def proven_level(point: Point, level: float) -> float:
    return level + cholesky_error(4, 4.0 * level + 4.0 + 2.0 + 1.0) + rounding_of(point)


@pytest.mark.parametrize("part", [1e-5, 1e-4, 1e-3, 1e-2])
def test_levels_above_the_value_are_tried_one_after_another(
    part: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    eta = 1000.0
    point = point_of(eta)
    # The value is so far below the largest eigenvalue of 4 that only some margins reach it.
    Search(monkeypatch, 4.0 - 0.5 * part * eta)
    found = Outer().excess(point)
    room = eta - proven_level(point, 4.0 + 0.5 * part * eta)
    expected = SpanPart.of(point, offset=True).excess(room)
    assert found.proven
    assert found.rest == pytest.approx(expected.rest, rel=1e-12, abs=0.0)
    assert found.values.size == 0


def test_halfway_to_eta_is_tried_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[float] = []
    plain = outer.is_below

    def is_below(matrix: Array, level: float) -> bool:
        tried.append(level)
        return plain(matrix, level)

    monkeypatch.setattr(outer, "is_below", is_below)
    Search(monkeypatch, 3.0)
    point = point_of(6.0)
    assert Outer().excess(point).proven
    np.testing.assert_allclose(tried, [3.00006, 3.0006, 3.006, 3.06, 4.5], rtol=1e-14)
    tried.clear()
    # None that is beyond what is known already.
    Search(monkeypatch, 3.0, 3.06)
    assert not Outer().excess(point).proven
    np.testing.assert_allclose(tried, [3.00006, 3.0006, 3.006], rtol=1e-14)
    tried.clear()
    # Nor what is below the value.
    Search(monkeypatch, 5.0)
    Outer().excess(point_of(3.0))
    np.testing.assert_allclose(tried, [5.00003], rtol=1e-14)


def test_what_leaves_the_span_has_the_room_below_eta(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(4.125)
    Search(monkeypatch, 4.0)
    found = Outer().excess(point)
    level = proven_level(point, 4.0 + 1e-5 * 4.125)
    room = max(4.125 - level, MIXING)
    assert room == MIXING
    value = INSIDE - 4.125 + MIXING**2 / room
    np.testing.assert_allclose(found.values, [0.0, value], rtol=1e-10)
    wide = Outer().excess(point_of(4.2))
    np.testing.assert_allclose(wide.values[-1], INSIDE - 4.2 + MIXING, rtol=1e-10)
    roomy = point_of(4.21875 + 0.03125)
    found = Outer().excess(roomy)
    room = 4.25 - proven_level(roomy, 4.0 + 1e-5 * 4.25)
    np.testing.assert_allclose(found.values, [INSIDE - 4.25 + MIXING**2 / room], rtol=1e-10)
    expected = SpanPart.of(roomy, offset=True).excess(room)
    assert found.rest == pytest.approx(expected.rest, rel=1e-9, abs=0.0)
    assert found.proven


def test_the_direction_above_eta_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(1.0)
    Search(monkeypatch, 4.0)
    found = Outer().excess(point)
    np.testing.assert_allclose(found.values, [3.0, INSIDE - 1.0 + MIXING], rtol=1e-12)
    np.testing.assert_allclose(np.abs(found.vectors), np.eye(4)[:, [1, 0]], atol=1e-15)
    inside = SpanPart.of(point, offset=True).excess(MIXING)
    more = proven_level(point, 4.0 + 1e-5) + MIXING - 1.0
    assert found.rest == pytest.approx(more + inside.rest, rel=1e-14)
    assert found.proven


def test_rounding_of_products_and_what_is_left_out_raise_the_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Search(monkeypatch, 4.0)
    problem = point_of(1.0).problem
    L = np.column_stack([0.5 * np.eye(4)[0], 1e-4 * np.eye(4)[2]])
    for factor, curvature in ((L[:, :1], 1e9), (L, 13.0)):
        point = problem.evaluate(factor)
        point = replace(point, data=replace(point.data, curvature=curvature))
        span = SpanPart.of(point, offset=True)
        # A direction that is too short to be in the basis counts by its part of the matrix.
        assert (span.outside > 0.2) == (factor is L)
        found = Outer().excess(point)
        more = proven_level(point, 4.0 + 1e-5) + span.outside + span.mixing - 1.0
        expected = more + span.excess(span.mixing).rest
        assert found.rest == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_the_offset_is_no_part_of_what_is_outside(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = as_rows(rng.normal(size=(9, 6)))
    L, v = 0.1 * rng.normal(size=(6, 1)), 5.0 * rng.normal(size=6)
    point = Problem(rows, Robust(recenter=True), LAM, 0.1).evaluate(L, v)
    left, right = low_rank_part(point)
    M = point.curvature_matrix() - 0.5 * (left @ right.T + right @ left.T)
    found = Outer().excess(point)
    repaired = M - (found.vectors * found.values) @ found.vectors.T
    assert np.linalg.eigvalsh(repaired)[-1] <= 0.1 + found.rest
    P = np.eye(6) - (Q := SpanPart.of(point, offset=True).basis) @ Q.T
    np.testing.assert_allclose(P @ M @ P, P @ point.curvature_matrix() @ P, atol=1e-12)


def test_a_level_that_is_not_proven_is_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outer, "is_below", lambda *_: False)
    point = point_of(6.0)
    Search(monkeypatch, 4.0)
    nothing = Outer().excess(point)
    assert (nothing.values.shape, nothing.vectors.shape) == ((0,), (4, 0))
    assert nothing.rest == np.inf
    Search(monkeypatch, 4.0, 4.5)
    found = Outer().excess(point)
    assert not found.proven
    room = 6.0 - 4.5 - rounding_of(point)
    expected = SpanPart.of(point, offset=True).excess(room)
    assert found.rest == pytest.approx(expected.rest, rel=1e-13, abs=0.0)


@pytest.mark.parametrize("eta", [1.0, 6.0])
def test_a_measured_error_proves_nothing(eta: float, monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of(eta)
    Search(monkeypatch, 4.0)
    assert Outer().excess(point).proven
    monkeypatch.setattr(point.problem.samples, "is_measured", True)
    assert not Outer().excess(point).proven


def test_more_steps_are_taken_where_nothing_else_proves(monkeypatch: pytest.MonkeyPatch) -> None:
    for largest, n, steps in ((4, 9, 60), (4, 4, 60), (3, 9, 200), (9, 3, 200)):
        monkeypatch.setattr(outer, "LARGEST_PROVEN", largest)
        search = Search(monkeypatch, 4.0, 4.5)
        found = Outer().excess(point_of(6.0, n))
        assert search.steps == steps
        assert found.proven == (steps == 60)


def rows_point(shape: tuple[int, int], loss: Loss) -> Point:
    rng = np.random.default_rng(0)
    rows = as_rows(rng.normal(size=shape))
    return Problem(rows, loss, LAM, 1.0).evaluate(0.3 * rng.normal(size=(shape[1], 2)))


@pytest.mark.parametrize("shape", [(9, 5), (5, 5), (5, 9)])
@pytest.mark.parametrize("loss", [Squared(), Robust()], ids=str)
def test_the_smaller_side_has_the_eigenvalues_outside_of_the_span(
    shape: tuple[int, int], loss: Loss
) -> None:
    point = rows_point(shape, loss)
    span = SpanPart.of(point)
    matrix = outer._smaller_side(point, span)
    assert matrix is not None
    assert matrix.shape == (5, 5)
    P = np.eye(shape[1]) - span.basis @ span.basis.T
    exact = P @ point.curvature_matrix() @ P
    if shape[1] == 5:
        np.testing.assert_allclose(np.tril(matrix), np.tril(exact), atol=1e-13)
    values = np.linalg.eigvalsh(np.tril(matrix) + np.tril(matrix, -1).T)[::-1]
    np.testing.assert_allclose(values, np.linalg.eigvalsh(exact)[::-1][:5], atol=1e-13)


@pytest.mark.parametrize(
    ("shape", "largest", "known"),
    [
        ((9, 5), 5, True),
        ((9, 5), 4, False),
        ((5, 9), 5, True),
        ((5, 9), 4, False),
        ((6, 5), 5, True),
    ],
)
def test_a_side_that_is_too_large_is_not_formed(
    shape: tuple[int, int], largest: int, known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outer, "LARGEST_PROVEN", largest)
    point = rows_point(shape, Squared())
    matrix = outer._smaller_side(point, SpanPart.of(point))
    assert (matrix is not None) == known
    assert outer._is_provable(point) == known


def test_moments_have_no_side_of_samples() -> None:
    point = point_of(6.0, 3)
    matrix = outer._smaller_side(point, SpanPart.of(point))
    assert matrix is None
    assert not outer._is_provable(point)


def test_a_proof_is_off_by_the_trace_of_what_is_factorised() -> None:
    # 2S = I, of sixty features: the trace of level I and that of the matrix.
    zero = Problem(from_gram(0.5 * np.eye(60), n_samples=99), Squared(), LAM, 1.0).zero
    level, proven = Outer()._proven(zero, SpanPart.of(zero), 1.0, np.inf)
    assert proven
    expected = cholesky_error(60, 60.0 * (1.0 + 1e-5) + 60.0)
    assert level - (1.0 + 1e-5) == pytest.approx(expected, rel=1e-3, abs=0.0)
