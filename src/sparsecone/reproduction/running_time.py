"""Experiment 4: running times and iterations at fixed parameters."""

from __future__ import annotations

from . import figures
from .cell import Row
from .paper import ITERATIONS
from .results import Results
from .section import Block, Experiment, Figure, Table, method_table
from .sources import title_of
from .verdict import steps_verdict

PAPERS_OWN = "SPCA-PSD (published)"


def report(results: Results) -> list[Block]:
    """Return times and iterations beside the paper's, and who is fastest."""
    if not results.datasets():
        return []
    return [
        "All regularisation parameters are 10, as in the paper. One thread; times of different "
        "machines and languages compare in their ratios only.",
        _times(results),
        _figure(results),
        _iterations(results),
        *_sentences(results),
    ]


def _row(results: Results, dataset: str, method: str) -> Row | None:
    rows = results.where(dataset=dataset, method=method)
    return min(rows, key=lambda row: row["seconds"]) if rows else None


def _times(results: Results) -> Table:
    def cell(dataset: str, method: str) -> str:
        row = _row(results, dataset, method)
        if row is None:
            return ""
        steps = "" if row["n_iter"] is None else f" ({row['n_iter']})"
        return f"{row['seconds']:.2f}{steps}"

    caption = "Seconds, and iterations in brackets."
    return method_table(caption, results.methods(), results.datasets(), cell)


def _figure(results: Results) -> Figure:
    panels = []
    for dataset in results.datasets():
        rows = [_row(results, dataset, method) for method in results.methods()]
        content = [(row["method"], row["seconds"], 0.0, row["method"]) for row in rows if row]
        n_samples = results.where(dataset=dataset)[0]["shape"][0]
        title = f"{title_of(dataset)} (n = {n_samples})"
        panels.append(figures.Panel(title, content, y_label="seconds"))
    svg = figures.bars(panels, log=True)
    return Figure("4_times", "Running times, on a logarithmic axis.", svg)


def _iterations(results: Results) -> Table:
    lines = []
    for (dataset, method), printed in ITERATIONS.items():
        ours = PAPERS_OWN if method == "SPCA-PSD" else method
        row = _row(results, dataset, ours)
        theirs = (str(printed.n_iter), f"{printed.seconds_per_iteration:.4f}")
        if row is None:
            cells = ("", "", *theirs, "no row")
        else:
            each = row["seconds"] / row["n_iter"]
            judgement = steps_verdict(row["n_iter"], printed.n_iter)
            cells = (str(row["n_iter"]), f"{each:.4f}", *theirs, judgement)
        lines.append((title_of(dataset), method, *cells))
    columns = ("Data", "Method", "Iter.", "Sec. each", "Iter. (paper)", "Sec. each (paper)")
    caption = "Iterations and seconds an iteration: ours, then the paper's."
    return Table(caption, (*columns, "Verdict"), tuple(lines))


def _sentences(results: Results) -> list[str]:
    sentences = []
    for dataset in results.datasets():
        times = {
            row["method"]: row["seconds"]
            for method in results.methods()
            if (row := _row(results, dataset, method)) is not None
        }
        own = times.get(PAPERS_OWN)
        if own is None:
            continue
        faster = [f"{name} ({seconds:.2f} s)" for name, seconds in times.items() if seconds < own]
        sentences.append(
            f"{title_of(dataset)}: the published SPCA-PSD takes {own:.2f} s; "
            + (
                f"difference: faster are {', '.join(faster)}."
                if faster
                else "agreement: it is the fastest."
            )
        )
    return sentences


EXPERIMENT = Experiment(
    4,
    "Running times",
    "SPCA-PSD takes less time than all other embedded methods.",
    report,
)
