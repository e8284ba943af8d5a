"""The synthetic sets: their shapes, their noise, and that a method of variance finds the pair."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.datasets import make_three_curve, make_three_ring, make_two_moon
from sparsecone.datasets.synthetic import NOISE_AMPLITUDES

MAKERS = {make_two_moon: (800, 2), make_three_curve: (900, 3), make_three_ring: (900, 3)}
every_set = pytest.mark.parametrize("make", MAKERS)


def low_rank_scores(X, eta):
    """Scores of SPCA-PSD without its sparsity term: W = V diag((1 - eta / (2 sigma))_+) V'."""
    centred = X - X.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred)
    W = (directions * np.maximum(1.0 - eta / (2.0 * variances), 0.0)) @ directions.T
    return np.linalg.norm(W, axis=0)


@every_set
def test_sizes_are_the_papers(make):
    n_samples, n_classes = MAKERS[make]
    X, y = make(random_state=0)
    assert X.shape == (n_samples, 9)
    assert np.bincount(y).tolist() == [n_samples // n_classes] * n_classes


@every_set
def test_same_seed_same_sample(make):
    first, second, other = make(random_state=1), make(random_state=1), make(random_state=2)
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])
    assert not np.array_equal(first[0], other[0])
    from_state, _ = make(random_state=np.random.RandomState(1))
    np.testing.assert_array_equal(first[0], from_state)


@every_set
@pytest.mark.parametrize("share", [0.001, 0.01, 0.1])
def test_a_method_of_variance_finds_the_shaped_pair(make, share):
    for seed in range(20):
        X, _ = make(random_state=seed)
        scores = low_rank_scores(X, eta=share * X.var(axis=0).sum() * len(X))
        assert set(np.argsort(-scores)[:2]) == {0, 1}


@every_set
def test_noise_has_the_amplitudes_asked_for_and_no_structure(make):
    X, y = make(n_samples=20_000, random_state=0)
    unit = X[:, :2].std(axis=0).min()
    # A standard deviation from n normal values has a relative error of 1 / sqrt(2 n) = 0.5 %.
    np.testing.assert_allclose(X[:, 2:].std(axis=0) / unit, NOISE_AMPLITUDES, rtol=0.02)
    correlation = np.corrcoef(np.column_stack([X, y]), rowvar=False)[2:9]
    assert np.abs(correlation - np.eye(7, 10, k=2)).max() < 5.0 / np.sqrt(20_000)


def test_without_jitter_the_samples_lie_on_the_shapes():
    X, y = make_two_moon(jitter=0.0, random_state=0)
    centres = np.array([[0.0, 0.0], [1.0, 0.5]])[y]
    np.testing.assert_allclose(np.linalg.norm(X[:, :2] - centres, axis=1), 1.0, rtol=1e-12)
    assert ((X[:, 1] - centres[:, 1] >= 0.0) == (y == 0)).all()
    X, y = make_three_ring(jitter=0.0, random_state=0)
    np.testing.assert_allclose(np.linalg.norm(X[:, :2], axis=1), 1.0 + y, rtol=1e-12)
    X, y = make_three_curve(jitter=0.0, random_state=0)
    np.testing.assert_allclose(X[:, 1] - np.sin(X[:, 0]), 2.0 * y, atol=1e-12)


def test_noise_may_be_chosen_or_left_out():
    assert make_three_ring(noise_amplitudes=[], random_state=0)[0].shape == (900, 2)
    X, _ = make_two_moon(noise_amplitudes=[0.0, 3.0], random_state=0)
    assert not X[:, 2].any()
    assert X[:, 3].std() > X[:, 1].std()


@every_set
def test_classes_share_any_number_of_samples_evenly(make):
    _, y = make(n_samples=101, random_state=0)
    sizes = np.bincount(y)
    assert sizes.sum() == 101
    assert sizes.max() - sizes.min() == 1


def test_refuses_bad_parameters():
    with pytest.raises(ValueError, match="at least the 3 classes"):
        make_three_ring(2)
    with pytest.raises(ValueError, match="noise_amplitudes="):
        make_two_moon(noise_amplitudes=[-1.0])
    with pytest.raises(ValueError, match=r"jitter=-0\.1"):
        make_two_moon(jitter=-0.1)
