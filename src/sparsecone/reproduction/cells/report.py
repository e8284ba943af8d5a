"""The page of the study: what is reached, the tables, the figure, and where it loses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .. import figures
from ..page import write_study
from ..ranks import rank_methods
from ..section import Block, Figure, Points, Table
from ..store import read_rows
from .orders import DEFAULT, EVERYTHING, METHODS, RANDOM
from .run import COUNTS, ROWS_NAME
from .sets import CellSet
from .tables import LARGE, SMALL, Rows

TITLE = "Genes of single cells"
PAGE_NAME = "cells.md"
#: Points by which the default should be ahead of the mean of scanpy's flavours, and by which it
#: may be behind the best of them with many genes.
WANTED_LEAD, ALLOWED = 2.0, 0.5
#: Lines of the figure, with the styles of other pictures.
DRAWN = {
    DEFAULT: "SPCA-PSD (auto)",
    "seurat": "SOGFS",
    "cell_ranger": "SPCAFS",
    "seurat_v3": "CSPCA",
    "pearson_residuals": "RNE",
    "highest variance": "Highest variance",
    RANDOM: "Random subset",
}
FLAVOURS = [method.name for method in METHODS if method.is_flavour]
MEASURES = {"nmi": "NMI of k-means", "purity": "purity of 15 neighbours"}


def write(folder: Path) -> tuple[list[Block], list[Path]]:
    """Write the page from the rows in a folder; return what it says and its files."""
    found = read_rows(folder / ROWS_NAME)
    if not found:
        raise ValueError(f"There are no rows of the study in '{folder}': run it first.")
    blocks = report(Rows(found))
    return blocks, write_study(TITLE, blocks, found, folder, PAGE_NAME)


def report(rows: Rows) -> list[Block]:
    """Return the verdict, then the tables and the figure that it rests on."""
    blocks: list[Block] = [PROTOCOL]
    counted = rows.sets(clustered=False, counts=True)
    every = rows.sets(clustered=False)
    if counted:
        blocks += [_verdict(rows, counted), _losses(rows, every), _figure(rows, counted)]
    for sets, what in (
        (counted, "the sets of counts whose labels do not come from clustering"),
        (every, "all sets whose labels do not come from clustering, methods that need no counts"),
        (rows.sets(clustered=True), "the sets whose labels come from clustering, shown apart"),
    ):
        if sets:
            blocks.append(_table(rows, sets, f"Means over {what} ({_named(sets)})"))
    blocks += [_by_set(rows, each) for each in (*every, *rows.sets(clustered=True))]
    return [*blocks, *_ranks(rows, counted), _costs(rows, every + rows.sets(clustered=True))]


PROTOCOL = (
    "Each method orders the genes once, from the input that it documents: raw counts for "
    "seurat_v3, pearson_residuals, deviance and sparsecone with raw counts, logarithms of counts scaled to "
    "their median depth for the others. The first 50 to 2000 genes of the log-normalised cells go "
    "into a PCA of 30 components, then k-means with the true number of clusters (3 seeds), Leiden "
    "on the graph of 15 neighbours at the resolutions 0.25, 0.5, 1 and 2, of which the best and "
    "the mean are given, and the share of 15 neighbours with the same label. Random genes are "
    "the mean of five draws. Memory was not measured; triku and scranpy were not run."
)


def _named(sets: Sequence[CellSet]) -> str:
    return ", ".join(f"{each.title}: {each.labels}" for each in sets)


def _verdict(rows: Rows, sets: list[CellSet]) -> Points:
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
            f"points over the mean of scanpy's flavours. It has {means[DEFAULT]:.1f} %, {lead:+.1f} "
            f"points from that mean; the best other method is {best} with {means[best]:.1f} %."
        )
        for count in LARGE:
            own = rows.mean(sets, DEFAULT, measure, [count])
            top = max(flavours, key=lambda name: rows.mean(sets, name, measure, [count]))
            theirs = rows.mean(sets, top, measure, [count])
            sentences.append(
                f"{_reached(own >= theirs - ALLOWED)}: in {title} not behind the best flavour by "
                f"more than {ALLOWED:g} at {count} genes. It has {own:.1f} %, {top} {theirs:.1f} %."
            )
    return Points("What was asked for", tuple(sentences))


def _reached(yes: bool) -> str:
    return "Reached" if yes else "Not reached"


def _losses(rows: Rows, sets: list[CellSet]) -> Points:
    """Return where another method is ahead by more than a point, set by set."""
    sentences = []
    for each in sets:
        others = [m for m in rows.methods([each]) if not m.startswith(DEFAULT) and m != EVERYTHING]
        for measure, title in MEASURES.items():
            own = rows.mean([each], DEFAULT, measure, COUNTS)
            ahead = {m: rows.mean([each], m, measure, COUNTS) - own for m in others}
            worse = {m: lead for m, lead in ahead.items() if lead > 1.0}
            if worse:
                named = ", ".join(f"{m} ({lead:+.1f})" for m, lead in worse.items())
                sentences.append(f"{each.title}, {title}, mean over all numbers: {named}.")
    few = "Differences of a point or two between methods are within what other cells would change."
    return Points("Where it loses by more than a point", (*sentences, few))


def _table(rows: Rows, sets: list[CellSet], caption: str) -> Table:
    lines = []
    for name in rows.methods(sets):
        cells = [
            f"{rows.mean(sets, name, 'nmi', [c]):.1f} / {rows.mean(sets, name, 'purity', [c]):.1f}"
            for c in COUNTS
        ]
        more = [rows.mean(sets, name, m, SMALL) for m in ("ari", "leiden", "leiden_mean")]
        stable = rows.stability(sets, name, 500)
        lines.append(
            (
                name,
                *cells,
                *(f"{value:.1f}" for value in more),
                f"{rows.mean(sets, name, 'silhouette', SMALL):.1f}",
                "" if stable is None else f"{stable:.0f}",
            )
        )
    columns = (
        *("Method", *map(str, COUNTS), "ARI", "Leiden, best", "Leiden, mean"),
        *("Silhouette", "Halves share"),
    )
    text = (
        f"{caption}. NMI / purity in % by number of genes; ARI of k-means, NMI of Leiden and "
        "silhouette over 50 to 500 genes; the share of 500 genes that two halves of the cells "
        "select both."
    )
    return Table(text, columns, tuple(lines))


def _by_set(rows: Rows, each: CellSet) -> Table:
    lines = tuple(
        (
            name,
            *(
                f"{rows.mean([each], name, 'nmi', [c]):.1f} / "
                f"{rows.mean([each], name, 'purity', [c]):.1f}"
                for c in COUNTS
            ),
        )
        for name in rows.methods([each])
    )
    caption = f"{each.title} (labels: {each.labels}), NMI / purity in %."
    return Table(caption, ("Method", *map(str, COUNTS)), lines)


def _ranks(rows: Rows, sets: list[CellSet]) -> list[Block]:
    """Rank the methods over pairs of a set and a number of genes."""
    names = [m for m in rows.methods(sets) if m != EVERYTHING]
    if len(names) < 2 or not sets:
        return []
    values = {
        name: [rows.values(each, name, "nmi")[c] for each in sets for c in COUNTS] for name in names
    }
    ranking = rank_methods(values)
    caption = (
        f"Mean ranks of NMI over {len(sets)} sets of counts and {len(COUNTS)} numbers of genes. "
        f"Friedman's p = {ranking.p_value:.1e} takes them for independent, which numbers of genes "
        f"of one set are not; ranks that differ by less than {ranking.critical:.1f} are not told "
        "apart even then (Nemenyi, 5 %)."
    )
    lines = tuple((name, f"{rank:.2f}") for name, rank in ranking.mean_ranks.items())
    return [Table(caption, ("Method", "Mean rank"), lines)]


def _costs(rows: Rows, sets: list[CellSet]) -> Table:
    def entry(each: CellSet, name: str) -> str:
        seconds = rows.seconds(each, name)
        return "" if seconds is None else f"{seconds:.2f}"

    lines = tuple((method.name, *(entry(each, method.name) for each in sets)) for method in METHODS)
    caption = "Seconds of a processor for the order of the genes, one thread."
    return Table(caption, ("Method", *(each.title for each in sets)), lines)


def _figure(rows: Rows, sets: list[CellSet]) -> Figure:
    drawn = [name for name in DRAWN if name in rows.methods(sets)]
    panels = [
        figures.Panel(
            title,
            [
                figures.Curve(
                    name, COUNTS, [rows.mean(sets, name, m, [c]) for c in COUNTS], DRAWN[name]
                )
                for name in drawn
            ],
            "genes",
            f"{title}, %",
        )
        for m, title in (*MEASURES.items(), ("leiden", "NMI of Leiden, best resolution"))
    ]
    caption = "Cells told apart by the first genes of each method, mean over the sets of counts."
    return Figure("cells", caption, figures.lines(panels))
