"""What chosen features leave, from every side, against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone import from_gram
from sparsecone.data import as_samples
from sparsecone.selectors import side as base
from sparsecone.selectors import sides as room
from sparsecone.selectors.curve import explained_shares
from sparsecone.selectors.diverse import Repulsion
from sparsecone.selectors.gains import ridge_of
from sparsecone.selectors.rule import Rule
from sparsecone.selectors.sides import FeatureSide, SampleSide, side_of
from sparsecone.selectors.steps import candidates

Matrix = NDArray[Any]


def samples(n: int, d: int) -> Matrix:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 4)) @ rng.normal(size=(4, d)) + rng.normal(size=(n, d))


def explained(X: Matrix, chosen: list[int], ridge: float) -> float:
    """Return what a ridge regression on some features explains of the variance of all."""
    X = X - X.mean(axis=0)
    S = X.T @ X
    block = S[np.ix_(chosen, chosen)] + ridge * np.eye(len(chosen))
    return float(np.trace(S[:, chosen] @ np.linalg.solve(block, S[chosen])))


@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_gains_are_differences_of_what_is_explained(shape: tuple[int, int], kind: Any) -> None:
    X = samples(*shape)
    data = as_samples(kind(X))
    side, ridge = side_of(data), ridge_of(data)
    gains = side.gains
    assert isinstance(side, FeatureSide if shape[0] > shape[1] else SampleSide)
    side.choose(np.array([3]))
    side.choose(np.array([1, 5]))
    others = np.array([0, 2, 11])
    own, total = gains.left[others], gains.left.sum()
    chance = own * (total - own) / (shape[0] - 1) / (ridge + own)
    more = [explained(X, [3, 1, 5, j], ridge) - explained(X, [3, 1, 5], ridge) for j in others]
    np.testing.assert_allclose(gains.gains()[others], np.maximum(more - chance, 0.0), rtol=1e-8)
    assert gains.gains().max() > 0.0
    assert gains.gains()[3] == 0.0


def test_of_independent_features_only_their_own_variance_is_left_in_the_mean() -> None:
    rng = np.random.default_rng(0)
    ratios = []
    for _ in range(20):
        data = as_samples(rng.normal(size=(200, 50)))
        own = np.asarray(data.variances)
        ratios.append((side_of(data).gains.gains() * (ridge_of(data) + own) / own**2).mean())
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.03)


def test_what_is_left_and_who_is_closest() -> None:
    X = samples(50, 10)
    side = side_of(as_samples(X))
    side.choose(np.array([2]))
    correlations = np.corrcoef(X, rowvar=False)
    np.testing.assert_allclose(side.gains.closest, correlations[2] ** 2, rtol=1e-10)
    side.choose(np.array([4]))
    np.testing.assert_allclose(
        side.gains.closest, np.maximum(correlations[2] ** 2, correlations[4] ** 2), rtol=1e-10
    )


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_leading_components_stand_for_many_samples(
    kind: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = samples(30, 60)
    exact = side_of(as_samples(X))
    monkeypatch.setattr(room, "MOST_SAMPLES", 20)
    standing = side_of(as_samples(kind(X)))
    assert isinstance(standing, SampleSide)
    for side in (exact, standing):
        side.choose(np.array([8, 21]))
    # All 29 components: nothing is left to each feature alone.
    np.testing.assert_allclose(standing.gains.gains(), exact.gains.gains(), rtol=1e-6)


def test_a_feature_alone_is_explained_by_nothing_but_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "MOST_SAMPLES", 20)
    monkeypatch.setattr(room, "COMPONENTS", 4)
    X = samples(30, 60)
    gains = side_of(as_samples(X)).gains
    variances = np.var(X, axis=0) * 30
    np.testing.assert_allclose(gains.left + gains.own, variances, rtol=1e-8)
    assert np.all(gains.own > 0.0)


def test_before_a_choice_all_variance_is_left_and_after_it_none_of_the_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Fewer components than the data have, and eigenvalues below one.
    X = 1e-3 * np.random.default_rng(0).normal(size=(40, 9)) * np.geomspace(3.0, 0.3, 9)
    data = as_samples(X)
    for name in ("MOST_SAMPLES", "LARGEST_GRAM"):
        monkeypatch.setattr(f"sparsecone.selectors.sides.{name}", 0)
    monkeypatch.setattr("sparsecone.selectors.sides.COMPONENTS", 4)
    gains = (side := side_of(data)).gains
    assert gains.own.min() > 0.0
    np.testing.assert_allclose(gains.shares, 1.0, rtol=1e-12)
    np.testing.assert_allclose(gains.total, data.trace, rtol=1e-12)
    side.choose(np.array([2, 5]))
    assert gains.shares[[2, 5]].tolist() == [0.0, 0.0]
    assert gains.shares[[0, 1, 3, 4]].min() > 0.0


@pytest.mark.parametrize(
    ("shape", "kind"),
    [
        ((9, 12), SampleSide),
        ((10, 10), SampleSide),
        ((12, 10), FeatureSide),
        # More samples than inner products are formed of: S, or components where it is the larger.
        ((11, 11), FeatureSide),
        ((12, 13), None),
        ((20, 15), FeatureSide),
        ((20, 16), None),
    ],
)
def test_the_smallest_side_is_taken(
    shape: tuple[int, int], kind: type | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_SAMPLES", 10)
    monkeypatch.setattr(room, "LARGEST_GRAM", 15)
    monkeypatch.setattr(room, "COMPONENTS", 3)
    side = side_of(as_samples(samples(*shape)))
    if kind is None:
        assert isinstance(side, SampleSide)
        assert len(side.inner) == 3
    else:
        assert type(side) is kind
        assert len(side.inner if kind is SampleSide else side.gram) == min(shape)


@pytest.mark.parametrize(("d", "is_square"), [(9, True), (10, True), (11, False)])
def test_moments_have_no_samples_to_take(
    d: int, is_square: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MOST_SAMPLES", 10)
    X = samples(6, d) - samples(6, d).mean(axis=0)
    side = side_of(from_gram(X.T @ X, n_samples=6))
    assert isinstance(side, FeatureSide) is is_square


@pytest.mark.parametrize("tile", [1, 50, 10**6])
@pytest.mark.parametrize("shape", [(40, 13), (8, 13), (8, 1)])
def test_tiles_of_any_size_give_the_same(
    tile: int, shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "SMALL", tile)
    monkeypatch.setattr(base, "CACHED", tile)
    X = samples(*shape)
    data, chosen = as_samples(X), list(range(min(5, shape[1])))
    centred = X - X.mean(axis=0)
    S, side = centred.T @ centred, side_of(data)
    np.testing.assert_allclose(side.gains.squares, (S**2).sum(axis=0), rtol=1e-10)
    side.choose(np.array(chosen))
    block = S[np.ix_(chosen, chosen)] + ridge_of(data) * np.eye(len(chosen))
    R = S - S[:, chosen] @ np.linalg.solve(block, S[chosen])
    np.testing.assert_allclose(side.gains.left, np.diag(R), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(side.gains.squares, (R**2).sum(axis=0), rtol=1e-7, atol=1e-7)
    assert side.gains.total == pytest.approx(np.trace(R), rel=1e-9)
    assert side.gains.total_squares == pytest.approx(np.trace(R @ R), rel=1e-9)
    assert side.count == len(chosen)


@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
def test_a_side_knows_what_its_choices_add_and_what_others_would(shape: tuple[int, int]) -> None:
    X, order = samples(*shape), np.array([7, 2, 9, 0, 5])
    data = as_samples(X)
    side = side_of(data)
    few = candidates(
        side, Repulsion(X.T), np.arange(shape[1]), Rule(0.0, 1.0), np.zeros(shape[1], dtype=bool)
    )
    few.choose(7)
    side.gains.chosen[7] = True
    few.end()
    side.choose(order[1:3])
    added = side.adding(order)
    assert added is not None
    np.testing.assert_allclose(np.cumsum(added) / data.trace, explained_shares(data, order))
    # Nothing follows what was asked.
    assert side.count == 3
    np.testing.assert_array_equal(side.adding(order[:3]), added[:3])


def test_a_side_does_not_know_what_was_not_chosen_in_this_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, order = samples(50, 61), np.array([7, 2, 9])
    side = side_of(as_samples(X))
    side.choose(order)
    assert side.adding(order[[1, 0, 2]]) is None
    assert side.adding(order[:2]) is None
    # Components that stand for the samples do not know what the others explain.
    monkeypatch.setattr(room, "MOST_SAMPLES", 40)
    monkeypatch.setattr(room, "COMPONENTS", 5)
    standing = side_of(as_samples(X))
    standing.choose(order)
    assert standing.adding(order) is None
