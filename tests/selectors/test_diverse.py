"""What chosen features leave open of W, by its definition."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.selectors.diverse import Repulsion

RNG = np.random.default_rng(0)
FACTOR = RNG.normal(size=(9, 4)) * RNG.uniform(0.1, 3.0, size=(9, 1))
FACTOR[6] = 0.0


def left_open(chosen: list[int]) -> np.ndarray:
    """w_jj - W_jC (W_CC + 0.03 diag(W_CC))^-1 W_Cj."""
    W = FACTOR @ FACTOR.T
    block = W[np.ix_(chosen, chosen)]
    block = block + 0.03 * np.diag(np.diag(block))
    return np.diag(W) - np.einsum("jc,cj->j", W[:, chosen], np.linalg.solve(block, W[chosen]))


@pytest.mark.parametrize(
    "rounds", [[[2]], [[2, 7, 0]], [[2], [7, 0], [5, 1, 8]], [[4, 3], [6], [1]]]
)
def test_what_is_left_open(rounds: list[list[int]]) -> None:
    weights = Repulsion(FACTOR)
    most = (FACTOR**2).sum(axis=1).max()
    np.testing.assert_allclose(weights.parts, (FACTOR**2).sum(axis=1) / most, rtol=1e-14)
    for features in rounds:
        weights.choose(features)
    # A feature without a weight leaves everything as it was.
    chosen = [feature for features in rounds for feature in features if feature != 6]
    np.testing.assert_allclose(weights.parts, left_open(chosen) / most, rtol=1e-9, atol=1e-15)


def test_nothing_is_open_of_a_zero_matrix() -> None:
    weights = Repulsion(np.zeros((5, 2)))
    weights.choose([1, 3])
    np.testing.assert_array_equal(weights.parts, np.zeros(5))


def test_what_is_open_is_never_negative() -> None:
    weights = Repulsion(np.ones((4, 1)))
    weights.choose([0, 1, 2, 3])
    assert (weights.parts >= 0.0).all()
    assert weights.parts[0] == pytest.approx(0.03 / 4.03, rel=1e-9)
