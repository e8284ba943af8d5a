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
from sparsecone.linalg.rounding import sum_error
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


def test_images_are_as_exact_as_rounding_allows_where_nothing_else_is_asked_for() -> None:
    point = point_of(axis(0, 0.5), error=ERROR)
    errors = [SpanPart.of(point, exactness=aim).error for aim in (0.0, np.inf)]
    assert SpanPart.of(point).error == errors[0] < errors[1]


def test_a_direction_that_is_too_short_is_left_out_and_counts() -> None:
    point = point_of(axis(0, 1.0), axis(1, 1e-4))
    part = SpanPart.of(point)
    assert part.basis.shape == (4, 1)
    # |L d| |C d| for the direction d, C = 2SL + lam L / G with G = |l|^2 for a single entry.
    expected = 1e-4 * (4.0 * 1e-4 + LAM * 1e-4 / 1e-8)
    assert part.outside == pytest.approx(expected, rel=1e-12)


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
    for beside, rank, outside in ((5e-6, 1, 4.0 * 1e-10), (1.2e-5, 2, 0.0)):
        part = with_spectrum(point, axis(0) + axis(1, beside))
        assert part.basis.shape == (4, rank)
        assert part.outside == outside


@pytest.mark.parametrize("offset", [False, True])
def test_the_offset_is_taken_in_where_it_is_asked_for(offset: bool) -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(9, 4)))
    problem = Problem(rows, Robust(recenter=True), LAM, ETA)
    v = axis(0, 3.0) + axis(2, 0.5)
    point = problem.evaluate(axis(0, 0.5)[:, None], v)
    part = SpanPart.of(point, offset=True) if offset else SpanPart.of(point)
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
