"""The page of the study: what is reached, the tables, the figure, and where it loses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import figures
from ..page import write_study
from ..ranks import rank_methods
from ..section import Block, Figure, Table
from ..store import read_rows
from .orders import DEFAULT, EVERYTHING, METHODS, RANDOM
from .run import COUNTS, ROWS_NAME
from .sets import CellSet
from .tables import SMALL, Rows
from .verdict import MEASURES, PROTOCOL, losses, verdict

TITLE = "Genes of single cells"
PAGE_NAME = "cells.md"
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
        blocks += [verdict(rows, counted), losses(rows, every), _figure(rows, counted)]
    for sets, what in (
        (counted, "the sets of counts whose labels do not come from clustering"),
        (every, "all sets whose labels do not come from clustering, methods that need no counts"),
        (rows.sets(clustered=True), "the sets whose labels come from clustering, shown apart"),
    ):
        if sets:
            blocks.append(_table(rows, sets, f"Means over {what} ({_named(sets)})"))
    blocks += [_by_set(rows, each) for each in (*every, *rows.sets(clustered=True))]
    return [*blocks, *_ranks(rows, counted), _costs(rows, every + rows.sets(clustered=True))]


def _named(sets: Sequence[CellSet]) -> str:
    return ", ".join(f"{each.title}: {each.labels}" for each in sets)


def _table(rows: Rows, sets: list[CellSet], caption: str) -> Table:
    lines = []
    for name in rows.methods(sets):
        more = [rows.mean(sets, name, m, SMALL) for m in ("ari", "leiden", "leiden_mean")]
        stable = rows.stability(sets, name, 500)
        lines.append(
            (
                name,
                *_by_number(rows, sets, name),
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


def _by_number(rows: Rows, sets: list[CellSet], name: str) -> list[str]:
    return [
        f"{rows.mean(sets, name, 'nmi', [c]):.1f} / {rows.mean(sets, name, 'purity', [c]):.1f}"
        for c in COUNTS
    ]


def _by_set(rows: Rows, each: CellSet) -> Table:
    lines = tuple((name, *_by_number(rows, [each], name)) for name in rows.methods([each]))
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
        row = rows.cost(each, name)
        if row is None:
            return ""
        memory = f" / {max(row['memory'], 0.0):.0f}" if "memory" in row else ""
        return f"{row['seconds']:.2f}{memory}"

    lines = tuple((method.name, *(entry(each, method.name) for each in sets)) for method in METHODS)
    caption = (
        "Seconds of a processor / MB of memory for the order of the genes of all cells, one "
        "thread, after imports. Memory is what the process holds at most meanwhile, less what it "
        "held before."
    )
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
