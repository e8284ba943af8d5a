"""Experiment 1: what the projection onto the cone changes in CSPCA and AW-SPCA."""

from __future__ import annotations

from dataclasses import dataclass

from . import figures
from .experiment import Experiment
from .methods import CONTROLS
from .paper import DATASETS, PSD_TEST, RELEASED_PROGRAM
from .projection_verdicts import N_FEATURES, differences, differing, judge, score_at
from .results import MEASURES, Measure, Results, excess
from .section import Block, Figure, Table
from .sources import title_of
from .timings import Timing

#: Points beyond which a difference that all methods share is one of the data.
FAR = 5.0


@dataclass(frozen=True)
class Variant:
    """A line of the tables: its method, and the printed entries it stands beside."""

    label: str
    method: str
    printed: str = ""
    released: str = ""


VARIANTS = (
    Variant("CSPCA", "CSPCA", "CSPCA"),
    Variant("CSPCA-PSD, as stated", "CSPCA-PSD (published)", "CSPCA-PSD"),
    Variant("CSPCA-PSD, as released", "CSPCA-PSD (released)", "CSPCA-PSD", "CSPCA-PSD"),
    Variant("CSPCA-PSD, optimum", "CSPCA-PSD"),
    Variant("AW-SPCA", "AW-SPCA", "AW-SPCA"),
    Variant("AW-SPCA-PSD", "AW-SPCA-PSD (published)", "AW-SPCA-PSD", "AW-SPCA-PSD"),
    Variant("AW-SPCA-PSD, optimum", "AW-SPCA-PSD"),
    *(Variant(control, control) for control in CONTROLS),
)


def report(results: Results) -> list[Block]:
    """Return our tables beside the paper's, the certificates, and the curves."""
    if not results.datasets():
        return []
    return [
        "All regularisation parameters are 10 and 100 features are selected, as in the paper. The "
        "authors' released CSPCA-PSD takes the steps of twice the eta: 'as stated' is the formula "
        "of the paper, 'as released' their program. 'Optimum' is the certified minimum of the "
        "stated problem. All objectives are those of the stated problems, without the smoothing "
        "inside the iterations.",
        *(_scores(results, measure) for measure in MEASURES),
        *_other_data(results),
        _iterations(results),
        *_seconds(results),
        *_released(results),
        *_optimum(results),
        _bars(results),
        *_curves(results),
    ]


def _other_data(results: Results) -> list[str]:
    """Say where all methods come out far from the paper alike."""
    told = []
    for dataset in results.datasets():
        apart = differences(results, dataset)
        if apart and (min(apart) > FAR or max(apart) < -FAR):
            told.append(
                f"{title_of(dataset)}: every method, with and without the projection, comes out "
                f"{min(apart):+.0f} to {max(apart):+.0f} points from the paper. Its image features "
                "are scaled to [0, 1] there as here, but it names no file: what all methods share "
                "is the data, so its file must be another."
            )
    return told


def _columns(results: Results) -> tuple[str, ...]:
    """Return a column for each data set, and one for the paper's numbers where it has any."""
    titles = [
        beside(name, title_of(name), f"{title_of(name)}, paper") for name in results.datasets()
    ]
    return ("Method", *(title for pair in titles for title in pair))


def beside(dataset: str, ours: str, theirs: str) -> tuple[str, ...]:
    """Return our cell, and the paper's if its table has the data set."""
    return (ours, theirs) if dataset in DATASETS[1] else (ours,)


def _scores(results: Results, measure: Measure) -> Table:
    apart = differing(results, measure)
    lines = []
    for variant in VARIANTS:
        cells: list[str] = []
        for dataset in results.datasets():
            score = score_at(results, dataset, variant.method)
            printed = PSD_TEST.get((dataset, variant.printed))
            mark = " ≠" if (dataset, variant.method) in apart else ""
            ours = "" if score is None else f"{score.mean(measure):.1f}{mark}"
            theirs = "" if printed is None else f"{getattr(printed, measure):.1f}"
            cells += beside(dataset, ours, theirs)
        if any(cells):
            lines.append((variant.label, *cells))
    caption = (
        f"{measure.upper()} in % on {N_FEATURES} features, mean of the k-means runs, beside the "
        "paper's table. ≠: differs from the printed mean (Welch's test on the standard errors, "
        "5 % after Holm's correction over all entries of both tables)."
    )
    return Table(caption, _columns(results), tuple(lines), f"1_{measure}")


def _iterations(results: Results) -> Table:
    lines = []
    for variant in VARIANTS[: -len(CONTROLS)]:
        cells: list[str] = []
        for dataset in results.datasets():
            rows = results.where(dataset=dataset, method=variant.method)
            printed = PSD_TEST.get((dataset, variant.printed))
            ours = str(rows[0]["n_iter"]) if rows else ""
            cells += beside(dataset, ours, "" if printed is None else str(printed.n_iter))
        if any(cells):
            lines.append((variant.label, *cells))
    caption = (
        "Iterations until the objective changes by at most 10^-5, beside the paper's. Those of "
        "CSPCA follow the smoothing of its trace norm, which the paper does not state."
    )
    return Table(caption, _columns(results), tuple(lines), "1_iterations")


