"""Experiment 3: ACC and NMI of all methods over the numbers of features, and pixel pictures."""

from __future__ import annotations

import numpy as np

from ..datasets import dataset_info
from . import figures
from .curves import EVERYTHING, Curves, score_panel
from .experiment import Experiment
from .methods import CONTROLS
from .observations import COMPARED, judge
from .paper import DATASETS
from .ranks import LEVEL, rank_methods
from .results import MEASURES, Measure, Results, best_score
from .same_settings import same_settings
from .section import Block, Figure, Table, marked
from .significance import Mean, welch
from .sources import is_present, load_source, title_of

#: The set of faces on which the paper shows the selected pixels, how many, and of which methods.
PICTURED = "pie"
N_PIXELS = 100
PICTURED_METHODS = ("SOGFS", "SPCAFS", "SPCA-PSD (published)", "SPCA-PSD", "Random subset")


def report(results: Results) -> list[Block]:
    """Return curves, tables, ranks, the optimum beside the published algorithm, and pictures."""
    if not results.datasets():
        return []
    curves = Curves(results)
    extra = [title_of(name) for name in results.datasets() if name not in DATASETS[3]]
    beyond = f" {', '.join(extra)}: not the paper's, so in no verdict." if extra else ""
    return [
        "For every method and number of features the setting of best ACC (or NMI) counts, as in "
        "the paper; this looks at the classes, and favours methods with more parameters: the "
        "verdicts say what is left with equally many settings. Cells that select nothing have no "
        f"score.{beyond}",
        *(_figure(curves, measure) for measure in MEASURES),
        *(_means(curves, measure) for measure in MEASURES),
        *(_peaks(curves, measure) for measure in MEASURES),
        *_ranks(curves),
        *same_settings(results),
        *_pictures(results),
    ]


def _figure(curves: Curves, measure: Measure) -> Figure:
    results = curves.results
    panels = []
    for dataset in results.datasets():
        drawn = {
            method: {
                count: score.estimate(measure)
                for count, score in curves.best(dataset, method, measure).items()
            }
            for method in results.methods()
        }
        panels.append(score_panel(dataset, measure, drawn, curves.counts(dataset)))
    caption = (
        f"{measure.upper()} over the number of selected features, best setting each; bands are "
        "standard errors over the k-means runs."
    )
    return Figure(f"3_{measure}", caption, figures.lines(panels, height=2.9))


def _means(curves: Curves, measure: Measure) -> Table:
    columns = [
        {method: curves.mean(dataset, method, measure) for method in curves.results.methods()}
        for dataset in curves.results.datasets()
    ]
    caption = (
        f"{measure.upper()} in %, best setting at each number of features, mean over the numbers. "
        "Bold: highest; italic: not told apart from it (Welch, 5 %)."
    )
    return _table(curves, caption, columns, f"3_mean_{measure}")


def _peaks(curves: Curves, measure: Measure) -> Table:
    columns = []
    for dataset in curves.results.datasets():
        peaks = {m: curves.peak(dataset, m, measure) for m in curves.results.methods()}
        columns.append({m: s.estimate(measure) if s else None for m, s in peaks.items()})
    caption = (
        f"Highest {measure.upper()} in % at any number of features. Bold: highest; italic: not "
        "told apart from it (Welch, 5 %)."
    )
    return _table(curves, caption, columns, f"3_peak_{measure}")


def _table(curves: Curves, caption: str, columns: list[dict[str, Mean | None]], name: str) -> Table:
    """Return a table of means, a column a data set, with the best selection and its ties marked."""
    texts = []
    for column in columns:
        selections = {m: v for m, v in column.items() if v is not None and m != EVERYTHING}
        best = max(selections, key=lambda m: selections[m].value, default=None)
        ties = [m for m, v in selections.items() if best and welch(v, selections[best]) >= LEVEL]
        texts.append(
            marked({m: f"{v.value:.1f}" if v else "" for m, v in column.items()}, best, ties)
        )
    rows = tuple((m, *(column[m] for column in texts)) for m in curves.results.methods())
    heads = ("Method", *map(title_of, curves.results.datasets()))
    return Table(caption, heads, rows, name)


def _ranks(curves: Curves) -> list[Figure]:
    """Return the mean ranks over the paper's data sets that all methods have."""
    methods = [m for m in (*COMPARED, *CONTROLS) if m in curves.results.methods()]
    datasets = [d for d in curves.results.datasets() if d in DATASETS[3]]
    drawn = []
    for measure in MEASURES:
        means = {d: {m: curves.mean(d, m, measure) for m in methods} for d in datasets}
        whole = [d for d in datasets if all(means[d].values())]
        if len(whole) < 2 or len(methods) < 3:
            continue
        values = {
            m: [mean.value for d in whole if (mean := means[d][m]) is not None] for m in methods
        }
        ranking = rank_methods(values)
        caption = (
            f"Mean ranks of {measure.upper()} on {', '.join(map(title_of, whole))}; bars join "
            f"methods that are not told apart (Nemenyi, 5 %); Friedman's p = {ranking.p_value:.2g}."
        )
        picture = figures.rank_diagram(ranking, label=f"Mean rank of {measure.upper()}")
        drawn.append(Figure(f"3_ranks_{measure}", caption, picture))
    return drawn


def _pictures(results: Results) -> list[Figure]:
    """Show the selected pixels on four faces, where the set is there."""
    if PICTURED not in results.datasets() or not is_present(PICTURED):
        return []
    info = dataset_info(PICTURED)
    assert info.image_shape is not None
    data = load_source(PICTURED, scaling="stored", seed=0)
    chosen = np.random.default_rng(0).choice(len(data.X), size=4, replace=False)
    masks = {"Original": np.zeros(info.n_features, dtype=bool)}
    for method in PICTURED_METHODS:
        score = best_score(results.where(dataset=PICTURED, method=method), N_PIXELS)
        if score is not None and "selected" in score.rows[0]:
            masks[method] = np.zeros(info.n_features, dtype=bool)
            masks[method][score.rows[0]["selected"][:N_PIXELS]] = True
    panels = []
    for sample in chosen:
        for method, mask in masks.items():
            content = tuple(
                np.reshape(pixels, info.image_shape, order=info.image_order)
                for pixels in (data.X[sample], mask)
            )
            panels.append(figures.Panel(method if sample == chosen[0] else "", content))
    caption = f"The {N_PIXELS} pixels that each method selects on {info.title}, best setting."
    return [Figure("3_pixels", caption, figures.pictures(panels, n_columns=len(masks)))]


EXPERIMENT = Experiment(3, "Clustering on real data sets", judge, report)
