"""The verdict of the study in plain words, worked out from the rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..section import Points
from .orders import DEFAULT, EVERYTHING, METHODS
from .run import COUNTS
from .sets import CellSet
from .tables import LARGE, SMALL, Rows

#: Points by which the default should be ahead of the mean of scanpy's flavours, and by which it
#: may be behind the best of them with many genes.
WANTED_LEAD, ALLOWED = 2.0, 0.5
FLAVOURS = [method.name for method in METHODS if method.is_flavour]
MEASURES = {"nmi": "NMI of k-means", "purity": "purity of 15 neighbours"}
PROTOCOL = (
    "Each method orders the genes of all cells, and of two random draws of 80 % of them where "
    "labels do not come from clustering; figures are means of the three. Each has the input that "
    "it documents: raw counts for seurat_v3, pearson_residuals, deviance and sparsecone with raw "
    "counts, logarithms of counts scaled to their median depth for the others. The first 50 to "
    "2000 genes of the log-normalised cells go into a PCA of 30 components, then k-means with the"
    " true number of clusters (3 seeds), Leiden on the graph of 15 neighbours at the resolutions "
    "0.25, 0.5, 1 and 2, of which the best and the mean are given, and the share of 15 neighbours"
    " with the same label. triku has the neighbours by cosine that its guide asks for, scranpy "
    "the trend of the variance over the mean. Random genes are the mean of five draws. The "
    "default was chosen among more than twenty-five recipes (genes as they are, divided by their "
    "standard deviation, by its root, or by the trend of the variance over the mean, and "
    "residuals of counts; scores, diverse and both in turn; 2000, 4000, 8000 and all candidates, "
    "by their variance or by what it has above the trend; beyond some hundreds the genes that W "
    "explains best) on draws of the first four sets, other draws than these at last, labels at "
    "hand: that it leads on them is favourable to it, and no proof that it leads elsewhere."
)


def verdict(rows: Rows, sets: list[CellSet]) -> Points:
    """Return what was asked for and whether it is reached, from the numbers."""
    sentences = []
    flavours = [name for name in FLAVOURS if name in rows.methods(sets)]
    others = [m for m in rows.methods(sets) if not m.startswith(DEFAULT) and m != EVERYTHING]
    for measure, title in MEASURES.items():
        means = {name: rows.mean(sets, name, measure, SMALL) for name in (DEFAULT, *others)}
        lead = means[DEFAULT] - float(np.mean([means[name] for name in flavours]))
        best = max(others, key=lambda name: means[name])
        reached = lead >= WANTED_LEAD and means[DEFAULT] >= means[best]
        sentences.append(
            f"{_reached(reached)}: first in {title} over 50 to 500 genes, by {WANTED_LEAD:g} "
            f"points over the mean of scanpy's flavours. It has {means[DEFAULT]:.1f} %, "
            f"{lead:+.1f} points from that mean; the best other method is {best} with "
            f"{means[best]:.1f} %."
        )
        for count in LARGE:
            own = rows.mean(sets, DEFAULT, measure, [count])
            top = max(flavours, key=lambda name: rows.mean(sets, name, measure, [count]))
            theirs = rows.mean(sets, top, measure, [count])
            sentences.append(
                f"{_reached(own >= theirs - ALLOWED)}: in {title} not behind the best flavour by "
                f"more than {ALLOWED:g} at {count} genes. It has {own:.1f} %, {top} {theirs:.1f} %."
            )
        alone = {name: rows.of_all_cells().mean(sets, name, measure, SMALL) for name in means}
        best = max(others, key=lambda name: alone[name])
        sentences.append(
            f"Of all cells alone, without the draws, it has {alone[DEFAULT]:.1f} % in {title} over "
            f"50 to 500 genes, and the best other method, {best}, {alone[best]:.1f} %."
        )
    return Points("What was asked for", tuple(sentences))


def _reached(yes: bool) -> str:
    return "Reached" if yes else "Not reached"


def losses(rows: Rows, sets: list[CellSet]) -> Points:
    """Return where another method is ahead by more than a point, set by set."""
    sentences = []
    for each in sets:
        for measure, title in MEASURES.items():
            worse = _ahead(rows, each, measure, COUNTS)
            if worse:
                named = ", ".join(f"{m} ({lead:+.1f})" for m, lead in worse.items())
                sentences.append(f"{each.title}, {title}, mean over all numbers: {named}.")
            single = []
            for count in COUNTS:
                worse = _ahead(rows, each, measure, [count])
                if worse:
                    most = max(worse, key=lambda name: worse[name])
                    single.append(f"at {count} genes {most} ({worse[most]:+.1f})")
            if single:
                sentences.append(f"{each.title}, {title}, the best other: {', '.join(single)}.")
    few = "Differences of a point or two between methods are within what other cells would change."
    return Points("Where it loses by more than a point", (*sentences, few))


def _ahead(rows: Rows, each: CellSet, measure: str, counts: Sequence[int]) -> dict[str, float]:
    """Return by how much other methods are ahead of the default, where it is more than a point."""
    others = [m for m in rows.methods([each]) if not m.startswith(DEFAULT) and m != EVERYTHING]
    own = rows.mean([each], DEFAULT, measure, counts)
    ahead = {m: rows.mean([each], m, measure, counts) - own for m in others}
    return {m: lead for m, lead in ahead.items() if lead > 1.0}
