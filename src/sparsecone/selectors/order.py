"""The one order of all features, whatever number of them is asked for."""

from __future__ import annotations

import numpy as np

from ..data import Data, Rows
from ..linalg.types import Array
from .choice import Choice
from .diverse import Repulsion
from .gains import MOST_CHOSEN, n_steps
from .side import Side
from .sides import side_of
from .wishes import Wishes

SELECTIONS = ("diverse", "explained", "scores", "both")


def feature_order(
    data: Data,
    *,
    selection: str,
    factor: Array,
    scores: Array,
    wishes: Wishes | None = None,
    count: int | None = None,
) -> Array:
    """Return all features, best first; the order does not depend on how many are wanted.

    Features are chosen one by one, each time the best by the rule among those that do not repeat
    the ones before (`Gains.repeats`), until all others do, or `n_steps` are chosen. Then come those
    that repeat nothing, with a score before without, and at last the others; both by what they add
    to the variance explained.

    - "explained": the feature that adds most to the variance explained, less what chance would add
      in these samples (`Gains.gains`).
    - "diverse": the one with the largest `(1 - r^2) p + 0.03 g`, with p the part in W that those
      before it leave open, beside the largest weight (`Repulsion.parts`), each direction of W
      weighed by the standard deviation of the samples along it (`by_spread`), r its largest
      correlation with them, and g what it tells of other features beyond chance, beside the most
      that one does (`Gains.shared`). Features with r above 0.85 wait for all others. So features
      without a part in W have their turn where they tell something that W leaves out, or where W
      has nothing new: then as in "explained".
    - "scores": the features with a score come in its order, whatever they repeat.
    - "both": the best by score and the best of "diverse" in turn, each once.

    A choice costs a product with S, with the samples (up to 1100 of them, fewer than features), or
    with 100 leading components, which stand for more than that. Of more than 1100 features only
    leading ones follow each choice, all others many at once. No data are made dense.

    Parameters
    ----------
    data : Data
        The centred data.
    selection : {"diverse", "explained", "scores", "both"}
        The rule.
    factor : ndarray of shape (n_features, rank)
        L with W = L L'.
    scores : ndarray of shape (n_features,)
        Column norms of W.
    wishes : Wishes or None
        What is kept comes first, and what may not be selected is not chosen.
    count : int or None
        How many features matter: beyond them the order is only rough. None for all.

    Returns
    -------
    ndarray of shape (n_features,)
        Feature indices. Ties go to the lower index.
    """
    return followed_order(
        data, selection=selection, factor=factor, scores=scores, wishes=wishes, count=count
    )[0]


def followed_order(
    data: Data,
    *,
    selection: str,
    factor: Array,
    scores: Array,
    wishes: Wishes | None = None,
    count: int | None = None,
) -> tuple[Array, Side | None]:
    """Return the order of `feature_order`, and the side that followed the choices.

    No side where no choice was needed, or where they are not the first ones of the order.
    """
    if selection == "both":
        diverse = feature_order(
            data, selection="diverse", factor=factor, scores=scores, wishes=wishes, count=count
        )
        return in_turn(_by_score(scores), diverse), None
    most = min(n_steps(data), count or MOST_CHOSEN)
    if wishes is None:
        wishes = Wishes.of(None, data.n_features)
    order = np.flatnonzero(wishes.keep).tolist()
    if selection == "scores":
        scored = _by_score(scores)
        order += scored[~wishes.keep[scored]].tolist()
    if data.trace == 0.0:
        return np.concatenate([order, _others(order, data.n_features)]).astype(np.intp), None
    is_diverse = selection == "diverse" and bool(scores.any())
    weighed = by_spread(data, factor) if is_diverse else factor
    choice = Choice(side_of(data), Repulsion(weighed), is_diverse, wishes)
    choice.follow(order[:most])
    order += choice.further(most - len(order))
    gains = choice.side.gains
    rest = _others(order, data.n_features)
    rest = rest[np.argsort(-gains.gains()[rest], kind="stable")]
    # Numbers of a byte are sorted in no time.
    turn = 2 * gains.repeats[rest].view(np.uint8) + (scores[rest] == 0.0)
    rest = rest[np.argsort(turn, kind="stable")]
    return np.concatenate([np.asarray(order, dtype=np.intp), rest]), choice.side


def _by_score(scores: Array) -> Array:
    """Return the features that have a score, the largest first."""
    return np.argsort(-scores, kind="stable")[: np.count_nonzero(scores)]


def _others(order: list[int], n_features: int) -> Array:
    """Return the features that are not in an order."""
    others = np.ones(n_features, dtype=bool)
    others[order] = False
    return np.flatnonzero(others)


def by_spread(data: Data, factor: Array) -> Array:
    """Return a factor of W with each direction weighed by the samples' standard deviation along it.

    The directions of W that matter have eigenvalues near one, whether they hold much of the
    variance or just enough; those of S differ by all of it. This is half way between the two.
    """
    values, turn = np.linalg.eigh(factor.T @ factor)
    values, turned = values[values > 0.0], factor @ turn[:, values > 0.0]
    if isinstance(data, Rows) and not data.prefers_gram:
        along = data.project(turned)
        variances = np.einsum("ik,ik->k", along, along)
    else:
        variances = np.einsum("jk,jk->k", turned, data.gram_product(turned))
    # No direction has more than all of the variance, but for rounding.
    shares = np.clip(variances / (data.trace * values), 0.0, 1.0)
    return np.asarray(turned * shares**0.25)


def in_turn(first: Array, second: Array) -> Array:
    """Return the features of two orders in turn, each once; the second has all of them.

    Examples
    --------
    >>> in_turn(np.array([2, 0]), np.array([2, 1, 3, 0])).tolist()
    [2, 0, 1, 3]
    """
    turns = np.empty(second.size)
    turns[second] = 2 * np.arange(second.size) + 1
    turns[first] = np.minimum(turns[first], 2 * np.arange(first.size))
    return np.argsort(turns, kind="stable")
