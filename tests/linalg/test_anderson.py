"""Mixtures of the images of a fixed point reach it sooner than the images."""

from __future__ import annotations

import numpy as np

from sparsecone.linalg.anderson import MEMORY, REACH, Anderson, extended, mixed
from sparsecone.linalg.types import Array


def steps_to_the_fixed_point(matrix: Array, *, accelerated: bool) -> int:
    """Return the steps of z -> M z + b, on logarithms, until the residual is below 1e-8."""
    b = np.ones(len(matrix))
    z, history, anderson = np.zeros(len(matrix)), None, Anderson()
    for step in range(500):
        image = matrix @ z + b
        if np.linalg.norm(image - z) < 1e-8:
            return step
        history, products = extended(history, z, image)
        anderson.add(products)
        if not accelerated:
            anderson.forget()
        z = np.log(mixed(history, anderson.mixture(history.shape[1])))
    return 500


def test_a_linear_map_of_few_rates_takes_few_steps() -> None:
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(12, 12)))[0]
    matrix = turn @ np.diag(np.repeat([0.95, 0.5, -0.3], 4)) @ turn.T
    assert steps_to_the_fixed_point(matrix, accelerated=True) <= 8
    assert steps_to_the_fixed_point(matrix, accelerated=False) > 100


def test_a_history_forgets_the_oldest_and_a_mixture_adds_up_to_one() -> None:
    rng = np.random.default_rng(0)
    history, anderson = None, Anderson()
    for _ in range(MEMORY + 5):
        history, products = extended(history, rng.normal(size=6), rng.normal(size=6))
        anderson.add(products)
    assert history is not None
    assert history.shape == (6, MEMORY, 2)
    assert np.isclose(anderson.mixture(MEMORY).sum(), 1.0)
    anderson.forget()
    np.testing.assert_array_equal(anderson.mixture(MEMORY), np.eye(MEMORY)[-1])


def test_parts_that_are_kept_apart_mix_as_one() -> None:
    rng = np.random.default_rng(0)
    steps = [(rng.normal(size=7), rng.normal(size=7)) for _ in range(4)]
    whole, parts = Anderson(), Anderson()
    all_of_it = first = second = None
    for before, after in steps:
        all_of_it, products = extended(all_of_it, before, after)
        whole.add(products)
        first, some = extended(first, before[:3], after[:3])
        second, rest = extended(second, before[3:], after[3:])
        parts.add(some + rest)
    np.testing.assert_allclose(whole.mixture(4), parts.mixture(4), rtol=1e-10)


def test_no_mixture_goes_far_beyond_the_last_image() -> None:
    history = np.array([[[0.0, 0.0], [1.0, 0.0]]])
    assert mixed(history, np.array([-1e6, 1e6 + 1.0])) == np.exp(1.0 + REACH)