def _seconds(results: Results) -> list[Table]:
    lines = []
    for variant in VARIANTS[: -len(CONTROLS)]:
        cells: list[str] = []
        for dataset in results.datasets():
            timing = Timing.of(results, dataset, variant.method)
            printed = PSD_TEST.get((dataset, variant.printed))
            theirs = None if printed is None else printed.seconds
            ours = "" if timing is None else str(timing)
            cells += beside(dataset, ours, "" if theirs is None else f"{theirs:.2f}")
        if any(Timing.of(results, name, variant.method) for name in results.datasets()):
            lines.append((variant.label, *cells))
    caption = (
        "Seconds of a fit beside the paper's, median of repeated fits, one thread, nothing else "
        "running. Machines and languages differ: only ratios within a column compare."
    )
    return [Table(caption, _columns(results), tuple(lines), "1_seconds")] if lines else []


def _released(results: Results) -> list[Table]:
    lines = []
    for dataset in results.datasets():
        for variant in VARIANTS:
            printed = RELEASED_PROGRAM.get((dataset, variant.released))
            score = score_at(results, dataset, variant.method)
            if printed is not None and score is not None:
                ours = (f"{score.acc:.1f}", f"{score.nmi:.1f}", str(score.rows[0]["n_iter"]))
                theirs = (f"{printed.acc:.1f}", f"{printed.nmi:.1f}", str(printed.n_iter))
                pairs = [text for pair in zip(ours, theirs, strict=True) for text in pair]
                lines.append((title_of(dataset), variant.label, *pairs))
    if not lines:
        return []
    heads = [f"{name}{of}" for name in ("ACC", "NMI", "Iterations") for of in ("", ", theirs")]
    caption = "Ours beside the authors' own program, run independently (GNU Octave)."
    return [Table(caption, ("Data", "Method", *heads), tuple(lines), "1_released")]


def _optimum(results: Results) -> list[Table]:
    """Show how far the published algorithm ends above the optimum of its own problem."""
    lines = []
    for dataset in results.datasets():
        for method in ("CSPCA-PSD", "AW-SPCA-PSD"):
            published = results.where(dataset=dataset, method=f"{method} (published)")
            certified = results.where(dataset=dataset, method=method)
            if not published or not certified:
                continue
            end, best = published[0], certified[0]
            shared = len(set(end["selected"]) & set(best["selected"]))
            values = (f"{end['value']:.2f}", f"{best['value']:.2f}", f"{best['gap']:.1e}")
            lines.append(
                (
                    *(title_of(dataset), method, *values, best["status"]),
                    *(f"{excess(end, best):+.2f}", str(shared)),
                )
            )
    if not lines:
        return []
    columns = ("Data", "Method", "Published", "Optimum", "Gap", "Status", "Excess in %", "Shared")
    caption = (
        "Objective (not smoothed) at the end of the published algorithm and at the optimum, with "
        "its certified relative gap, and how many of the first 100 features the two share."
    )
    return [Table(caption, columns, tuple(lines), "1_optimum")]


def _bars(results: Results) -> Figure:
    panels = []
    for dataset in results.datasets():
        for measure in MEASURES:
            content = [
                figures.Bar(
                    variant.label,
                    score.mean(measure),
                    variant.method,
                    score.estimate(measure).error,
                    getattr(PSD_TEST.get((dataset, variant.printed)), measure, None),
                )
                for variant in VARIANTS
                if (score := score_at(results, dataset, variant.method)) is not None
            ]
            y_label = f"{measure.upper()} in %"
            panels.append(figures.Panel(title_of(dataset), content, y_label=y_label))
    caption = (
        "ACC and NMI on 100 features with standard errors, the controls, and what the paper "
        "prints; open bars are certified optima."
    )
    return Figure("1_scores", caption, figures.bars(panels))


def _curves(results: Results) -> list[Figure]:
    """Draw objectives against iterations, on PIE as in the paper or on the first data set."""
    found = results.datasets()
    dataset = "pie" if "pie" in found else found[0]
    panels = []
    for stem in ("CSPCA", "AW-SPCA"):
        curves = [
            figures.Curve(variant.label, range(1, len(history) + 1), history, variant.method)
            for variant in VARIANTS
            if variant.method.startswith(stem)
            for row in results.where(dataset=dataset, method=variant.method)[:1]
            if "optimum" not in variant.label and (history := row.get("history"))
        ]
        if curves:
            title = f"{title_of(dataset)}: {stem}"
            panels.append(figures.Panel(title, curves, "iteration", "objective (not smoothed)"))
    if not panels:
        return []
    caption = "Objective against iterations, with and without the projection."
    return [Figure("1_convergence", caption, figures.lines(panels, n_columns=2, steps=True))]


EXPERIMENT = Experiment(1, "CSPCA-PSD and AW-SPCA-PSD against their originals", judge, report)
