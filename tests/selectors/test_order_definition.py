"""The order of choice, by its definition: all matrices anew for each choice, nothing updated."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from sparsecone import from_gram
from sparsecone.data import as_samples
from sparsecone.selectors import choice, sides
from sparsecone.selectors.order import feature_order, in_turn
from sparsecone.selectors.wishes import Wishes

Matrix = NDArray[Any]


class Known(NamedTuple):
    """What is known of all features, given the chosen ones."""

    gains: Matrix
    shared: Matrix
    closest: Matrix
    repeats: Matrix


def known(S: Matrix, n: int, chosen: list[int]) -> Known:
    d, m, own = len(S), max(n - 1, 1), np.diag(S)
    ridge = 0.03 * np.trace(S) / max(min(n - 1, d), 1)
    block = S[np.ix_(chosen, chosen)] + ridge * np.eye(len(chosen))
    R = S - S[:, chosen] @ np.linalg.solve(block, S[chosen])
    left, squares = np.diag(R), np.einsum("ij,ij->j", R, R)
    mean = left * (np.trace(R) - left) / m
    spread = left * np.sqrt(2.0 * np.trace(R @ R)) / m
    gains = np.maximum((squares - mean) / (ridge + left), 0.0)
    shared = np.maximum((squares - left**2 - mean - 3.0 * spread) / (ridge + left), 0.0)
    gains[chosen] = shared[chosen] = 0.0
    inverse = np.where(own > 0.0, 1.0 / np.where(own > 0.0, own, 1.0), 0.0)
    squared = S**2 * np.outer(inverse, inverse)
    closest = squared[chosen].max(axis=0) if chosen else np.zeros(d)
    shares = left * inverse
    shares[chosen] = 0.0
    repeats = (shares <= (1.0 - 0.95**2) * shares.max()) | (closest > 0.95**2)
    return Known(gains, shared, closest, repeats)


def left_open(W: Matrix, chosen: list[int]) -> Matrix:
    """Return the part of each feature in W that is open, beside the largest weight."""
    chosen = [feature for feature in chosen if W[feature, feature] > 0.0]
    block = W[np.ix_(chosen, chosen)]
    block = block + 0.03 * np.diag(np.diag(block))
    told = np.einsum("jc,cj->j", W[:, chosen], np.linalg.solve(block, W[chosen]))
    return np.maximum(np.diag(W) - told, 0.0) / np.diag(W).max()


def weighed(S: Matrix, factor: Matrix) -> Matrix:
    """Return W with each direction weighed by the standard deviation along it."""
    values, vectors = np.linalg.eigh(factor @ factor.T)
    vectors, values = vectors[:, values > 1e-12], values[values > 1e-12]
    # Features without a weight have none, not even by rounding.
    vectors[~factor.any(axis=1)] = 0.0
    spread = np.sqrt(np.einsum("jk,jk->k", vectors, S @ vectors) / np.trace(S))
    return np.asarray((vectors * values * spread) @ vectors.T)


def defined(
    S: Matrix, n: int, factor: Matrix, scores: Matrix, is_diverse: bool, wishes: Wishes
) -> tuple[list[int], list[int]]:
    """Return the features that are chosen one by one, and all others after them."""
    chosen = np.flatnonzero(wishes.keep).tolist()
    unit = known(S, n, []).shared.max()
    W, near = weighed(S, factor), 0.85 if is_diverse else 0.95
    most = min(len(S), max(n - 1, 200), 500)
    while len(chosen) < most:
        now = known(S, n, chosen)
        out = now.repeats | (now.closest > near**2) | wishes.closed(np.isin(range(len(S)), chosen))
        merit = np.zeros(len(S))
        if is_diverse:
            merit = (1.0 - now.closest) * left_open(W, chosen) + 0.03 * now.shared / unit
            merit[out] = 0.0
            merit[chosen] = 0.0
        if not merit.any():
            merit = np.where(out, 0.0, now.gains)
        if not merit.any():
            break
        chosen.append(int(np.argmax(merit >= (1.0 - 1e-9) * merit.max())))
    now, rest = known(S, n, chosen), np.setdiff1d(np.arange(len(S)), chosen)
    keys = (rest, -now.gains[rest], scores[rest] == 0.0, now.repeats[rest])
    return chosen, rest[np.lexsort(keys)].tolist()


def problem(n: int, d: int, seed: int) -> tuple[Matrix, Matrix]:
    """Return samples with copies, near copies and a constant, and a factor of W with zero rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)) * [3.0, 2.0, 1.5, 1.0] @ rng.normal(size=(4, d))
    X += rng.normal(size=(n, d)) * rng.uniform(0.3, 2.0, size=d)
    X[:, 3] = -1.5 * X[:, 1]
    X[:, 5] = X[:, 1] + 0.35 * X[:, 1].std() * rng.normal(size=n)
    X[:, 6] = 4.0
    factor = rng.normal(size=(d, 3)) * [1.0, 0.8, 0.3] / np.sqrt(d)
    factor[::4] = 0.0
    return X, factor


