"""Rankings of several batches as one, and the columns that tell of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..linalg.types import Array
from ..selectors.wishes import Wishes
from .ranking import Ranked

DEFAULT_KEY = "highly_variable"


@dataclass(frozen=True)
class Combined:
    """The result over all batches, one entry a gene."""

    selected: dict[int, Array]  #: The genes that are selected, for every number asked for.
    #: Mean scores, and ranks from 1.
    scores: Array
    ranks: Array
    #: In how many batches the gene is among the largest number asked for.
    n_batches_selected: Array
    n_batches: int

    @property
    def largest(self) -> Array:
        """The largest selection."""
        return self.selected[max(self.selected)]

    def columns(self, key_added: str | None, *, with_batches: bool) -> dict[str, Array]:
        """Return the columns of the table."""
        key, own = key_added or DEFAULT_KEY, key_added or "sparsecone"
        columns = {key: self.largest}
        if len(self.selected) > 1:
            columns |= {f"{key}_{count}": mask for count, mask in self.selected.items()}
        # scanpy's rank is that of the selected; a key of the user's own has one rank, that of all.
        columns |= {
            f"{key}_rank": np.where(self.largest, self.ranks - 1.0, np.nan),
            f"{own}_score": self.scores,
            f"{own}_rank": self.ranks,
        }
        if with_batches:
            everywhere = self.n_batches_selected == self.n_batches
            columns[f"{key}_nbatches"] = self.n_batches_selected
            columns[f"{key}_intersection"] = everywhere
        return columns


def combined(
    fits: Sequence[Ranked], counts: Sequence[int], *, min_batches: int, wishes: Wishes
) -> Combined:
    """Rank by the number of batches that select a gene, then by its median rank in these."""
    most = max(counts)
    ranks = np.array([fit.ranks for fit in fits])
    scores = np.array([fit.scores for fit in fits])
    scored = np.array([_has_score(fit.scores) for fit in fits])
    # A gene without a score is not selected in a batch: only its position put it among the first.
    chosen = (ranks <= most) & (scored if len(fits) > 1 else True)
    number = chosen.sum(axis=0)
    # Genes that no batch selects follow by their median rank in all.
    medians = np.nanmedian(np.where(chosen | (number == 0), ranks, np.nan), axis=0)
    order, sizes = wishes.arranged(np.lexsort([medians, -number]))
    final = np.empty(order.size, dtype=np.int64)
    final[order] = np.arange(1, order.size + 1)
    # The three models say it themselves, and have an order for the genes without a score.
    if not hasattr(fits[0].selector, "solution_"):
        _warn_of_ties(int(scored.any(axis=0).sum()), most)
    enough = (number >= min(min_batches, len(fits))) | wishes.keep
    selected = {count: (final <= _cut(sizes, count)) & enough for count in sorted(counts)}
    return Combined(selected, scores.mean(axis=0), final, number, len(fits))


def _cut(sizes: Array, count: int) -> int:
    """Return the largest number up to the one asked for that the wishes allow."""
    return int(sizes[sizes <= max(count, sizes[0])][-1])


def written_columns(var: Any, key_added: str | None) -> list[str]:
    """Return the columns that an earlier call has written, and this one replaces."""
    key, own = key_added or DEFAULT_KEY, key_added or "sparsecone"
    ends = ("_rank", "_score", "_nbatches", "_intersection")
    known = {key, *(f"{name}{end}" for name in (key, own) for end in ends), "means", "variances"}
    return [
        name
        for name in map(str, var.columns)
        if name in known or (name.startswith(f"{key}_") and name[len(key) + 1 :].isdigit())
    ]


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
