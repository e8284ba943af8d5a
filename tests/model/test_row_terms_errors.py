"""Every term of what a block of rows adds, for products that are off by a hundredth."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data import Rows
from sparsecone.data.centring import as_rows
from sparsecone.linalg.rounding import sum_error
from sparsecone.linalg.types import Array
from sparsecone.model import row_terms as module
from sparsecone.model.losses import Robust
from sparsecone.model.row_terms import multiplier_terms, residuals, row_terms

E, CENTRE = 0.01, 0.02
RNG = np.random.default_rng(0)
L = 0.4 * RNG.normal(size=(5, 2))
V = RNG.normal(size=5)
X = RNG.normal(size=(9, 5))
X -= X.mean(axis=0)
A = L.T @ L
SPREAD = 1.0 + float(np.linalg.norm(A))
FACTOR = float(np.linalg.norm(L))


class Rough(Rows):
    """Rows whose products are off by a hundredth."""

    @property
    def relative_error(self) -> float:
        """A hundredth."""
        return E


ROWS = Rough(X, np.zeros(5), None, centre_error=CENTRE)


def exact(v: Array | None) -> Array:
    return np.asarray(((X - X @ L @ L.T - (0.0 if v is None else v)) ** 2).sum(axis=1))


def sizes_of(v: Array | None) -> tuple[Array, Array]:
    """Return the size of all samples with their offset, and what products with them reach."""
    size = np.linalg.norm(X, axis=1) + (0.0 if v is None else np.linalg.norm(V))
    P = X @ L
    reach = np.linalg.norm(P, axis=1) + np.linalg.norm(P @ A, axis=1)
    return size, reach + (0.0 if v is None else np.linalg.norm(L.T @ V))


@pytest.mark.parametrize("v", [None, V])
def test_errors_of_residuals_are_those_of_the_formula(v: Array | None) -> None:
    found = residuals(ROWS, L, v)
    np.testing.assert_allclose(found.squared, exact(v), rtol=1e-12)
    np.testing.assert_allclose(found.projected, X @ L, rtol=1e-12)
    np.testing.assert_allclose(found.along, 0.0 if v is None else X @ V, atol=1e-13)
    size, reach = sizes_of(v)
    np.testing.assert_allclose(found.inner_errors, E * size * (size + 4.0 * FACTOR * reach))
    np.testing.assert_array_equal(found.errors, found.inner_errors)
    assert found.shift == pytest.approx(CENTRE * SPREAD, rel=1e-14)


@pytest.mark.parametrize("v", [None, V])
def test_residuals_entry_by_entry_are_more_exact(
    v: Array | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    size, reach = sizes_of(v)
    shares = exact(v) / size**2
    # The third smallest share is the first that is not below.
    monkeypatch.setattr(module, "NEAR", float(np.sort(shares)[2]) * (1.0 - 1e-9))
    near = shares < module.NEAR
    assert near.sum() == 2
    for tile in (module.TILE, 1):
        monkeypatch.setattr(module, "TILE", tile)
        found = residuals(ROWS, L, v)
        off = E * size * (1.0 + 2.0 * FACTOR * np.sqrt(SPREAD))
        errors = np.where(
            near, off * (2.0 * np.sqrt(exact(v)) + off), E * size * (size + 4.0 * FACTOR * reach)
        )
        np.testing.assert_allclose(found.errors, errors, rtol=1e-12)
        np.testing.assert_allclose(found.squared, exact(v), rtol=1e-12)


def test_a_thousandth_of_its_square_is_near() -> None:
    rows = as_rows(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    # 1 - 2 w + w^2 for W = w e_1 e_1'.
    for missing, is_near in ((0.0317, False), (0.0316, True)):
        found = residuals(rows, np.array([[np.sqrt(1.0 - missing)], [0.0]]), None)
        assert bool((found.errors < found.inner_errors).all()) == is_near


def test_ends_of_the_interval_of_a_residual() -> None:
    rest = np.array([4.0, 1.0, 0.0]), np.array([5.0, 3.0, 0.0]), np.zeros(3)
    found = module.Residuals(np.zeros((3, 0)), np.zeros(3), *rest, shift=0.5)
    np.testing.assert_allclose(found.highest, [3.5**2, 2.5**2, 0.25], rtol=1e-15)
    np.testing.assert_array_equal(found.lowest, [0.0, 0.0, 0.0])
    closer = found._replace(errors=np.array([1.75, 0.0, 0.0]))
    np.testing.assert_allclose(closer.lowest, [1.0, 0.25, 0.0], rtol=1e-15)


@pytest.mark.parametrize("gram", [False, True])
@pytest.mark.parametrize("v", [None, V])
def test_sums_over_a_block_are_those_of_dense_matrices(v: Array | None, gram: bool) -> None:
    loss = Robust(delta=0.5, smoothing=0.25)
    terms = row_terms(ROWS, loss=loss, L=L, v=v, gram=gram)
    value, smooth, back, projected, total, inner, quadratic, curvature = terms.sums[:8]
    off, inner_off, matrix_off = terms.sums[8:]
    squared = exact(v)
    omega = 1.0 / np.sqrt(squared + 0.75)
    multipliers = omega[:, None] * (X - X @ L @ L.T - (0.0 if v is None else v))
    assert value == pytest.approx(np.sqrt(squared + 0.5).sum(), rel=1e-13)
    assert smooth == pytest.approx(np.sqrt(squared + 0.75).sum(), rel=1e-13)
    weighted = X.T @ (omega[:, None] * X)
    h = [] if v is None else [X.T @ omega]
    expected = weighted if gram else np.column_stack([weighted @ L, *h])
    np.testing.assert_allclose(back, expected, atol=1e-13)
    np.testing.assert_allclose(projected, (X @ L).T @ omega, atol=1e-13)
    assert total == pytest.approx(omega.sum(), rel=1e-13)
    assert inner == pytest.approx(float(np.vdot(multipliers, X)), rel=1e-12)
    assert quadratic == pytest.approx(0.5 * float(omega @ squared), rel=1e-13)
    assert curvature == pytest.approx(float(np.trace(weighted)), rel=1e-13)
    found = residuals(ROWS, L, v)
    upper = np.sqrt(found.highest + 0.5).sum() - value
    lower = value - np.sqrt(found.lowest + 0.5).sum()
    assert off == pytest.approx(max(upper, lower), rel=1e-12)
    lengths = np.linalg.norm(X, axis=1)
    shifted = float(omega @ (found.inner_errors + 2.0 * CENTRE * SPREAD * lengths))
    assert inner_off == pytest.approx(shifted, rel=1e-13)
    centred = 3.0 * CENTRE * float(omega @ lengths)
    assert matrix_off == pytest.approx(E * float(omega @ lengths**2) + centred, rel=1e-13)
    np.testing.assert_allclose(terms.rowwise[0], omega, rtol=1e-13)
    assert terms.largest == pytest.approx((omega**2 * found.highest).max(), rel=1e-13)


def test_the_larger_of_both_ends_is_how_far_the_loss_may_be_off() -> None:
    # A loss that falls slower than it grows, and one that does not.
    class Convex(Robust):
        def value(self, squared_residuals: Array) -> float:
            return float((squared_residuals**2).sum())

    found = residuals(ROWS, L, None)
    for loss in (Robust(), Convex()):
        off = row_terms(ROWS, loss=loss, L=L, v=None, gram=False).sums[8]
        ends = [loss.value(end) for end in (found.lowest, found.squared, found.highest)]
        assert off == pytest.approx(max(ends[2] - ends[1], ends[1] - ends[0]), rel=1e-12)


@pytest.mark.parametrize("v", [None, V])
def test_multipliers_are_as_long_as_the_largest_residual(v: Array | None) -> None:
    omega = np.linspace(0.01, 0.1, 9)
    found = residuals(ROWS, L, v)
    terms = multiplier_terms(ROWS, omega, L=L, v=v, mean=None)
    np.testing.assert_allclose(terms.rowwise[0], omega**2 * found.highest, rtol=1e-13)
    assert terms.largest == terms.rowwise[0].max()


@pytest.mark.parametrize("scale", [0.01, 1.0])
def test_multipliers_about_their_mean_are_off_by_both_errors(scale: float) -> None:
    omega, mean = scale * np.linspace(0.1, 1.0, 9), scale * RNG.normal(size=5)
    terms = multiplier_terms(ROWS, omega, L=L, v=V, mean=mean)
    multipliers = omega[:, None] * (X - X @ L @ L.T - V) - mean
    found = residuals(ROWS, L, V)
    most = omega * np.sqrt(found.highest)
    off = most - omega * np.sqrt(exact(V)) + sum_error(5) * (most + np.linalg.norm(mean))
    expected = np.linalg.norm(multipliers, axis=1) + 2.0 * off
    np.testing.assert_allclose(np.sqrt(terms.rowwise[0]), expected, rtol=1e-12)
    assert terms.largest == terms.rowwise[0].max()
    # The rounding of the sums by itself, where residuals are exact.
    sharp = as_rows(X)
    sharp.centre_error = 0.0
    found = residuals(sharp, L, V)
    terms = multiplier_terms(sharp, omega, L=L, v=V, mean=mean)
    most = omega * np.sqrt(found.highest)
    added = np.sqrt(terms.rowwise[0]) - np.linalg.norm(multipliers, axis=1)
    off = most - omega * np.sqrt(found.squared) + sum_error(5) * (most + np.linalg.norm(mean))
    np.testing.assert_allclose(added, 2.0 * off, rtol=0.05)
