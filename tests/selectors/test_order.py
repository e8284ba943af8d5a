"""One order for all numbers of features: copies last, no fillers, ties by index."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.preprocessing import scale

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_blocks, from_gram
from sparsecone.data import as_samples
from sparsecone.selectors import choice as room
from sparsecone.selectors.choice import Choice
from sparsecone.selectors.curve import explained_shares
from sparsecone.selectors.diverse import Repulsion
from sparsecone.selectors.order import by_spread, feature_order
from sparsecone.selectors.rule import best_of
from sparsecone.selectors.sides import side_of
from sparsecone.selectors.wishes import Wishes

Matrix = NDArray[Any]


def two_factors() -> Matrix:
    """Return two equal columns of one factor, a weaker one, two of another factor, and noise."""
    r = np.random.default_rng(0)
    z = r.normal(size=(300, 2))
    a = z[:, 0] + 0.3 * r.normal(size=300)
    weaker = z[:, [0]] + 0.4 * r.normal(size=(300, 1))
    other = z[:, [1, 1]] + 0.8 * r.normal(size=(300, 2))
    X = np.c_[a, a, weaker, other, r.normal(size=(300, 12))]
    return np.asarray((X - X.mean(0)) / X.std(0))


def order_of(selector: Any, X: Any) -> Matrix:
    return np.argsort(selector.fit(X).ranking_)


@pytest.mark.parametrize("selection", ["diverse", "explained"])
def test_one_copy_and_then_the_other_factor(selection: str) -> None:
    selector = SPCAPSD(n_features_to_select=2, selection=selection).fit(two_factors())
    assert selector.selected_.tolist() == [0, 3]
    assert selector.ranking_[1] == 17


def test_scores_and_diverse_in_turn() -> None:
    X = two_factors()
    by_score, diverse, both = (
        SPCAPSD(n_features_to_select=6, selection=selection).fit(X).selected_.tolist()
        for selection in ("scores", "diverse", "both")
    )
    # Two equal columns: rounding decides which of them has the larger score.
    assert sorted(by_score[:2]) == [0, 1]
    # The first of the scores, of the others; then the second of each, a copy among them.
    assert both[:3] == [by_score[0], by_score[1], diverse[1]]


@pytest.mark.parametrize("selection", ["diverse", "explained", "scores", "both"])
@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
def test_a_smaller_selection_is_the_beginning_of_a_larger_one(model: Any, selection: str) -> None:
    X = load_digits(return_X_y=True)[0][:300]
    fits = [model(n_features_to_select=k, selection=selection).fit(X) for k in (3, 12, 30, "auto")]
    for fit in fits[1:]:
        np.testing.assert_array_equal(fit.ranking_, fits[0].ranking_)
    np.testing.assert_array_equal(fits[0].selected_, fits[2].selected_[:3])
    np.testing.assert_array_equal(fits[1].selected_, fits[2].selected_[:12])


def plain_order(data: Any, factor: Matrix, is_diverse: bool, count: int) -> list[int]:
    """Choose features one by one, and look at all of them each time."""
    wishes = Wishes.of(None, data.n_features)
    choice = Choice(side_of(data), Repulsion(by_spread(data, factor)), is_diverse, wishes)
    chosen: list[int] = []
    while len(chosen) < count:
        gains, parts = choice.side.gains, choice.weights.parts
        merits = [
            np.where(gains.repeats, 0.0, rule.worth(gains, parts, wishes.exclude))
            for rule in choice.rules
        ]
        merit = next((merit for merit in merits if merit.any()), merits[-1])
        if not merit.any():
            break
        chosen.append(best_of(merit)[1])
        choice.follow(chosen[-1:])
    return chosen


@pytest.mark.parametrize("is_diverse", [True, False])
@pytest.mark.parametrize("shape", [(40, 300), (500, 90)])
def test_a_few_leading_features_are_enough_to_look_at(
    shape: tuple[int, int], is_diverse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    n, d = shape
    loadings = rng.normal(size=(6, d)) * np.geomspace(4.0, 0.5, 6)[:, None]
    data = as_samples(rng.normal(size=(n, 6)) @ loadings + rng.normal(size=(n, d)))
    factor = np.asarray(data.leading(0.0, most=4).vectors)
    expected = plain_order(data, factor, is_diverse, 60)
    for few, leading in ((1000, 20), (10, 20)):
        monkeypatch.setattr(room, "FEW", few)
        monkeypatch.setattr(room, "LEADING", leading)
        order = feature_order(
            data,
            selection="diverse" if is_diverse else "explained",
            factor=factor,
            scores=np.ones(d),
            count=60,
        )
        chosen = order[: len(expected)]
        if few > d:
            np.testing.assert_array_equal(chosen, expected)
        # Among few, others may have become worth more than they were, by little.
        np.testing.assert_array_equal(chosen[:15], expected[:15])
        shares = explained_shares(data, chosen) - explained_shares(data, np.array(expected))
        assert np.abs(shares).max() < 3e-3


def test_directions_of_w_count_by_the_spread_of_the_samples_along_them() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 5)) @ np.diag([9.0, 4.0, 2.0, 1.0, 0.5]) @ rng.normal(size=(5, 7))
    data = as_samples(X)
    values, vectors = np.linalg.eigh(np.cov(X.T, bias=True) * 80)
    # W in other coordinates: the factor of a matrix is determined up to a rotation only.
    rotation = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    kept, own = vectors[:, -3:], np.array([0.5, 0.9, 0.8])
    found = by_spread(data, kept * np.sqrt(own) @ rotation)
    expected = kept * own * np.sqrt(values[-3:] / values.sum()) @ kept.T
    np.testing.assert_allclose(found @ found.T, expected, atol=1e-12)


def test_the_size_of_tumours_is_not_left_out() -> None:
    """The first of five directions of W holds 44 % of the variance: the choice begins with it."""
    X = scale(load_breast_cancer(return_X_y=True)[0])
    selector = SPCAPSD(n_features_to_select=3).fit(X)
    leading = np.linalg.svd(X, full_matrices=False)[0][:, 0]
    correlations = np.abs(np.corrcoef(leading, X[:, selector.selected_].T)[0, 1:])
    assert correlations.max() > 0.8
    assert selector.score(X) > 0.6


@pytest.mark.parametrize("selection", ["diverse", "explained"])
def test_copies_scaled_copies_and_sums_come_last(selection: str) -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(size=(200, 6)) @ np.diag([3.0, 2.5, 2.0, 1.5, 1.2, 1.0])
    planted = np.c_[base[:, 0], -2.0 * base[:, 1], base[:, 2] + base[:, 3], 0.0 * base[:, 0] + 4.0]
    X = np.c_[base, planted]
    order = feature_order(
        as_samples(X), selection=selection, factor=0.1 * np.ones((10, 1)), scores=np.ones(10)
    )
    first = set(order[:6].tolist())
    # One of each pair of copies, two of the three that sum up, and the single ones.
    assert len(first & {0, 6}) == len(first & {1, 7}) == 1
    assert len(first & {2, 3, 8}) == 2
    assert {4, 5} <= first
    assert order[-1] == 9


@pytest.mark.parametrize("selection", ["diverse", "explained", "scores"])
def test_features_without_a_score_come_by_what_they_explain(selection: str) -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(size=(300, 1))
    noise = 0.1 * rng.normal(size=(300, 4))
    X = np.c_[noise, z + 0.5 * rng.normal(size=(300, 3)), 5.0 * rng.normal(size=(300, 2))]
    factor = np.zeros((9, 1))
    factor[7:] = 1.0
    order = feature_order(
        as_samples(X), selection=selection, factor=factor, scores=np.linalg.norm(factor, axis=1)
    )
    assert order[0] in (7, 8)
    # Then the other one with a score, and one of three that tell of each other, not the first.
    first = set(order[:3].tolist())
    assert {7, 8} < first
    assert first & {4, 5, 6}


def test_the_warning_says_how_many_have_no_score_and_what_to_do() -> None:
    X = load_digits(return_X_y=True)[0]
    n_scored = int(np.count_nonzero(SPCAPSD(n_features_to_select=9).fit(X).scores_))
    assert n_scored < 64
    message = rf"{64 - n_scored} of the 64 selected features have a score of zero.*lower lam"
    with pytest.warns(UserWarning, match=message):
        SPCAPSD(n_features_to_select=64).fit(X)


def test_scores_of_zero_are_no_matter_where_scores_have_no_say() -> None:
    X = load_digits(return_X_y=True)[0]
    # A warning would be an error.
    selector = SPCAPSD(n_features_to_select=64, selection="explained").fit(X)
    assert not selector.scores_.all()


@pytest.mark.parametrize("selection", ["diverse", "explained", "scores"])
def test_the_order_is_the_same_for_every_kind_of_data(selection: str) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 5)) @ rng.normal(size=(5, 30)) + rng.normal(size=(80, 30))
    X = np.where(np.abs(X) > 1.0, X, 0.0)
    centred = X - X.mean(axis=0)
    kinds = [
        X,
        sp.csr_array(X),
        from_blocks(lambda: iter([X[:30], X[30:]])),
        from_gram(centred.T @ centred, n_samples=80),
    ]
    orders = [
        order_of(SPCAPSD(n_features_to_select=10, selection=selection), kind) for kind in kinds
    ]
    for order in orders[1:]:
        np.testing.assert_array_equal(order, orders[0])
