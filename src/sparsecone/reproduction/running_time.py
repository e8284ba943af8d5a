"""Experiment 4: running times and iterations at fixed parameters."""

from __future__ import annotations

from . import figures
from .claims import Claim, Verdict, told_of
from .experiment import Experiment
from .paper import DATASETS, ITERATIONS
from .results import Results
from .section import Block, Figure, Table, marked
from .sources import title_of
from .timings import Timing

PAPERS_OWN = "SPCA-PSD (published)"
#: The methods in the paper's figure.
RIVALS = (
    *("CSPCA-PSD (published)", "AW-SPCA-PSD (published)"),
    *("SPCAFS", "UDFS", "SOGFS", "RNE"),
)
#: All that is timed: those, the originals, and the certified optimum.
TIMED = (PAPERS_OWN, *RIVALS, "CSPCA", "AW-SPCA", "SPCA-PSD")

WHERE = "Experiment 4"
FASTEST = Claim(
    WHERE,
    "SPCA-PSD takes less time than all other embedded methods.",
    "Median seconds of repeated fits that ran alone, all parameters 10: the least on every data "
    "set of the paper that is here.",
)
STEPS = Claim(
    WHERE,
    "SPCA-PSD takes fewer iterations than SPCAFS on USPS and MNIST, and less time for each.",
    "Iterations and seconds an iteration, on both: fewer and less.",
)


def judge(results: Results) -> list[Verdict]:
    """Return the verdicts on the two claims."""
    return [_fastest(results), _steps(results)]


def _datasets(results: Results) -> list[str]:
    return list(dict.fromkeys(row["dataset"] for row in results.timings if Timing.from_row(row)))


def _fastest(results: Results) -> Verdict:
    told, holds = [], []
    for dataset in _datasets(results):
        own = Timing.of(results, dataset, PAPERS_OWN)
        others = {name: Timing.of(results, dataset, name) for name in RIVALS}
        timed = {name: timing for name, timing in others.items() if timing is not None}
        if own is None or not timed or dataset not in DATASETS[4]:
            continue
        faster = {n: t for n, t in timed.items() if t.is_less(own) and not t.is_bound}
        holds.append(not faster)
        named = ", ".join(
            f"{n} {t.seconds / own.seconds:.2f} of its time" for n, t in faster.items()
        )
        told.append(
            f"{title_of(dataset)}: {own} s, {len(timed)} rivals timed, "
            f"{'faster: ' + named if faster else 'none faster'}"
        )
    if not holds:
        return FASTEST.untestable("Nothing has been timed alone on the machine.")
    return FASTEST.judged(all(holds), told_of(4, told, _datasets(results)))


def _steps(results: Results) -> Verdict:
    told, holds = [], []
    for dataset in ("usps", "mnist"):
        pair = [Timing.of(results, dataset, name) for name in (PAPERS_OWN, "SPCAFS")]
        known = [t for t in pair if t is not None and t.n_iter]
        if len(known) < 2:
            continue
        steps = [t.n_iter or 0 for t in known]
        each = [t.seconds / n for t, n in zip(known, steps, strict=True)]
        holds.append(steps[0] < steps[1] and each[0] < each[1])
        told.append(
            f"{title_of(dataset)}: {steps[0]} against {steps[1]} iterations of {1e3 * each[0]:.1f} "
            f"against {1e3 * each[1]:.1f} ms"
        )
    if not holds:
        return STEPS.untestable("Neither has been timed alone on the machine.")
    return STEPS.judged(all(holds), "; ".join(told))


def report(results: Results) -> list[Block]:
    """Return times and iterations beside the paper's."""
    if not _datasets(results):
        return []
    return [
        "All regularisation parameters are 10, as in the paper; RNE, which has none, selects 100 "
        "features. One thread, nothing else running. Times of different machines and languages "
        "compare in their ratios only.",
        _times(results),
        _figure(results),
        _iterations(results),
    ]


def _times(results: Results) -> Table:
    columns = []
    for dataset in _datasets(results):
        times = {name: Timing.of(results, dataset, name) for name in TIMED}
        done = {n: t for n, t in times.items() if t is not None and not t.is_bound}
        best = min(done, key=lambda name: done[name].seconds, default=None)
        columns.append(marked({n: "" if t is None else str(t) for n, t in times.items()}, best))
    rows = tuple((name, *(column[name] for column in columns)) for name in TIMED)
    caption = (
        "Seconds of a fit, median of the repetitions; least in bold. After > the fit had not ended."
    )
    heads = ("Method", *map(title_of, _datasets(results)))
    return Table(caption, heads, tuple(row for row in rows if any(row[1:])), "4_seconds")


def _figure(results: Results) -> Figure:
    panels = []
    for dataset in _datasets(results):
        times = {name: Timing.of(results, dataset, name) for name in TIMED}
        content = [figures.Bar(n, t.seconds, n) for n, t in times.items() if t is not None]
        rows = [row for row in results.timings if row["dataset"] == dataset and "shape" in row]
        size = f" (n = {rows[0]['shape'][0]})" if rows else ""
        title = f"{title_of(dataset)}{size}"
        panels.append(figures.Panel(title, content, y_label="seconds"))
    caption = "Running times, on a logarithmic axis; the open bar is the certified optimum."
    return Figure("4_times", caption, figures.bars(panels, log=True))


def _iterations(results: Results) -> Table:
    lines = []
    for (dataset, method), printed in ITERATIONS.items():
        timing = Timing.of(results, dataset, PAPERS_OWN if method == "SPCA-PSD" else method)
        ours = ("", "")
        if timing is not None and timing.n_iter:
            ours = (str(timing.n_iter), f"{1e3 * timing.seconds / timing.n_iter:.1f}")
        theirs = (str(printed.n_iter), f"{1e3 * printed.seconds_per_iteration:.1f}")
        lines.append((title_of(dataset), method, ours[0], theirs[0], ours[1], theirs[1]))
    columns = ("Iterations", "Iterations, paper", "Each in ms", "Each in ms, paper")
    caption = "Iterations, and milliseconds of each, beside the paper's table."
    return Table(caption, ("Data", "Method", *columns), tuple(lines), "4_iterations")


EXPERIMENT = Experiment(4, "Running times", judge, report)
