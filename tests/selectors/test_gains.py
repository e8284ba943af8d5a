"""What features add, by the definitions: a matrix R of what is left, and the mean of chance."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data import as_samples
from sparsecone.selectors.gains import Gains, n_steps, ridge_of
from sparsecone.selectors.sides import side_of

N, D, RHO = 12, 7, 0.4


def scatter() -> np.ndarray:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 3)) @ rng.normal(size=(3, D)) + 0.5 * rng.normal(size=(N, D))
    X -= X.mean(axis=0)
    return X.T @ X


def left_by(S: np.ndarray, chosen: list[int]) -> np.ndarray:
    """R = S - S_:C (S_CC + rho I)^-1 S_C:, by its definition."""
    block = S[np.ix_(chosen, chosen)] + RHO * np.eye(len(chosen))
    return S - S[:, chosen] @ np.linalg.solve(block, S[chosen])


def gains_of(S: np.ndarray, R: np.ndarray, chosen: list[int], n: int = N) -> Gains:
    own = np.zeros(D)
    gains = Gains(np.diag(S).copy(), own, np.einsum("ij,ij->j", R, R), RHO, n)
    gains.left = np.diag(R).copy()
    gains.chosen[chosen] = True
    gains.look()
    return gains


@pytest.mark.parametrize("n", [2, N])
@pytest.mark.parametrize("chosen", [[], [2], [5, 0, 3]])
def test_gains_are_those_of_the_definition(chosen: list[int], n: int) -> None:
    S = scatter()
    R = left_by(S, chosen) if chosen else S
    gains, m, diagonal = gains_of(S, R, chosen, n), n - 1, np.diag(R)
    squares = np.einsum("ij,ij->j", R, R)
    chance = diagonal * (np.trace(R) - diagonal) / m
    expected = np.maximum((squares - chance) / (RHO + diagonal), 0.0)
    expected[chosen] = 0.0
    np.testing.assert_allclose(gains.gains(), expected, rtol=1e-12, atol=0.0)
    spread = 3.0 * np.sqrt(2.0 * np.trace(R @ R)) / m
    others = squares - diagonal**2 - chance - diagonal * spread
    shared = np.maximum(others / (RHO + diagonal), 0.0)
    shared[chosen] = 0.0
    np.testing.assert_allclose(gains.shared(), shared, rtol=1e-10, atol=1e-12)


def test_noise_of_its_own_is_variance_that_tells_nothing_of_others() -> None:
    S, own = scatter(), np.linspace(0.1, 0.7, D)
    variances, squares = np.diag(S) + own, np.einsum("ij,ij->j", S, S)
    gains = Gains(variances, own, squares, RHO, N)
    total = variances.sum()
    # |R_:j|^2 has R_jj^2 of what is shared and of what is not.
    told = squares - np.diag(S) ** 2 + variances**2
    expected = (told - variances * (total - variances) / (N - 1)) / (RHO + variances)
    np.testing.assert_allclose(gains.gains(), np.maximum(expected, 0.0), rtol=1e-12, atol=1e-12)
    assert gains.total == pytest.approx(total, rel=1e-14)
    assert gains.chance() == pytest.approx(
        (total + 3.0 * np.sqrt(2.0 * squares.sum())) / (N - 1), rel=1e-14
    )


def test_features_repeat_by_a_correlation_or_by_what_is_left() -> None:
    gains = Gains(np.ones(4), np.zeros(4), np.ones(4), RHO, N)
    gains.left = np.array([1.0, 0.0974, 0.0976, 0.5])
    gains.closest = np.array([0.0, 0.0, 0.95**2, 0.9026])
    # 1 - 0.95^2 = 0.0975 of the most that is left, and a squared correlation above 0.9025.
    np.testing.assert_array_equal(gains.repeats, [False, True, False, True])
    gains.chosen[0] = True
    np.testing.assert_array_equal(gains.shares, [0.0, 0.0974, 0.0976, 0.5])
    np.testing.assert_array_equal(gains.repeats, [True, False, False, True])


def test_where_nothing_is_left_every_feature_repeats_the_chosen_ones() -> None:
    gains = Gains(np.array([2.0, 1.0, 0.0]), np.zeros(3), np.ones(3), RHO, N)
    np.testing.assert_array_equal(gains.repeats, [False, False, True])
    gains.chosen[:2] = True
    np.testing.assert_array_equal(gains.repeats, [True, True, True])


@pytest.mark.parametrize(("shape", "count"), [((5, 9), 4), ((9, 5), 5), ((2, 3), 1)])
def test_the_ridge_is_a_part_of_the_mean_eigenvalue(shape: tuple[int, int], count: int) -> None:
    data = as_samples(np.random.default_rng(0).normal(size=shape))
    assert ridge_of(data) == pytest.approx(0.03 * data.trace / count, rel=1e-14)
    assert side_of(data).gains.ridge == ridge_of(data)


@pytest.mark.parametrize(
    ("shape", "count"), [((3, 150), 150), ((3, 250), 200), ((301, 350), 300), ((600, 550), 500)]
)
def test_so_many_features_are_chosen_one_by_one(shape: tuple[int, int], count: int) -> None:
    assert n_steps(as_samples(np.random.default_rng(0).normal(size=shape))) == count
