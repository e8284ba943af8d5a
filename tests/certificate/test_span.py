"""M in the span of a factor: its parts and every term of their error, for a diagonal S.

With W = a^2 e_1 e_1' the matrix M is diagonal: M_11 = 2 s_1 (1 - a^2) - lam, and 2 s_j elsewhere.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.certificate.matrix import (
    gradient_error,
    low_rank_part,
    matrix_rounding,
    matrix_size,
)
from sparsecone.certificate.span import SpanPart
from sparsecone.data import Spectrum, from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.rounding import TINY, eigen_error, sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.problem import Point, Problem

S = np.diag([3.0, 2.0, 1.0, 0.5])
LAM, ETA = 0.25, 1.0
ERROR = 1e-3


def point_of(*columns: Array, error: float = 0.0) -> Point:
    """Return a point with these columns of L; the error is that of its image."""
    problem = Problem(from_gram(S, n_samples=9), Squared(), LAM, ETA)
    point = problem.evaluate(np.column_stack(columns))
    return replace(point, data=replace(point.data, H_error=error))


def axis(index: int, length: float = 1.0) -> Array:
    return length * np.eye(4)[index]


def total(point: Point, errors: list[float], image: Array, skew: float = 0.0) -> float:
    """Return the error of a part: of the images, of a skew basis, of sums."""
    d, k = image.shape
    size, length = matrix_size(point, *low_rank_part(point)), float(np.linalg.norm(image))
    skew += sum_error(d) * k
    summed = skew * (size + 3.0 * length) + sum_error(d + k) * 2.0 * length
    return float(np.linalg.norm(errors)) + summed


def test_the_part_of_a_diagonal_matrix_is_diagonal() -> None:
    point = point_of(axis(0, 0.5))
    part = SpanPart.of(point)
    np.testing.assert_array_equal(np.abs(part.basis[:, 0]), axis(0))
    first = 6.0 * 0.75 - LAM - ETA
    np.testing.assert_allclose(part.inside, [[first]], rtol=1e-15)
    np.testing.assert_allclose(part.leaving, 0.0, atol=1e-15)
    assert part.outside == 0.0
    assert part.skew == sum_error(4)
    given = gradient_error(point, *low_rank_part(point)) / 0.5
    expected = total(point, [given], np.array([[first], [0.0], [0.0], [0.0]]))
    assert part.error == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_errors_of_short_directions_grow_by_their_length() -> None:
    point = point_of(axis(0, 1.0), axis(1, 0.25), error=ERROR)
    part = SpanPart.of(point, exactness=np.inf)
    given = gradient_error(point, *low_rank_part(point))
    image = np.zeros((4, 2))
    image[0, 0], image[1, 1] = -LAM - ETA, 4.0 * (1.0 - 0.0625) - LAM - ETA
    expected = total(point, [given, given / 0.25], image)
    assert part.error == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_inexact_images_are_products() -> None:
    point = point_of(axis(0, 1.0), axis(1, 0.25), error=ERROR)
    left, right = low_rank_part(point)
    given, exact = gradient_error(point, left, right), matrix_rounding(point, left, right)
    assert exact < given < 0.005 < 4.0 * given
    image = np.zeros((4, 2))
    image[0, 0], image[1, 1] = -LAM - ETA, 4.0 * (1.0 - 0.0625) - LAM - ETA
    # What is aimed at is a part of the larger weight; equal to it is exact enough.
    for aim, errors in (
        (0.005, [given, exact]),
        (4.0 * given, [given, 4.0 * given]),
        (0.0, [exact, exact]),
    ):
        part = SpanPart.of(point, exactness=aim)
        assert part.error == pytest.approx(total(point, errors, image), rel=1e-12, abs=0.0)
        np.testing.assert_allclose(np.sort(np.diag(part.inside)), np.sort(np.diag(image)))


@pytest.mark.parametrize("aim", [0.0, np.inf])
def test_an_image_that_is_off_is_replaced_by_the_product(aim: float) -> None:
    point = point_of(axis(0, 0.5), axis(1, 0.25), error=ERROR)
    # Of L'H the gradient takes for granted that it is symmetric.
    E = np.array([[0.1, 0.0], [0.0, 0.2], [0.3, 0.1], [0.0, 0.4]])
    point = replace(point, data=replace(point.data, H=point.data.H + E))
    part = SpanPart.of(point, exactness=aim)
    left, right = low_rank_part(point)
    image = (2.0 * S - 0.5 * (left @ right.T + right @ left.T)) @ part.basis - ETA * part.basis
    if aim == np.inf:
        # H takes the place of the product of the data with L.
        image += E @ (np.linalg.pinv(point.L) @ part.basis)
    inside = part.basis.T @ image
    np.testing.assert_allclose(part.inside, 0.5 * (inside + inside.T), atol=1e-14)
    np.testing.assert_allclose(part.leaving, image - part.basis @ inside, atol=1e-14)


def test_what_is_aimed_at_is_a_part_of_the_larger_weight() -> None:
    for lam, eta in ((LAM, 4.0), (4.0, LAM)):
        given = point_of(axis(0, 1.0), error=ERROR)
        problem = replace(given.problem, lam=lam, eta=eta)
        point = replace(given, problem=problem)
        left, right = low_rank_part(point)
        error, exact = gradient_error(point, left, right), matrix_rounding(point, left, right)
        image = np.array([[-lam - eta], [0.0], [0.0], [0.0]])
        for aim, used in ((1.01 * error / 4.0, error), (0.99 * error / 4.0, exact)):
            part = SpanPart.of(point, exactness=aim)
            assert part.error == pytest.approx(total(point, [used], image), rel=1e-12, abs=0.0)


def test_a_direction_that_is_too_short_is_left_out_and_counts() -> None:
    point = point_of(axis(0, 1.0), axis(1, 1e-4))
    part = SpanPart.of(point)
    assert part.basis.shape == (4, 1)
    # |L d| |C d| for the direction d, C = 2SL + lam L / G with G = |l|^2 for a single entry.
    expected = 1e-4 * (4.0 * 1e-4 + LAM * 1e-4 / 1e-8)
    assert part.outside == pytest.approx(expected, rel=1e-12)


def computed(basis: Array, image: Array, error: float, outside: float) -> SpanPart:
    return SpanPart._computed(basis, image, error, outside, 10.0)


def test_a_basis_that_is_skew_beside_other_errors_is_straightened() -> None:
    basis = np.eye(4)[:, :2] * [1.0 + 1e-4, 1.0]
    image = np.eye(4)[:, :2] * [2.0, 3.0] + np.eye(4)[:, 2:]
    skew = 2e-4 + 1e-8
    rough = computed(basis, image.copy(), 50.0 * skew, 51.0 * skew)
    np.testing.assert_array_equal(rough.basis, basis)
    assert rough.skew == pytest.approx(skew + 2.0 * sum_error(4), rel=1e-9)
    length, inside = np.linalg.norm(image), basis.T @ image
    added = rough.skew * (10.0 + 3.0 * length) + 2.0 * sum_error(6) * length
    assert rough.error == pytest.approx(50.0 * skew + added, rel=1e-12)
    leaving = image - basis @ inside
    np.testing.assert_allclose(rough.leaving, leaving, atol=1e-15)
    np.testing.assert_allclose(rough.square, leaving.T @ leaving, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(rough.inside, 0.5 * (inside + inside.T), rtol=1e-15)
    straight = computed(basis, image.copy(), 40.0 * skew, 40.0 * skew)
    # A step of Newton's: 1 + x becomes (1 + x)(1 - x - x^2 / 2).
    stretched = (1.0 + 1e-4) * (1.0 - 0.5 * skew)
    np.testing.assert_allclose(straight.basis, np.eye(4)[:, :2] * [stretched, 1.0], rtol=1e-15)
    assert straight.skew == pytest.approx(1.0 - stretched**2 + 2.0 * sum_error(4), rel=1e-6)
    np.testing.assert_allclose(straight.leaving[2:], np.eye(2) * [1.0 - 0.5 * skew, 1.0])
    inside = np.diag([stretched * 2.0 * (1.0 - 0.5 * skew), 3.0])
    np.testing.assert_allclose(straight.inside, inside, rtol=1e-14)


def test_columns_change_the_part_as_they_change_the_matrix() -> None:
    rng = np.random.default_rng(0)
    M, D = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
    M, Q = M + M.T, np.linalg.qr(rng.normal(size=(5, 2)))[0]
    inside, leaving = Q.T @ M @ Q, M @ Q - Q @ (Q.T @ M @ Q)
    part = SpanPart(Q, inside, leaving.T @ leaving, ERROR, 0.5, leaving, 1e-5)
    found = part.changed(D)
    after = M - 0.5 * (Q @ D.T + D @ Q.T)
    np.testing.assert_allclose(found.inside, Q.T @ after @ Q, atol=1e-14)
    R = after @ Q - Q @ (Q.T @ after @ Q)
    np.testing.assert_allclose(found.leaving, R, atol=1e-14)
    np.testing.assert_allclose(found.square, R.T @ R, atol=1e-14)
    assert (found.outside, found.skew) == (0.5, 1e-5)
    length = np.linalg.norm(D)
    exact = replace(part, skew=0.0, error=0.0).changed(D).error
    assert exact == pytest.approx(4.0 * sum_error(7) * np.sqrt(2.0) * length, rel=1e-13, abs=0.0)
    assert found.error == pytest.approx(ERROR + 4e-5 * length + exact, rel=1e-13)


def diagonal_part(error: float = ERROR) -> SpanPart:
    leaving = np.eye(4)[:, 2:] * [2.0, 1.0]
    square = np.diag([4.0, 1.0])
    return SpanPart(np.eye(4)[:, :2], np.diag([3.0, -1.0]), square, error, 0.0, leaving, 0.0)


def test_what_leaves_the_span_counts_by_its_square_over_the_room() -> None:
    part = diagonal_part()
    assert part.mixing == 2.0
    found = part.excess(2.0)
    np.testing.assert_allclose(found.values, [5.0], rtol=1e-15)
    np.testing.assert_allclose(np.abs(found.vectors), np.eye(4)[:, :1])
    assert found.part is part
    assert found.room == 2.0
    solved = eigen_error(2, np.hypot(5.0, 0.5))
    expected = ERROR + (4.0 + ERROR) * ERROR / 2.0 + solved
    assert found.rest == pytest.approx(expected, rel=1e-14)
    assert diagonal_part(0.0).excess(2.0).rest == pytest.approx(solved, rel=1e-14, abs=0.0)


def test_small_values_above_eta_are_found() -> None:
    part = replace(diagonal_part(), inside=np.diag([-1.5, -1.0]))
    np.testing.assert_allclose(part.excess(2.0).values, [0.5], rtol=1e-15)


@pytest.mark.parametrize("room", [0.0, -0.5])
def test_a_room_that_is_too_small_is_widened_and_that_counts(room: float) -> None:
    found = diagonal_part(0.0).excess(room)
    assert found.room == room
    least = 2e-16
    np.testing.assert_allclose(found.values, [3.0 + 4.0 / least, 1.0 / least - 1.0], rtol=1e-12)
    solved = eigen_error(2, float(np.hypot(4.0, 1.0)) / least)
    # Rounding of the large numbers is far above the room itself.
    assert found.rest - solved == pytest.approx(least - room, rel=1e-9, abs=1e-9 * solved)
    still = replace(diagonal_part(0.0), square=np.zeros((2, 2)))
    assert still.excess(room).values == pytest.approx([3.0])
    solved = eigen_error(2, float(np.hypot(3.0, 1.0)))
    assert still.excess(room).rest == pytest.approx(TINY - room + solved, rel=1e-13, abs=0.0)


def test_an_empty_span_has_nothing_above_eta() -> None:
    none = np.zeros((4, 0))
    part = SpanPart(none, np.zeros((0, 0)), np.zeros((0, 0)), 0.0, 0.0, none, 0.0)
    assert part.mixing == 0.0
    found = part.excess(1.0)
    assert (found.values.size, found.vectors.shape, found.rest) == (0, (4, 0), 0.0)


def with_spectrum(point: Point, direction: Array, aim: float = np.inf) -> SpanPart:
    spectrum = Spectrum(np.array([4.0]), direction[:, None], 2.0, 0.0625)
    # The image of a direction that is no eigenvector is given.
    return SpanPart.of(point, spectrum, 2.0 * S @ direction[:, None], exactness=aim)


def test_an_eigenvector_is_taken_in_with_its_errors() -> None:
    point = point_of(axis(0, 0.5), error=ERROR)
    left, right = low_rank_part(point)
    spectrum = Spectrum(np.array([4.0]), axis(1)[:, None], 2.0, 0.0625)
    part = SpanPart.of(point, spectrum, exactness=np.inf)
    first = 6.0 * 0.75 - LAM - ETA
    np.testing.assert_allclose(part.inside, np.diag([first, 4.0 - ETA]), rtol=1e-14)
    known = 0.0625 + matrix_rounding(point, left, right) + sum_error(4) * (first + 4.0)
    image = np.zeros((4, 2))
    image[0, 0], image[1, 1] = first, 4.0 - ETA
    expected = total(point, [2.0 * gradient_error(point, left, right), known], image)
    assert part.error == pytest.approx(expected, rel=1e-12)
    assert part.outside == 0.0
    # Without other errors what is summed is left.
    point = replace(point, data=replace(point.data, H_error=0.0, matrix_rounding=0.0))
    rounding = matrix_rounding(point, left, right) + sum_error(4) * (first + 4.0)
    expected = total(point, [2.0 * gradient_error(point, left, right), rounding], image)
    exact = SpanPart.of(point, replace(spectrum, residual=0.0), exactness=np.inf)
    assert exact.error == pytest.approx(expected, rel=1e-12, abs=0.0)


@pytest.mark.parametrize("new", [0.8, 0.28, 0.3])
def test_an_eigenvector_in_part_of_the_span_is_known_less_exactly(new: float) -> None:
    point = point_of(axis(0, 0.5), error=ERROR)
    left, right = low_rank_part(point)
    inside = np.sqrt(1.0 - new**2)
    direction = axis(0, inside) + axis(1, new)
    first = 6.0 * 0.75 - LAM - ETA
    image = np.zeros((4, 2))
    image[0, 0], image[1, 1] = first, 4.0 - ETA
    error, rounding = 2.0 * gradient_error(point, left, right), matrix_rounding(point, left, right)
    known = 0.0625 + rounding + error * inside
    known += sum_error(4) * (first + np.linalg.norm(2.0 * S @ direction))
    together = known / new
    # One of which little is new counts for itself, and as the longest of all.
    together *= np.sqrt(2.0) if new**2 < 0.1 else 1.0
    part = with_spectrum(point, direction)
    np.testing.assert_allclose(part.inside, np.diag([first, 4.0 - ETA]), atol=1e-14)
    assert part.error == pytest.approx(total(point, [error, together], image), rel=1e-12)
    # It takes a product where that is asked for.
    both = np.sqrt(2.0) * rounding if new**2 < 0.1 else together
    errors = [error, both]
    found = with_spectrum(point, direction, aim=error / ETA)
    assert found.error == pytest.approx(total(point, errors, image), rel=1e-12)


def test_an_eigenvector_that_is_in_the_span_is_left_out_and_counts() -> None:
    point = point_of(axis(0, 0.5))
    direction = axis(0) + axis(1, 5e-6)
    part = with_spectrum(point, direction)
    assert part.basis.shape == (4, 1)
    assert part.outside == 4.0 * 1e-10


@pytest.mark.parametrize("offset", [False, True])
def test_the_offset_is_taken_in_where_it_is_asked_for(offset: bool) -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(9, 4)))
    problem = Problem(rows, Robust(recenter=True), LAM, ETA)
    v = axis(0, 3.0) + axis(2, 0.5)
    point = problem.evaluate(axis(0, 0.5)[:, None], v)
    part = SpanPart.of(point, offset=offset)
    assert part.basis.shape == (4, 1 + offset)
    left, right = low_rank_part(point)
    M = point.curvature_matrix() - 0.5 * (left @ right.T + right @ left.T) - ETA * np.eye(4)
    Q = part.basis
    np.testing.assert_allclose(part.inside, Q.T @ M @ Q, atol=1e-13)
    np.testing.assert_allclose(part.leaving, M @ Q - Q @ (Q.T @ M @ Q), atol=1e-13)
    errors = [2.0 * gradient_error(point, left, right)]
    if offset:
        np.testing.assert_allclose(np.abs(Q[:, 1]), axis(2), atol=1e-15)
        errors.append(matrix_rounding(point, left, right))
    skew = float(np.linalg.norm(Q.T @ Q - np.eye(1 + offset)))
    assert part.error == pytest.approx(total(point, errors, M @ Q, skew), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("beside", [1e-9, 1e-7])
def test_an_offset_that_is_in_the_span_but_for_rounding_is_not_taken_in(beside: float) -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(9, 4)))
    problem = Problem(rows, Robust(recenter=True), LAM, ETA)
    point = problem.evaluate(axis(0, 0.5)[:, None], axis(0, 4.0) + axis(2, 4.0 * beside))
    part = SpanPart.of(point, offset=True)
    assert part.basis.shape == (4, 1 if beside < 1e-8 else 2)
