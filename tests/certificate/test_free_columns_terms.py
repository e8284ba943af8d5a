"""Columns that W leaves free, for diagonal matrices: which they are, and their lengths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.certificate import Excess, SpanPart
from sparsecone.certificate.free_columns import FreeColumns
from sparsecone.data import from_gram
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Point, Problem

LAM = 0.25
# Of products with four features, and with two directions out of two.
ROUNDING = sum_error(4) + 2.0 * sum_error(2)


def small(scores: Array, *, lam: float = LAM) -> tuple[Point, SpanPart]:
    """Return W = diag(scores), for as many features, and the part of M in its range."""
    problem = Problem(from_gram(np.eye(len(scores)), n_samples=9), Squared(), lam, 1.0)
    point = problem.evaluate(np.diag(np.sqrt(scores))[:, scores > 0.0])
    return point, SpanPart.of(point)


def test_columns_of_three_percent_of_the_largest_score_are_free() -> None:
    point, part = small(np.array([1.0, 0.03, 0.031, 0.0]))
    columns = FreeColumns.of(point, part)
    assert columns is not None
    np.testing.assert_array_equal(columns.free, [False, True, False, True])
    exact = small(np.array([0.25, 0.25 * 0.03 * (1.0 - 1e-12)]))
    found = FreeColumns.of(*exact)
    assert found is not None
    np.testing.assert_array_equal(found.free, [False, True])
    assert FreeColumns.of(*small(np.array([1.0, 0.031]))) is None
    assert FreeColumns.of(*small(np.array([0.25, 0.25 * 0.031]))) is None
    assert FreeColumns.of(*small(np.array([1.0, 0.0]), lam=0.0)) is None
    assert FreeColumns.of(*small(np.array([1.0, 0.0]), lam=1.0)) is not None


def test_columns_at_a_point_are_those_of_the_formula() -> None:
    point, part = small(np.array([1.0, 0.5, 0.0]))
    columns = FreeColumns.of(point, part)
    assert columns is not None
    # b_j = -lam w_j / |w_j|, whose coordinates are given with the other sign.
    B = np.column_stack([-LAM * np.eye(3)[:, :2], np.zeros(3)])
    np.testing.assert_allclose(columns.given @ columns.turn.T, -B.T @ part.basis, atol=1e-15)
    np.testing.assert_allclose(columns.turn.T @ columns.turn, np.eye(2), atol=1e-15)
    np.testing.assert_array_equal(columns.rows, 0.0)
    np.testing.assert_allclose(columns.span @ columns.span.T, np.eye(2), atol=1e-15)
    assert columns.part is columns.start is part


def test_directions_that_all_but_vanish_are_none_of_the_range() -> None:
    for score, rank in ((2e-4, 2), (5e-5, 1)):
        columns = FreeColumns.of(*small(np.array([1.0, score, 0.0])))
        assert columns is not None
        assert columns.span.shape == (2, rank)


def plane(given: Array, lam: float = LAM) -> FreeColumns:
    """Return columns in a plane, the first axis of which is the range of W."""
    point, part = small(np.array([1.0, 0.5, 0.0, 0.0]), lam=lam)
    columns = FreeColumns.of(point, part)
    assert columns is not None
    order = np.argsort(np.abs(part.basis[1]))
    basis = np.abs(part.basis[:, order])
    part = replace(part, basis=basis, given=0.0 * basis, inside=np.zeros((2, 2)))
    free = np.array([False, False, True, True])
    zeros = np.zeros((4, 2))
    span = np.array([[1.0], [0.0]])
    columns = replace(columns, turn=np.eye(2), given=given, span=span, rows=zeros)
    return replace(columns, part=part, start=part, free=free)


def test_free_rows_are_cancelled_in_the_range() -> None:
    columns = plane(np.zeros((4, 2)))
    leaving = np.array([[0.0, 0.0], [0.0, 0.0], [0.01, 0.02], [-0.03, 0.04]])
    inside = np.array([[0.02, 0.03], [0.03, 0.05]])
    part = replace(columns.part, given=leaving, inside=inside)
    columns = replace(columns, part=part, start=part, free=np.array([True, False, True, True]))
    found = columns.cancelled()
    # Twice the entry in the range, of the rows that are free; the rest stays.
    expected = [[0.04, 0.0], [0.0, 0.0], [0.02, 0.0], [-0.06, 0.0]]
    np.testing.assert_allclose(found.rows, expected, atol=1e-16)
    np.testing.assert_allclose(found.part.leaving[2:, 0], 0.0, atol=1e-16)
    axis = np.array([[0.0], [1.0]])
    excess = Excess(np.array([0.1]), np.eye(4)[:, 1:2], 0.0, coordinates=axis)
    for inside_first in (False, True):
        after = columns.subtracted(excess, inside_first=inside_first)
        np.testing.assert_allclose(after.rows[1], [0.0, 0.1], rtol=1e-12)
        np.testing.assert_allclose(np.delete(after.rows, 1, 0), np.delete(expected, 1, 0))


def test_further_directions_are_taken_in_as_far_as_they_are_new() -> None:
    point, _ = small(np.array([1.0, 0.5, 0.0, 0.0]))
    axes, zeros = np.eye(4), np.zeros((4, 4))
    whole = SpanPart(axes, zeros, zeros, 0.0, 0.0, zeros, 0.0)
    columns = FreeColumns.of(point, whole)
    assert columns is not None
    assert columns.turn.shape == (4, 2)
    skew = np.array([[3.0], [0.0], [4e-2], [0.0]]) / np.hypot(3.0, 4e-2)
    wider = columns._towards(skew)
    np.testing.assert_allclose(np.abs(wider.turn[:, 2]), axes[2], atol=1e-13)
    np.testing.assert_allclose(wider.turn.T @ wider.turn, np.eye(3), atol=1e-13)
    assert wider.rows.shape == (4, 3)
    assert wider._towards(np.hstack([skew, axes[:, :2]])).turn.shape == (4, 3)
    nearly = np.array([[1.0], [0.0], [0.0], [9e-4]])
    assert wider._towards(nearly).turn.shape == (4, 3)
    excess = Excess(np.array([0.1]), axes[:, 3:], 0.0, coordinates=axes[:, 3:])
    found = columns.subtracted(excess, inside_first=False)
    taken = 0.1 * np.outer(axes[3], axes[3])
    for D in (found.rows @ found.turn.T, np.diag(found.diagonal), found.products(axes)):
        np.testing.assert_allclose(D, taken, atol=1e-15)
    np.testing.assert_allclose(found.part.inside, -taken, atol=1e-15)


def test_long_columns_are_shortened_as_a_whole() -> None:
    given = np.array([[0.1, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    wanted = np.array([[0.1, 0.05], [0.3, 0.4], [3.0, -4.0], [0.0, 0.0]])
    found = plane(given)._with(wanted)
    after = [[0.2, 0.05], [0.15, 0.2], [0.15, -0.2], [0.0, 0.0]]
    np.testing.assert_allclose(found.rows + given, after, rtol=1e-14)
    np.testing.assert_allclose(found.part.inside, plane(given).start.changed(found.rows).inside)


def test_long_columns_keep_what_they_have_in_the_range() -> None:
    given = np.zeros((4, 2))
    wanted = np.array([[0.15, 0.3], [0.5, 0.1], [0.15, 0.1], [0.25, 1e-9]])
    found = plane(given)._with(wanted, inside_first=True)
    after = [[0.15, 0.2], [0.25, 0.0], [0.15, 0.1], [0.25, 0.0]]
    np.testing.assert_allclose(found.rows, after, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("inside_first", [False, True])
def test_a_penalty_whose_square_vanishes_divides_nothing(inside_first: bool) -> None:
    tiny = plane(np.zeros((4, 2)), lam=1e-200)
    wanted = np.array([[0.3, 0.4], [0.0, 0.0], [0.0, 0.1], [0.2, 0.0]])
    found = tiny._with(wanted, inside_first=inside_first)
    lengths = np.abs(found.rows).max(axis=1)
    assert np.all(lengths <= 1e-200 * (1.0 + 1e-12))
    assert lengths[1] == 0.0


def test_bounds_of_lengths_have_the_rounding_of_all_that_is_added() -> None:
    given = np.array([[0.1, 0.2], [0.0, 0.3], [0.2, 0.0], [0.0, 0.0]])
    columns = plane(given)
    skewed = replace(columns.part, skew=0.01)
    for rows, part in ((-given, columns.part), (-given, skewed), (2.0 * given, skewed)):
        found = replace(columns, rows=rows, part=part).squares(np.full(4, 0.04))
        added, crossed = (rows**2).sum(axis=1), 2.0 * (rows * given).sum(axis=1)
        # |l_j| |L| / G, with W = diag(1, 1/2, 0, 0).
        sizes = np.array([1.0, np.sqrt(2.0), 0.0, 0.0]) * np.sqrt(1.5) * LAM
        summed = ROUNDING * (LAM + sizes + np.sqrt(added)) ** 2
        exact = np.maximum(0.04 + crossed + added, 0.0)
        np.testing.assert_allclose(found, exact + summed + part.skew * added, rtol=1e-14)
    gone = replace(columns, rows=-given).squares(np.zeros(4))
    added = (given**2).sum(axis=1)
    sizes = np.array([1.0, np.sqrt(2.0), 0.0, 0.0]) * np.sqrt(1.5) * LAM
    summed = ROUNDING * (LAM + sizes + np.sqrt(added)) ** 2
    np.testing.assert_allclose(gone, summed + columns.part.skew * added, rtol=1e-12)
