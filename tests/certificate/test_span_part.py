"""The part of M in a span: how it is made, changed and used, with every term of its error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.certificate.span import SpanPart
from sparsecone.linalg.rounding import TINY, eigen_error, sum_error
from sparsecone.linalg.types import Array

ERROR = 1e-3


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


@pytest.mark.parametrize("skew", [0.0, 1e-3])
def test_columns_in_few_directions_change_the_part_as_the_whole_of_them(skew: float) -> None:
    rng = np.random.default_rng(1)
    M, rows = rng.normal(size=(9, 9)), rng.normal(size=(9, 2))
    M, turn = M + M.T, np.linalg.qr(rng.normal(size=(4, 2)))[0]
    Q = np.linalg.qr(rng.normal(size=(9, 4)))[0] @ (
        np.eye(4) + 0.3 * skew * rng.normal(size=(4, 4))
    )
    apart = float(np.linalg.norm(Q.T @ Q - np.eye(4)))
    inside = Q.T @ M @ Q
    leaving = M @ Q - Q @ inside
    part = SpanPart(Q, inside, leaving.T @ leaving, 0.0, 0.5, leaving, apart)
    D, C = rows @ turn.T, rng.normal(size=(4, 3))
    for found in (
        part.changed(rows, turn),
        part.changed(D),
        part.changed(0.5 * D).changed(0.5 * D),
    ):
        np.testing.assert_allclose(found.inside, inside - 0.5 * (Q.T @ D + D.T @ Q), atol=1e-13)
        R = leaving - 0.5 * (D - Q @ (Q.T @ D))
        np.testing.assert_allclose(found.leaving, R, atol=1e-13)
        np.testing.assert_allclose(found.times(C), R @ C + Q @ (found.inside @ C), atol=1e-13)
        # The square is known without R, but for how far Q is from orthonormal.
        off = np.linalg.norm(found.square - R.T @ R, 2)
        assert off <= found.square_error
        assert (off > 1e-7) == (skew > 0.0)
        assert found.mixing >= np.linalg.norm(R, 2)
    size = np.linalg.norm(rows) + np.linalg.norm(inside) + np.linalg.norm(leaving)
    unit = 4.0 * apart + 4.0 * sum_error(13) * 2.0
    found = replace(part, square_error=0.25).changed(rows, turn)
    whole = np.hypot(np.linalg.norm(leaving), 1.0) + size - np.linalg.norm(leaving)
    assert found.square_error == pytest.approx(0.25 + unit * whole**2, rel=1e-12)
    assert found.error == pytest.approx(unit * np.linalg.norm(rows), rel=1e-12)


def test_what_the_square_is_off_by_counts_as_it_does() -> None:
    part = diagonal_part(0.0)
    off = replace(part, square_error=0.25)
    assert off.mixing == np.sqrt(4.25)
    assert off.excess(2.0).rest - part.excess(2.0).rest == pytest.approx(0.125, rel=1e-12)


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
