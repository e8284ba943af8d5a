"""Experiment 3: ACC and NMI of all methods over the numbers of features, and pixel pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..datasets import dataset_info
from . import figures
from .methods import METHODS, method_of
from .results import Measure, Results, Score, best_score, by_setting, scores_of
from .section import Block, Experiment, Figure, Table, method_table
from .sources import is_present, load_source, title_of

#: The set of faces on which the paper shows the selected pixels, how many, and of which methods.
PICTURED = "pie"
N_PIXELS = 100
PICTURED_METHODS = ("SOGFS", "SPCAFS", "SPCA-PSD (published)", "SPCA-PSD", "Random subset")


def report(results: Results) -> list[Block]:
    """Return the curves, the table of the best, the pictures, and who is ahead where."""
    if not results.datasets():
        return []
    return [
        "For every method and number of features the setting of best ACC (or NMI) counts, as in "
        "the paper; this looks at the classes, and favours methods with more parameters.",
        _grid_sentence(results),
        _curves(results, "acc"),
        _curves(results, "nmi"),
        _table(results, "acc"),
        _table(results, "nmi"),
        *_pictures(results),
        *_sentences(results),
    ]


def curve_of(results: Results, dataset: str, method: str, measure: Measure) -> list[Score]:
    """Return the best score of a method for each number of features."""
    rows = results.where(dataset=dataset, method=method)
    counts = sorted({count for group in by_setting(rows) for count in scores_of(group)})
    found = [best_score(rows, count, measure) for count in counts]
    return [score for score in found if score is not None]


def peak(results: Results, dataset: str, method: str, measure: Measure) -> Score | None:
    """Return the highest point of a method's curve."""
    return best_score(results.where(dataset=dataset, method=method), None, measure)


def _grid_sentence(results: Results) -> str:
    """Say which settings were tried: the most that any data set has, a method."""
    sizes = []
    for method in results.methods():
        tried = [
            len(by_setting(results.where(dataset=dataset, method=method)))
            for dataset in results.datasets()
        ]
        numbers = sorted({count for count in tried if count})
        sizes.append(f"{method} {' or '.join(map(str, numbers))}")
    runs = sorted({row["n_runs"] for row in results.where()})
    return (
        f"Settings tried on a data set: {', '.join(sizes)}; k-means runs a setting: "
        f"{', '.join(map(str, runs))}. The paper's grid has 9 values of each parameter, 10^-4 to "
        "10^4, and 30 runs."
    )


def _curves(results: Results, measure: Measure) -> Figure:
    panels = []
    for dataset in results.datasets():
        counts = sorted({c for row in results.where(dataset=dataset) for c in _counts(row)})
        curves = {
            method: {
                point.n_features: point.mean(measure)
                for point in curve_of(results, dataset, method, measure)
            }
            for method in results.methods()
        }
        panels.append(score_panel(dataset, measure, curves, counts))
    svg = figures.lines(panels)
    caption = f"{measure.upper()} over the number of selected features, best setting each."
    return Figure(f"3_{measure}", caption, svg)


def score_panel(
    dataset: str,
    measure: Measure,
    curves: Mapping[str, Mapping[int, float]],
    counts: Sequence[int],
    *,
    label: Callable[[str], str] = str,
) -> figures.Panel:
    """Return the scores of methods over the numbers of features; all features are a level line."""
    drawn = []
    for method, curve in curves.items():
        if curve:
            if method == "All features":
                curve = dict.fromkeys((counts[0], counts[-1]), *curve.values())
            drawn.append(figures.Curve(label(method), [*curve], [*curve.values()], method))
    y_label = f"{measure.upper()} in %"
    return figures.Panel(title_of(dataset), drawn, "number of features", y_label)


def _counts(row: dict[str, object]) -> list[int]:
    """Return the numbers of features a row was evaluated at; all features have no place on it."""
    if row["method"] == "All features":
        return []
    scores = row["scores"]
    assert isinstance(scores, list)
    return [score["n_features"] for score in scores]


def _table(results: Results, measure: Measure) -> Table:
    def cell(dataset: str, method: str) -> str:
        score = peak(results, dataset, method, measure)
        if score is None:
            return ""
        return f"{score.mean(measure):.1f} ± {score.std(measure):.1f} ({score.n_features})"

    caption = f"Highest {measure.upper()} of each method, and the number of features it has there."
    return method_table(caption, results.methods(), results.datasets(), cell)


def _pictures(results: Results) -> list[Figure]:
    """Show the selected pixels on four faces, where the set is there."""
    if PICTURED not in results.datasets() or not is_present(PICTURED):
        return []
    info = dataset_info(PICTURED)
    assert info.image_shape is not None
    data = load_source(PICTURED, scaling="stored", seed=0)
    chosen = np.random.default_rng(0).choice(len(data.X), size=4, replace=False)
    panels = []
    for method in ("Original", *PICTURED_METHODS):
        mask = np.zeros(info.n_features, dtype=bool)
        if method in METHODS:
            score = best_score(results.where(dataset=PICTURED, method=method), N_PIXELS)
            if score is None or "selected" not in score.rows[0]:
                continue
            mask[score.rows[0]["selected"][:N_PIXELS]] = True
        for sample in chosen:
            image, marked = (
                np.reshape(pixels, info.image_shape, order=info.image_order)
                for pixels in (data.X[sample], mask)
            )
            panels.append(figures.Panel(method if sample == chosen[0] else "", (image, marked)))
    caption = f"The {N_PIXELS} pixels that each method selects on {info.title}, best setting."
    return [Figure("3_pixels", caption, figures.pictures(panels, n_columns=4))]


def _sentences(results: Results) -> list[str]:
    sentences = []
    for dataset in results.datasets():
        peaks = {
            method: score
            for method in results.methods()
            if (score := peak(results, dataset, method, "acc")) is not None
        }
        if not peaks:
            continue
        first = max(peaks, key=lambda method: peaks[method].acc)
        agrees = method_of(first).kind == "psd"
        text = (
            f"{title_of(dataset)}: {'agreement' if agrees else 'difference'}, the highest ACC, "
            f"{peaks[first].acc:.1f}, is that of {first}."
        )
        random = peaks.get("Random subset")
        if random is not None:
            behind = [method for method, score in peaks.items() if score.acc < random.acc]
            text += f" A random subset reaches {random.acc:.1f}" + (
                f" and is ahead of {', '.join(behind)}." if behind else ", less than every method."
            )
        sentences.append(text)
    return sentences


EXPERIMENT = Experiment(
    3,
    "Clustering on real data sets",
    "On most data sets SPCA-PSD or CSPCA-PSD has the highest ACC and NMI of all methods.",
    report,
)