SHAPES = [(60, 25), (25, 60), (12, 30), (300, 14)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("selection", ["diverse", "explained"])
def test_the_order_is_that_of_the_definition(
    selection: str, shape: tuple[int, int], seed: int
) -> None:
    X, factor = problem(*shape, seed)
    centred = X - X.mean(axis=0)
    S, scores = centred.T @ centred, np.linalg.norm(factor @ factor.T, axis=0)
    wishes = Wishes.of(None, shape[1])
    chosen, rest = defined(S, shape[0], factor, scores, selection == "diverse", wishes)
    kinds = [X, sp.csr_array(X), from_gram(S, n_samples=shape[0])]
    for kind in kinds:
        data = kind if kind is kinds[2] else as_samples(kind)
        order = feature_order(data, selection=selection, factor=factor, scores=scores).tolist()
        assert order[: len(chosen)] == chosen
        assert sorted(order) == list(range(shape[1]))
        # What repeats the others by rounding alone has no order of its own.
        assert order[len(chosen) :][:2] == rest[:2]


@pytest.mark.parametrize("unit", [2.0**-12, 2.0**12])
@pytest.mark.parametrize("shape", SHAPES[:2])
@pytest.mark.parametrize("selection", ["diverse", "explained"])
def test_the_order_does_not_depend_on_the_unit(
    selection: str, shape: tuple[int, int], unit: float
) -> None:
    X, factor = problem(*shape, 8)
    given = {
        "selection": selection,
        "factor": factor,
        "scores": np.linalg.norm(factor @ factor.T, axis=0),
    }
    scaled, plain = (feature_order(as_samples(rows), **given) for rows in (unit * X, X))
    np.testing.assert_array_equal(scaled, plain)


@pytest.mark.parametrize("shape", SHAPES[:2])
@pytest.mark.parametrize("selection", ["diverse", "explained"])
def test_the_order_with_wishes_is_that_of_the_definition(
    selection: str, shape: tuple[int, int]
) -> None:
    X, factor = problem(*shape, 7)
    centred = X - X.mean(axis=0)
    S, scores = centred.T @ centred, np.linalg.norm(factor @ factor.T, axis=0)
    keep, exclude = np.isin(range(shape[1]), [9, 2]), np.isin(range(shape[1]), [0, 11])
    labels = np.where(np.arange(shape[1]) < 20, np.arange(shape[1]) % 10, -1)
    for wishes in (
        Wishes(keep, exclude, np.full(shape[1], -1), False),
        Wishes(keep, exclude, labels, False),
        Wishes(keep, exclude, np.where((labels >= 0) & ~keep, 0, -1), False),
    ):
        chosen, _ = defined(S, shape[0], factor, scores, selection == "diverse", wishes)
        order = feature_order(
            as_samples(X), selection=selection, factor=factor, scores=scores, wishes=wishes
        )
        assert order[: len(chosen)].tolist() == chosen


def test_scores_come_first_and_then_what_explains_most() -> None:
    X, factor = problem(60, 25, 1)
    scores = np.linalg.norm(factor @ factor.T, axis=0)
    centred = X - X.mean(axis=0)
    S = centred.T @ centred
    by_score = [j for j in np.argsort(-scores, kind="stable").tolist() if scores[j] > 0.0]
    order = feature_order(as_samples(X), selection="scores", factor=factor, scores=scores).tolist()
    assert order[: len(by_score)] == by_score
    now = known(S, 60, by_score)
    following = np.where(now.repeats, 0.0, now.gains)
    assert order[len(by_score)] == int(np.argmax(following))
    keep = np.isin(range(25), [8])
    wishes = Wishes(keep, np.zeros(25, dtype=bool), np.full(25, -1), False)
    order = feature_order(
        as_samples(X), selection="scores", factor=factor, scores=scores, wishes=wishes
    ).tolist()
    assert order[: len(by_score) + 1] == [8, *(j for j in by_score if j != 8)]


def test_two_orders_in_turn() -> None:
    first, second = np.array([4, 2]), np.array([1, 2, 4, 0, 3])
    # 4; 1; 2 is the second of both; 4 was; then the others as in the second order.
    assert in_turn(first, second).tolist() == [4, 1, 2, 0, 3]
    assert in_turn(np.array([], dtype=int), second).tolist() == second.tolist()
    assert in_turn(second, second).tolist() == second.tolist()
    assert in_turn(np.array([0, 3, 4]), second).tolist() == [0, 1, 3, 2, 4]


def test_both_are_in_turn_and_constant_data_by_index() -> None:
    X, factor = problem(60, 25, 2)
    scores = np.linalg.norm(factor @ factor.T, axis=0)
    orders = {
        selection: feature_order(as_samples(X), selection=selection, factor=factor, scores=scores)
        for selection in ("diverse", "both")
    }
    by_score = np.argsort(-scores, kind="stable")[: np.count_nonzero(scores)]
    np.testing.assert_array_equal(orders["both"], in_turn(by_score, orders["diverse"]))
    flat, nothing = as_samples(np.ones((4, 5))), np.zeros((5, 1))
    order = feature_order(flat, selection="diverse", factor=nothing, scores=np.zeros(5))
    assert order.tolist() == [0, 1, 2, 3, 4]
    kept = Wishes(np.isin(range(5), [3]), np.zeros(5, dtype=bool), np.full(5, -1), False)
    order = feature_order(
        flat, selection="diverse", factor=nothing, scores=np.zeros(5), wishes=kept
    )
    assert order.tolist() == [3, 0, 1, 2, 4]


def test_no_more_than_are_asked_for_are_chosen_one_by_one() -> None:
    X, factor = problem(60, 25, 3)
    scores = np.linalg.norm(factor @ factor.T, axis=0)
    given = {"selection": "explained", "factor": factor, "scores": scores}
    every = feature_order(as_samples(X), **given)
    centred = X - X.mean(axis=0)
    for count in (1, 2, 7):
        order = feature_order(as_samples(X), count=count, **given)
        np.testing.assert_array_equal(order[:count], every[:count])
        now = known(centred.T @ centred, 60, every[:count].tolist())
        rest = order[count:]
        n_open = np.count_nonzero(~now.repeats[rest])
        assert not now.repeats[rest[:n_open]].any()
        has_score = scores[rest[:n_open]] > 0.0
        assert np.all(np.diff(has_score.astype(int)) <= 0)
        assert np.all(np.diff(now.gains[rest[:n_open]][has_score]) <= 1e-9)


def test_what_is_kept_counts_among_those_that_are_chosen_one_by_one() -> None:
    # Of 230 features of 90 samples 200 are chosen; there is room for no more.
    X = np.random.default_rng(6).normal(size=(90, 230))
    kept = Wishes.of(None, 230)
    kept.keep[[7, 100]] = True
    order = feature_order(
        as_samples(X), selection="explained", factor=np.eye(230), scores=np.ones(230), wishes=kept
    )
    assert order[:2].tolist() == [7, 100]
    assert np.unique(order).size == 230


@pytest.mark.parametrize("is_diverse", [True, False])
@pytest.mark.parametrize("shape", [(30, 120), (200, 90)])
def test_leading_features_follow_the_definition_too(
    shape: tuple[int, int], is_diverse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    n, d = shape
    # Each feature is worth clearly more than the next.
    X = rng.normal(size=(n, d)) * np.geomspace(20.0, 0.5, d)
    X[:, 1::2] += 0.8 * X[:, ::2]
    factor = np.diag(np.geomspace(1.0, 0.2, d))[:, :12]
    centred = X - X.mean(axis=0)
    S, scores = centred.T @ centred, np.linalg.norm(factor @ factor.T, axis=0)
    chosen, _ = defined(S, n, factor, scores, is_diverse, Wishes.of(None, d))
    monkeypatch.setattr(choice, "FEW", 10)
    monkeypatch.setattr(choice, "LEADING", 15)
    selection = "diverse" if is_diverse else "explained"
    order = feature_order(as_samples(X), selection=selection, factor=factor, scores=scores)
    assert order[:12].tolist() == chosen[:12]


def test_components_stand_for_many_samples_with_noise_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sides, "MOST_SAMPLES", 20)
    monkeypatch.setattr(sides, "COMPONENTS", 4)
    X, factor = problem(40, 50, 4)
    centred = X - X.mean(axis=0)
    S, scores = centred.T @ centred, np.linalg.norm(factor @ factor.T, axis=0)
    values, vectors = np.linalg.eigh(S)
    standing = (vectors[:, -4:] * values[-4:]) @ vectors[:, -4:].T
    noisy = standing + np.diag(np.diag(S - standing))
    # Of noise that is nobody else's a choice explains what a regression with it would.
    first = known(noisy, 40, [])
    order = feature_order(as_samples(X), selection="explained", factor=factor, scores=scores)
    assert order[0] == int(np.argmax(first.gains))
