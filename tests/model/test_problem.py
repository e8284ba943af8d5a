"""The formulas: gradients by differences, kinds of samples against each other, weak duality."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sparsecone.certificate import certify
from sparsecone.data import Rows, as_samples, from_gram
from sparsecone.model.losses import Loss, Robust, Squared
from sparsecone.model.problem import Problem

LOSSES: list[Loss] = [Squared(), Robust(0.1), Robust(0.1, recenter=True)]


def random_problem(loss: Loss, seed: int, *, n: int = 9, d: int = 5) -> Problem:
    rng = np.random.default_rng(seed)
    lam, eta = rng.uniform(0.1, 2.0, size=2)
    return Problem(as_samples(rng.normal(size=(n, d))), loss, lam, 0.0 if loss.recenter else eta)


def random_factor(seed: int, d: int = 5, r: int = 3) -> tuple[NDArray[Any], NDArray[Any]]:
    rng = np.random.default_rng(seed + 1000)
    return rng.normal(size=(d, r)), rng.normal(size=d)


def dense_objective(problem: Problem, L: NDArray[Any], v: NDArray[Any] | None) -> float:
    """Return the objective from W itself, by its definition."""
    W, X = L @ L.T, problem.samples.centred_rows()
    residuals = X - X @ W - (0.0 if v is None else v)
    squared = (residuals**2).sum(axis=1)
    loss = problem.loss
    data = squared.sum() if isinstance(loss, Squared) else np.sqrt(squared + loss.delta).sum()
    return float(data + problem.lam * np.linalg.norm(W, axis=0).sum() + problem.eta * np.trace(W))


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@given(seed=st.integers(0, 10_000))
def test_value_is_the_definition(loss: Loss, seed: int) -> None:
    problem = random_problem(loss, seed)
    L, v = random_factor(seed)
    offset = v if loss.recenter else None
    assert problem.evaluate(L, offset).value == pytest.approx(dense_objective(problem, L, offset))


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@given(seed=st.integers(0, 10_000))
def test_gradient_is_the_derivative(loss: Loss, seed: int) -> None:
    problem, eps, step = random_problem(loss, seed), 1e-2, 1e-6
    L, v = random_factor(seed)
    offset = v if loss.recenter else None
    gradient = problem.evaluate(L, offset, eps=eps).gradient
    direction = np.random.default_rng(seed).normal(size=gradient.shape)

    def value(t: float) -> float:
        moved = None if offset is None else offset + t * direction[:, 3]
        return problem.evaluate(L + t * direction[:, :3], moved, eps=eps).smooth_value

    numeric = (value(step) - value(-step)) / (2.0 * step)
    assert np.vdot(gradient, direction) == pytest.approx(numeric, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
@given(seed=st.integers(0, 10_000), other=st.integers(0, 10_000))
def test_no_bound_exceeds_any_value(loss: Loss, seed: int, other: int) -> None:
    problem = random_problem(loss, seed)
    L, v = random_factor(seed)
    bound = certify(problem.evaluate(0.3 * L, v if loss.recenter else None, eps=1e-3)).bound
    L, v = random_factor(other)
    assert bound <= problem.evaluate(0.3 * L, 0.1 * v if loss.recenter else None).value


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_certificate_is_the_same_by_every_eigensolver(
    loss: Loss, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = random_problem(loss, 3, n=12, d=60)
    L, v = random_factor(3, d=60)
    point = problem.evaluate(0.1 * L, 0.1 * v if loss.recenter else None, eps=1e-2)
    expected = certify(point)
    monkeypatch.setattr("sparsecone.certificate.inequality.SMALL", 0)
    reduced = certify(point)
    monkeypatch.setattr("sparsecone.certificate.inequality.NARROW", 0)
    outer = certify(point)
    assert reduced.excess.largest == pytest.approx(expected.excess.largest, rel=1e-5)
    assert reduced.bound == pytest.approx(expected.bound, rel=1e-5)
    # What is outside the span is bounded only: the bound is valid, but may be weaker.
    assert outer.excess.largest >= expected.excess.largest * (1.0 - 1e-9)
    assert 0.0 < outer.bound <= expected.bound * (1.0 + 1e-9)


@pytest.mark.parametrize("loss", LOSSES, ids=str)
def test_a_point_under_other_weights_needs_no_data(loss: Loss) -> None:
    problem = random_problem(loss, 4)
    L, v = random_factor(4)
    point = problem.evaluate(0.3 * L, v if loss.recenter else None, eps=1e-3)
    other = replace(problem, lam=3.0 * problem.lam, eta=0.5 * problem.eta)
    expected = other.evaluate(0.3 * L, v if loss.recenter else None)
    assert point.under(other).value == pytest.approx(expected.value)
    np.testing.assert_allclose(point.under(other).gradient, expected.gradient)
    smoothed = problem.evaluate(0.3 * L, v if loss.recenter else None, eps=1e-2)
    assert point.smoothed(1e-2).smooth_value == pytest.approx(smoothed.smooth_value)
    assert point.smoothed(1e-3) is point


def kinds(X: NDArray[Any]) -> dict[str, Rows]:
    return {
        "csr": as_samples(sp.csr_array(X)),
        "csc": as_samples(sp.csc_matrix(X)),
        "float32": as_samples(X.astype(np.float32)),
    }


@pytest.mark.parametrize("kind", ["csr", "csc", "float32"])
@pytest.mark.parametrize("loss", LOSSES, ids=str)
@pytest.mark.parametrize("shape", [(30, 8), (8, 30)], ids=str)
def test_all_kinds_of_samples_agree(kind: str, loss: Loss, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=shape) * (rng.uniform(size=shape) < 0.3) + 0.5
    weights = rng.uniform(size=shape[0])
    L, v = random_factor(0, d=shape[1])
    exact, other = as_samples(X), kinds(X)[kind]
    rtol = 1e-5 if kind == "float32" else 1e-11
    offset = 0.1 * v if loss.recenter else None
    first = Problem(exact, loss, 0.3, 0.2).evaluate(0.1 * L, offset)
    second = Problem(other, loss, 0.3, 0.2).evaluate(0.1 * L, offset)
    assert second.value == pytest.approx(first.value, rel=rtol)
    np.testing.assert_allclose(second.gradient, first.gradient, rtol=rtol, atol=20 * rtol)
    atol = 50 * rtol
    for name, arguments in {
        "gram_product": (L,),
        "weighted_gram": (weights,),
        "sample_gram": (v**2,),
        "weighted_squared_norms": (v**2,),
        "centred_rows": (),
    }.items():
        np.testing.assert_allclose(
            getattr(other, name)(*arguments), getattr(exact, name)(*arguments), rtol, atol
        )
    np.testing.assert_allclose(other.variances, exact.variances, rtol, atol)


def test_a_gram_matrix_is_as_good_as_the_samples() -> None:
    X = np.random.default_rng(0).normal(size=(20, 6))
    rows = as_samples(X)
    moments = from_gram(rows.gram_matrix, n_samples=20)
    L, _ = random_factor(0, d=6)
    assert moments.trace == pytest.approx(rows.trace)
    np.testing.assert_allclose(moments.gram_product(L), rows.gram_product(L))
    root = moments.root.matrix
    np.testing.assert_allclose(root.T @ root, rows.gram_matrix)


def test_leading_eigenpairs_from_every_side(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    scales = 2.0 ** -np.arange(40)
    for shape in ((60, 40), (30, 70)):
        X = rng.normal(size=shape) @ np.diag(np.resize(scales, shape[1]))
        samples, weights = as_samples(X), rng.uniform(0.5, 1.5, size=shape[0])
        gram = samples.weighted_gram(weights)
        threshold = float(np.sort(np.linalg.eigvalsh(gram))[-4])
        expected = np.sort(np.linalg.eigvalsh(gram))[::-1][:3]
        direct = samples.leading(threshold, weights)
        with monkeypatch.context() as patch:
            patch.setattr("sparsecone.data.spectrum.SMALL", 0)
            patch.setattr("sparsecone.data.spectrum.LARGEST_DENSE", 0)
            patch.setattr("sparsecone.data.spectrum.FIRST", 2)
            iterative = samples.leading(threshold, weights)
        for found in (direct, iterative):
            np.testing.assert_allclose(found.values[:3], expected, rtol=1e-7)
            residual = gram @ found.vectors - found.vectors * found.values
            np.testing.assert_allclose(residual, 0.0, atol=1e-5 * expected[0])


def test_small_data_in_single_precision_are_doubled() -> None:
    X = np.random.default_rng(0).normal(size=(8, 5)).astype(np.float32)
    samples = as_samples(X)
    assert samples.matrix.dtype == np.float64
    assert not samples.is_measured


@pytest.mark.parametrize("factor", [1e-150, 1e-40, 1e40, 1e150])
@pytest.mark.parametrize("loss", [Squared(), Robust(), Robust(recenter=True)], ids=str)
def test_extreme_scales_are_divided_by_a_power_of_two(loss: Loss, factor: float) -> None:
    X = np.random.default_rng(0).normal(size=(9, 5))
    plain, scaled = (Problem(as_samples(s * X), loss, 0.0, 0.0) for s in (1.0, factor))
    assert 1e-60 < scaled.samples.trace < 1e60
    assert np.log2(scaled.samples.scale) % 1.0 == 0.0
    expected = loss.unit(factor) * plain.zero.value
    assert scaled.unit * scaled.zero.value == pytest.approx(expected, rel=1e-6)
