"""Rankings of several batches as one."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from ..linalg.types import Array
from ..selectors.base import Selector

COLUMNS = [
    "highly_variable",
    "sparsecone_score",
    "sparsecone_rank",
    "highly_variable_nbatches",
    "highly_variable_intersection",
]


@dataclass(frozen=True)
class Combined:
    """The result over all batches, one entry a gene."""

    selected: Array
    scores: Array
    ranks: Array
    n_batches_selected: Array
    n_batches: int

    def columns(self, *, with_batches: bool) -> dict[str, Array]:
        """Return the columns of the table."""
        counts = self.n_batches_selected
        values = [self.selected, self.scores, self.ranks, counts, counts == self.n_batches]
        columns = dict(zip(COLUMNS, values, strict=True))
        return columns if with_batches else {name: columns[name] for name in COLUMNS[:3]}


def combined(fits: list[Selector], n_top_genes: int) -> Combined:
    """Rank by the number of batches that select a gene, then by its median rank in these."""
    ranks = np.array([fit.ranking_ for fit in fits])
    scores = np.array([fit.scores_ for fit in fits])
    scored = np.array([_has_score(fit.scores_) for fit in fits])
    # A gene without a score is not selected in a batch: only its position put it among the first.
    chosen = (ranks <= n_top_genes) & scored
    counts = chosen.sum(axis=0)
    # Genes that no batch selects follow by their median rank in all.
    medians = np.nanmedian(np.where(chosen | (counts == 0), ranks, np.nan), axis=0)
    order = np.lexsort([medians, -counts])
    final = np.empty(order.size, dtype=np.int64)
    final[order] = np.arange(1, order.size + 1)
    # The three models say it themselves, and have an order for the genes without a score.
    if not hasattr(fits[0], "solution_"):
        _warn_of_ties(int(scored.any(axis=0).sum()), n_top_genes)
    return Combined(final <= n_top_genes, scores.mean(axis=0), final, counts, len(fits))


def _has_score(scores: Array) -> Array:
    """Return which genes a method tells apart from the rest: 0, or where all are negative -inf."""
    return np.asarray(scores > (-np.inf if (scores < 0.0).any() else 0.0))


def _warn_of_ties(n_scored: int, n_top_genes: int) -> None:
    if n_scored < n_top_genes:
        warnings.warn(
            f"Only {n_scored} genes have a score; the rest of the {n_top_genes} are the first of "
            "the others: ask for fewer genes.",
            UserWarning,
            stacklevel=4,
        )
