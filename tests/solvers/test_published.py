"""The step of the published algorithm: the PSD part of a matrix, by whichever way is cheaper."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sparsecone.data import as_samples
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Problem
from sparsecone.solvers.published import Weights, feature_weights, positive_part


def wide_step(
    seed: int, *, eta: float, spread: float, lams: tuple[float, float]
) -> tuple[Problem, Weights]:
    """Draw fewer samples than features, whose scales are so many decades apart, and weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    d = int(rng.integers(n, 17))
    X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-spread, spread, d)
    samples = as_samples(X * 10.0 ** rng.uniform(-3.0, 3.0))
    lam = 10.0 ** rng.uniform(*lams) * samples.trace
    problem = Problem(samples, Squared(), lam, eta * samples.trace)
    return problem, Weights(None, feature_weights(problem, rng.uniform(size=d) ** 2), None)


def symmetrised(problem: Problem, weights: Weights) -> Array:
    """Return sym((S + D)^-1 (S - eta/2 I)) by its definition, in the longest numbers there are."""
    X = problem.samples.centred_rows().astype(np.longdouble)
    d = X.shape[1]
    # By Woodbury's formula: the inverse of a small matrix in doubles, improved by Newton's method.
    scaled = X / weights.D.astype(np.longdouble)
    inner = np.eye(len(X)) + scaled @ X.T
    inverse = np.linalg.inv(inner.astype(np.float64)).astype(np.longdouble)
    for _ in range(3):
        inverse = inverse @ (2.0 * np.eye(len(X)) - inner @ inverse)
    numerator = X.T @ X - 0.5 * np.longdouble(problem.eta) * np.eye(d)
    M = numerator / weights.D[:, None] - scaled.T @ (inverse @ (scaled @ numerator))
    return np.asarray(0.5 * (M + M.T), dtype=np.float64)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.sampled_from([0.0, 1e-6, 1e-3, 0.1, 10.0]))
@example(130, 10.0)
def test_the_part_of_wide_data_is_that_of_the_matrix(seed: int, eta: float) -> None:
    problem, weights = wide_step(seed, eta=eta, spread=1.0, lams=(-3.0, 3.0))
    guess = problem.samples.leading(0.5 * problem.eta).vectors
    L, M = positive_part(problem, weights, guess), symmetrised(problem, weights)
    values, vectors = np.linalg.eigh(M)
    expected = (vectors * np.maximum(values, 0.0)) @ vectors.T
    np.testing.assert_allclose(L @ L.T, expected, atol=1e-7 * max(1.0, np.abs(values).max()))


@pytest.mark.parametrize("eta", [1e-6, 1e-3, 1.0])
def test_no_direction_is_missed_where_scales_are_far_apart(eta: float) -> None:
    for seed in range(40):
        problem, weights = wide_step(seed, eta=eta, spread=4.0, lams=(-8.0, 3.0))
        values = np.linalg.eigvalsh(symmetrised(problem, weights))
        if np.abs(values).min() > 1e-7 * np.abs(values).max():
            guess = problem.samples.leading(0.5 * problem.eta).vectors
            found = positive_part(problem, weights, guess)
            assert np.linalg.matrix_rank(found) == np.count_nonzero(values > 0.0), seed
