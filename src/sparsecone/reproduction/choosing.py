"""The study: what a user without labels should take, and what it costs not to have any."""

from __future__ import annotations

from functools import partial

import numpy as np

from . import figures
from .curves import score_panel
from .methods import method_of
from .protocol import absent_sentences, cells_table, reasons_table
from .quality import Quality
from .ranks import Ranking
from .results import Measure, Results
from .section import Block, Figure, Points, Table, method_table
from .sources import title_of
from .study import DEFAULT, LABELLED, RANDOM, Study
from .study_verdict import comparisons, losses, summary

TITLE = "Choosing without labels"


def report(results: Results) -> list[Block]:
    """Return a sentence, the tables and figures that it rests on, and what a test says."""
    study = Study(results)
    if not study.datasets:
        return [*absent_sentences({TITLE: results})]
    ranking = study.ranking("nmi")
    return [
        *summary(study),
        _table(study, "acc"),
        _leads(study),
        losses(study),
        _table(study, "nmi"),
        *([] if ranking is None else _ranks(study, ranking)),
        _curves(study),
        *_qualities(study),
        Points("How the default compares", tuple(comparisons(study, ranking))),
        Points("How it was measured", (_protocol(study), *absent_sentences({TITLE: results}))),
        cells_table({TITLE: results}),
        *reasons_table({TITLE: results}),
    ]


def _protocol(study: Study) -> str:
    rows = study.results.where()
    runs = sorted({row["n_runs"] for row in rows}, reverse=True)
    chosen = sorted({count for row in rows for count in row["n_features"] or ()})
    numbers = (
        f"the plan's numbers of features ({', '.join(map(str, chosen))})"
        if chosen and all(row["n_features"] for row in rows)
        else "the paper's numbers of features (50, 100, .., 300; 10, 30, .., 110 where there are "
        "no more than 300 features)"
    )
    text = (
        f"Every entry is the mean over {numbers} of {' or '.join(map(str, runs))} "
        "runs of k-means a number. A method marked * has the best of its settings for each number "
        "and each measure, by the classes, which favours it; the others never saw a class. Methods "
        "that ask for a number of clusters are told that of the classes. Differences are over the "
        "numbers that both methods have."
    )
    lacking = []
    for method in study.methods:
        where = [title_of(name) for name in study.datasets if not study.curve(name, method, "acc")]
        if where:
            lacking.append(f"{method} on {', '.join(where)}")
    return text + (f" Without a result: {'; '.join(lacking)}." if lacking else "")


def label_of(study: Study, method: str) -> str:
    """Return a method with a star if the classes chose among settings."""
    return f"{method} *" if is_labelled(study, method) else method


def is_labelled(study: Study, method: str) -> bool:
    """Return whether a method ran with more than one value of a parameter."""
    rows = study.results.where(method=method)
    varied = [
        {name: value for name, value in row["parameters"].items() if name != "n_features_to_select"}
        for row in rows
    ]
    return any(parameters != varied[0] for parameters in varied)


def _table(study: Study, measure: Measure) -> Table:
    lines = []
    for method in study.methods:
        cells = []
        for dataset in study.datasets:
            mean = study.mean(dataset, method, measure)
            spread = study.spread(dataset, measure) if method == RANDOM else None
            cells.append(
                ("" if mean is None else f"{mean:.1f}")
                + ("" if spread is None else f" ± {spread:.1f}")
            )
        means = study.means(method, measure)
        whole = f"{np.mean(means):.1f}" if len(means) == len(study.datasets) else ""
        lines.append((label_of(study, method), *cells, whole))
    columns = ("Method", *map(title_of, study.datasets), "Mean")
    caption = (
        f"{measure.upper()} in %, mean over the numbers of features; ± is the standard deviation "
        "between random subsets. The mean is that of methods with a "
        "result on every data set."
    )
    return Table(caption, columns, tuple(lines))


def _leads(study: Study) -> Table:
    lines = []
    for method in study.methods:
        leads = study.leads(method, "acc")
        if method == DEFAULT or not leads:
            continue
        information = study.leads(method, "nmi")
        cells = [f"{leads[name]:+.1f}" if name in leads else "" for name in study.datasets]
        means = [f"{np.mean(list(values.values())):+.1f}" for values in (leads, information)]
        lines.append((label_of(study, method), *cells, *means))
    columns = ("Method", *map(title_of, study.datasets), "Mean", "Mean of NMI")
    caption = (
        f"Points of ACC by which {DEFAULT} is ahead of each method (negative: behind), on the "
        "data sets and numbers of features that both have."
    )
    return Table(caption, columns, tuple(lines))


def _ranks(study: Study, ranking: Ranking) -> list[Block]:
    caption = (
        f"Mean ranks of NMI on the {ranking.n_datasets} data sets that all these methods have; "
        "bars join methods that are not told apart (Nemenyi, 5 %)."
    )
    lines = tuple(
        (label_of(study, name), f"{rank:.2f}") for name, rank in ranking.mean_ranks.items()
    )
    return [
        Figure("choosing_ranks", caption, figures.rank_diagram(ranking, label="Mean rank of NMI")),
        Table(caption, ("Method", "Mean rank"), lines),
    ]


def _curves(study: Study) -> Figure:
    """Draw the default, the paper's own, further methods and controls: all, nobody could read."""
    drawn = [
        method
        for method in study.methods
        if method_of(method).kind in ("further", "control", "own") or method in (DEFAULT, *LABELLED)
    ]
    panels = [
        score_panel(
            dataset,
            "acc",
            {method: study.points(dataset, method, "acc") for method in drawn},
            list(study.curve(dataset, DEFAULT, "acc")),
            label=partial(label_of, study),
        )
        for dataset in study.datasets
    ]
    caption = (
        "ACC over the number of selected features with standard errors; * best setting by the "
        "classes."
    )
    return Figure("choosing_acc", caption, figures.lines(panels, height=2.9))


def _qualities(study: Study) -> list[Table]:
    """Return the tables of what needs no classes, data set by data set to load each once."""
    found: dict[tuple[str, str], Quality] = {}
    for dataset in study.datasets:
        for method in study.methods:
            quality = study.quality(dataset, method)
            if quality is not None:
                found[dataset, method] = quality
    if not found:
        return []
    captions = {
        "unexplained": "Variance of left-out samples that a ridge regression on 100 selected "
        "features does not predict, in % (90 of 256 features, 30 of 64); smaller is better.",
        "of_ceiling": "Variance of the samples themselves that they explain, in % of the ceiling, "
        "which no features pass, however chosen.",
        "redundancy": "Mean absolute correlation among them, in %; smaller is less redundant.",
        "seconds": f"Seconds of a fit, one thread: CPU time{_by_the_clock(study)}.",
    }
    rated = [name for name in study.methods if any(method == name for _, method in found)]

    def entry(dataset: str, method: str, *, measure: str) -> str:
        if (dataset, method) not in found:
            return ""
        scale, digits = (1.0, 2) if measure == "seconds" else (100.0, 1)
        return f"{scale * getattr(found[dataset, method], measure):.{digits}f}"

    return [
        method_table(
            caption,
            rated,
            study.datasets,
            partial(entry, measure=measure),
            label=partial(label_of, study),
        )
        for measure, caption in captions.items()
    ]


def _by_the_clock(study: Study) -> str:
    """Name the methods with times by the clock, as rows had them at first."""
    rows = [row for row in study.results.where() if "seconds" in row and "timer" not in row]
    names = [name for name in study.methods if any(row["method"] == name for row in rows)]
    if not names:
        return ""
    return f"; by the clock, to which all that the machine did adds, for {', '.join(names)}"
