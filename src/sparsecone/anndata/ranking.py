"""The genes of one batch of cells, ranked: the candidates by a fit, the others behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data import LARGEST_GRAM, RunningMoments
from ..data.products import BLOCK
from ..linalg.types import Array
from ..selectors import SPCAPSD
from ..selectors.base import Selector
from ..selectors.wishes import Wishes, set_places
from .source import Cells, Rows

# Candidates are at least so many times as many as are selected.
CANDIDATES_EACH = 2


@dataclass(frozen=True)
class Ranked:
    """The result on one batch."""

    selector: Selector  #: The fit on the candidates.
    #: Rank of each gene, from 1, and its score, 0 where it is no candidate; shape (n_genes,).
    ranks: Array
    scores: Array


@dataclass(frozen=True)
class Recipe:
    """How a batch becomes what is fitted."""

    counts: str  #: What the values are ("log", "raw").
    scale: str  #: How genes are scaled ("unit", "pareto", "none").
    n_candidates: int | None  #: How many of the most variable genes are fitted; None for all.

    def factors(self, running: RunningMoments) -> Array:
        """Return what each gene is multiplied with."""
        if self.scale == "none":
            return np.ones(running.mean.size)
        deviations = np.sqrt(running.variances / max(running.n_samples - 1, 1))
        deviations = np.where(deviations > 0.0, deviations, 1.0)
        return np.asarray(1.0 / (deviations if self.scale == "unit" else np.sqrt(deviations)))

    def candidates(self, variances: Array, wishes: Wishes, most: int) -> Array:
        """Return the genes to fit: the most variable, and those that wishes are about."""
        able = np.flatnonzero(~wishes.exclude)
        number = max(self.n_candidates or variances.size, CANDIDATES_EACH * most)
        if self.counts == "raw" or number >= able.size:
            return np.arange(variances.size)
        first = able[np.argsort(-variances[able], kind="stable")[:number]]
        wanted = wishes.keep | (wishes.labels >= 0)
        wanted[first] = True
        return np.flatnonzero(wanted)


def ranked(
    make: Callable[[], Selector],
    cells: Cells,
    rows: Rows,
    running: RunningMoments,
    *,
    recipe: Recipe,
    wishes: Wishes,
) -> Ranked:
    """Fit a selector to the candidates of a batch, and rank all genes."""
    selector = make()
    asked = selector.n_features_to_select
    most = int(asked) if isinstance(asked, int) else 1
    genes = recipe.candidates(running.variances, wishes, most)
    set_places(selector, wishes, genes)
    if recipe.counts == "raw":
        selector.fit(cells.counts(rows))
    else:
        # Moments are enough for many cells, and take the place of a copy of them.
        long = rows.size > max(BLOCK, genes.size) and genes.size <= LARGEST_GRAM
        in_blocks = long and isinstance(selector, SPCAPSD)
        selector.fit(cells.samples(rows, genes, recipe.factors(running), in_blocks=in_blocks))
    others = np.setdiff1d(np.arange(running.mean.size), genes)
    by_variance = np.lexsort([others, -running.variances[others], wishes.exclude[others]])
    ranks, scores = np.empty(running.mean.size, dtype=np.int64), np.zeros(running.mean.size)
    ranks[genes], scores[genes] = selector.ranking_, selector.scores_
    ranks[others[by_variance]] = np.arange(genes.size + 1, running.mean.size + 1)
    return Ranked(selector, ranks, scores)


def chosen_number(fits: list[Ranked], numbers: list[int] | str) -> list[int]:
    """Return the numbers of genes; automatic ones of batches by their median."""
    if isinstance(numbers, list):
        return numbers
    found: list[Any] = [fit.selector.selected_.size for fit in fits]
    return [int(np.median(found))]
