"""The data term at a point: what it says against dense matrices, and every term of its error."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data.centring import as_rows
from sparsecone.linalg.rounding import spectral_bound, sum_error
from sparsecone.linalg.types import Array
from sparsecone.model.data_term import Image, squared_data_term, weighted_data_term
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.row_terms import row_terms

RNG = np.random.default_rng(0)
ROWS = as_rows(RNG.normal(size=(9, 5)))
X = ROWS.centred_rows()
L = 0.4 * RNG.normal(size=(5, 2))
V = RNG.normal(size=5)
W = L @ L.T
FACTOR = float(np.linalg.norm(L))


def test_an_image_is_multiplied_with_its_error() -> None:
    values = RNG.normal(size=(5, 2))
    first, second = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 2))
    size = float(np.linalg.norm(values))
    for transforms, product, absolute in (
        ((), np.eye(2), np.eye(2)),
        ((first,), first, np.abs(first)),
        ((first, second), first @ second, np.abs(first) @ np.abs(second)),
    ):
        found = Image(values, 0.0).times(*transforms)
        np.testing.assert_allclose(found.values, values @ product, atol=1e-14)
        # Each product is a sum of two terms, as the image has columns.
        summed = len(transforms) * sum_error(2) * size * float(np.linalg.norm(absolute))
        assert found.error == pytest.approx(summed, rel=1e-13, abs=0.0)
        off = Image(values, 0.5).times(*transforms).error
        assert off == pytest.approx(0.5 * spectral_bound(product) + summed, rel=1e-13)


@pytest.mark.parametrize("known", [False, True])
def test_the_squared_loss_is_that_of_dense_matrices(known: bool) -> None:
    image = Image(2.0 * X.T @ X @ L, 0.125) if known else None
    found = squared_data_term(ROWS, L, image)
    A = 2.0 * (X - X @ W)
    value = float(((X - X @ W) ** 2).sum())
    assert found.value == pytest.approx(value, rel=1e-13)
    assert found.smooth_value == found.value
    np.testing.assert_allclose(found.H, 2.0 * X.T @ X @ L, atol=1e-13)
    assert found.inner == pytest.approx(float(np.vdot(A, X)), rel=1e-13)
    assert found.quadratic == pytest.approx(0.25 * float(np.vdot(A, A)), rel=1e-13)
    assert found.curvature == pytest.approx(2.0 * float((X**2).sum()), rel=1e-13)
    assert found.total_weight == 18.0
    assert found.weights is found.h is found.projected_weights is None
    assert not found.is_majorised
    assert found.longest == np.inf
    error = ROWS.gram_error
    off = 0.125 if known else 2.0 * error * FACTOR
    assert found.H_error == off
    assert found.matrix_rounding == 2.0 * error
    expected = error + off * FACTOR * (1.0 + np.linalg.norm(L.T @ L))
    assert found.rounding == pytest.approx(expected, rel=1e-13, abs=0.0)
    expected = 2.0 * error + off * FACTOR
    assert found.inner_rounding == pytest.approx(expected, rel=1e-13, abs=0.0)


@pytest.mark.parametrize("gram", [False, True])
@pytest.mark.parametrize("v", [None, V])
def test_a_weighted_data_term_is_what_the_rows_add_up_to(v: Array | None, gram: bool) -> None:
    if gram and v is not None:
        return
    loss = Robust(0.5, recenter=v is not None, smoothing=0.25)
    found = weighted_data_term(ROWS, loss, L, v, gram=gram)
    terms = row_terms(ROWS, loss=loss, L=L, v=v, gram=gram)
    sums = terms.sums
    omega = terms.rowwise[0]
    np.testing.assert_array_equal(found.weights, omega)
    np.testing.assert_allclose(found.H, X.T @ (omega[:, None] * X) @ L, atol=1e-13)
    given = found.value, found.smooth_value, found.total_weight
    assert given == (sums[0], sums[1], sums[4])
    assert (found.inner, found.quadratic, found.curvature) == sums[5:8]
    assert found.matrix_rounding == sums[10]
    assert found.H_error == pytest.approx(sums[10] * FACTOR, rel=1e-15, abs=0.0)
    # Sums over nine samples.
    expected = sums[8] + sum_error(9) * sums[0]
    assert found.rounding == pytest.approx(expected, rel=1e-13, abs=0.0)
    expected = sums[9] + sum_error(9) * abs(sums[5])
    assert found.inner_rounding == pytest.approx(expected, rel=1e-13, abs=0.0)
    assert found.longest == terms.largest
    assert (found.gram is not None) == gram
    if v is None:
        assert found.h is None
    else:
        assert found.h is not None
        np.testing.assert_allclose(found.h, X.T @ omega, atol=1e-13)
    assert found.projected_weights is not None
    np.testing.assert_allclose(found.projected_weights, (X @ L).T @ omega, atol=1e-13)


def test_a_majorant_touches_and_is_above() -> None:
    loss = Robust(0.5)
    term = weighted_data_term(ROWS, loss, L, None, gram=True)
    assert term.gram is not None
    for factor in (L, 1.5 * L, RNG.normal(size=(5, 3))):
        found = loss.nearby(ROWS, term, factor, Image(term.gram @ factor, 0.25))
        residuals = X - X @ factor @ factor.T
        squared, before = (residuals**2).sum(axis=1), ((X - X @ W) ** 2).sum(axis=1)
        omega = 1.0 / np.sqrt(before + 0.5)
        # phi(t) <= phi(t_i) + omega_i (t^2 - t_i^2) / 2.
        value = float((np.sqrt(before + 0.5) + 0.5 * omega * (squared - before)).sum())
        assert found.value == found.smooth_value == pytest.approx(value, rel=1e-12)
        assert found.value >= float(np.sqrt(squared + 0.5).sum()) * (1.0 - 1e-12)
        assert found.inner == pytest.approx(
            float(np.vdot(omega[:, None] * residuals, X)), rel=1e-11
        )
        assert found.quadratic == pytest.approx(0.5 * float(omega @ squared), rel=1e-12)
        assert found.is_majorised
        assert found.longest == 1.0
        assert found.image.error == found.H_error == 0.25
        np.testing.assert_array_equal(found.image.values, term.gram @ factor)


def test_a_term_turns_with_its_factor() -> None:
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    offset = weighted_data_term(ROWS, Robust(0.5, recenter=True), L, V, gram=False)
    for term in (offset, squared_data_term(ROWS, L, None)):
        found = term.turned(turn)
        np.testing.assert_allclose(found.H, term.H @ turn)
        assert found.value == term.value
        if term.projected_weights is not None:
            assert found.projected_weights is not None
            np.testing.assert_allclose(found.projected_weights, term.projected_weights @ turn)
    assert squared_data_term(ROWS, L, None).turned(turn).projected_weights is None


@pytest.mark.parametrize("gram", [False, True])
def test_losses_take_what_they_can_use(gram: bool) -> None:
    image = Image(2.0 * X.T @ X @ L, 0.125)
    assert Squared().data_term(ROWS, L, None, image, gram=gram).H is image.values
    plain = Squared().data_term(ROWS, L, None, None, gram=gram)
    assert Squared().nearby(ROWS, plain, L, image).H_error == 0.125
    found = Robust().data_term(ROWS, L, None, image, gram=gram)
    assert (found.gram is not None) == gram
    # With an offset another factor needs another pass all the same.
    assert Robust(recenter=True).data_term(ROWS, L, V, None, gram=gram).gram is None
