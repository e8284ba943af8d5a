"""The claims of experiment 1: similar scores, fewer iterations, less time, the printed numbers."""

from __future__ import annotations

from .claims import Claim, Verdict, told_of
from .curves import EVERYTHING
from .paper import DATASETS, N_RUNS, PSD_TEST
from .ranks import LEVEL
from .results import MEASURES, Measure, Results, Score, best_score
from .significance import Mean, holm, in_words, welch
from .sources import title_of
from .timings import Timing

N_FEATURES = 100
#: Points by which a score may be worse and still be similar; the paper's own largest is 0.6.
MARGIN = 1.0

#: What is compared: a method with the projection, and its original.
PAIRS = (("CSPCA-PSD (published)", "CSPCA"), ("AW-SPCA-PSD (published)", "AW-SPCA"))

#: Which of our methods stands beside a printed entry.
PRINTED = {
    "CSPCA": "CSPCA",
    "CSPCA-PSD (published)": "CSPCA-PSD",
    "AW-SPCA": "AW-SPCA",
    "AW-SPCA-PSD (published)": "AW-SPCA-PSD",
    "CSPCA-PSD (released)": "CSPCA-PSD",
}

WHERE = "Experiment 1"
SIMILAR = Claim(
    WHERE,
    "With the projection ACC and NMI are similar or better.",
    f"Welch's test on the means of the k-means runs, every pair and data set: none worse by more "
    f"than {MARGIN:g} point, Holm over all.",
)
FEWER = Claim(
    WHERE,
    "The projection takes fewer iterations.",
    "Iterations to the paper's stopping rule, every pair and data set: all fewer.",
)
FASTER = Claim(
    WHERE,
    "The projection takes less running time.",
    "Median seconds of repeated fits that ran alone, every pair and data set: all less.",
)
PRINT_TEST = (
    "Welch's test, ours against the printed mean, deviation and 30 runs, the better of the stated "
    "and the released CSPCA-PSD, Holm over the entries: none differs. One verdict a data "
    "set: this was decided after the first rows."
)
TABLES = {
    dataset: Claim(WHERE, f"The printed means of ACC and NMI on {title_of(dataset)}.", PRINT_TEST)
    for dataset in DATASETS[1]
}


def score_at(results: Results, dataset: str, method: str) -> Score | None:
    """Return the score of a method on a data set."""
    count = None if method == EVERYTHING else N_FEATURES
    return best_score(results.where(dataset=dataset, method=method), count)


def differing(results: Results, measure: Measure) -> set[tuple[str, str]]:
    """Return where our mean differs from the printed one, after correction over all entries."""
    p_values = _against_print(results)
    corrected = holm(list(p_values.values()))
    return {
        (dataset, method)
        for (dataset, method, measured), p in zip(p_values, corrected, strict=True)
        if p < LEVEL and measured == measure
    }


def _against_print(results: Results) -> dict[tuple[str, str, Measure], float]:
    found: dict[tuple[str, str, Measure], float] = {}
    for dataset in results.datasets():
        for method, entry in PRINTED.items():
            score = score_at(results, dataset, method)
            printed = PSD_TEST.get((dataset, entry))
            if score is None or printed is None:
                continue
            for measure in MEASURES:
                mean, std = getattr(printed, measure), getattr(printed, f"{measure}_std")
                theirs = Mean(mean, std / N_RUNS**0.5, N_RUNS)
                found[dataset, method, measure] = welch(score.estimate(measure), theirs)
    return found


def judge(results: Results) -> list[Verdict]:
    """Return the verdicts on the four claims."""
    pairs = [
        (dataset, with_cone, original)
        for dataset in results.datasets()
        if dataset in DATASETS[1]
        for with_cone, original in PAIRS
        if all(results.where(dataset=dataset, method=name) for name in (with_cone, original))
    ]
    if not pairs:
        nothing = "No pair has rows on the paper's data sets."
        claims = (SIMILAR, FEWER, FASTER, *TABLES.values())
        return [claim.untestable(nothing) for claim in claims]
    steps = [
        [results.where(dataset=dataset, method=name)[0]["n_iter"] for name in methods]
        for dataset, *methods in pairs
    ]
    fewer = sum(a < b for a, b in steps)
    ratios = sorted(a / b for a, b in steps)
    numbers = f"fewer in {fewer} of {len(steps)} pairs (ratios {ratios[0]:.2f} to {ratios[-1]:.2f})"
    return [
        _similar(results, pairs),
        FEWER.judged(fewer == len(steps), _told(numbers, pairs)),
        _faster(results, pairs),
        *(_printed(results, dataset) for dataset in DATASETS[1]),
    ]


def _told(numbers: str, pairs: list[tuple[str, str, str]]) -> str:
    return told_of(1, [numbers], [dataset for dataset, *_ in pairs])


def _similar(results: Results, pairs: list[tuple[str, str, str]]) -> Verdict:
    p_values, differences = [], []
    for dataset, *methods in pairs:
        ours, theirs = (score_at(results, dataset, name) for name in methods)
        if ours is None or theirs is None:
            continue
        for measure in MEASURES:
            a, b = ours.estimate(measure), theirs.estimate(measure)
            differences.append(a.value - b.value)
            p_values.append(welch(a, Mean(b.value - MARGIN, b.error, b.count), "less"))
    if not p_values:
        return SIMILAR.untestable("No pair has scores.")
    corrected = holm(p_values)
    worse = sum(p < LEVEL for p in corrected)
    numbers = (
        f"worse by more than {MARGIN:g} point in {worse} of {len(corrected)} comparisons; "
        f"differences {min(differences):+.1f} to {max(differences):+.1f} points; smallest "
        f"{in_words(min(corrected))}"
    )
    return SIMILAR.judged(worse == 0, _told(numbers, pairs))


def _faster(results: Results, pairs: list[tuple[str, str, str]]) -> Verdict:
    ratios, less = [], []
    for dataset, *methods in pairs:
        ours, theirs = (Timing.of(results, dataset, name) for name in methods)
        shorter = ours.is_less(theirs) if ours and theirs else None
        if ours and theirs and shorter is not None:
            ratios.append(ours.seconds / theirs.seconds)
            less.append(shorter)
    if not ratios:
        return FASTER.untestable("No pair has been timed alone on the machine.")
    numbers = (
        f"less in {sum(less)} of {len(ratios)} pairs; time with the projection over time without: "
        f"{min(ratios):.2f} to {max(ratios):.2f}"
    )
    return FASTER.judged(all(less), _told(numbers, pairs))


def _printed(results: Results, dataset: str) -> Verdict:
    claim = TABLES[dataset]
    best: dict[tuple[str, str], float] = {}
    for (name, method, measure), p in _against_print(results).items():
        if name == dataset:
            entry = (PRINTED[method], measure)
            best[entry] = max(best.get(entry, 0.0), p)
    if not best:
        return claim.untestable("No printed entry has a row.")
    corrected = holm(list(best.values()))
    n_differ = sum(p < LEVEL for p in corrected)
    apart = differences(results, dataset)
    numbers = (
        f"{n_differ} of {len(best)} differ; ours minus the paper's {min(apart):+.1f} to "
        f"{max(apart):+.1f} "
        f"points; smallest {in_words(min(corrected))}; iterations within one of the printed: "
        f"{_same_iterations(results, dataset)}"
    )
    return claim.judged(n_differ == 0, numbers)


def _same_iterations(results: Results, dataset: str) -> str:
    """Name the printed methods whose numbers of iterations come out."""
    found: dict[str, bool] = {}
    for method, entry in PRINTED.items():
        for row in results.where(dataset=dataset, method=method)[:1]:
            close = abs(row["n_iter"] - PSD_TEST[dataset, entry].n_iter) <= 1
            found[entry] = found.get(entry, False) or close
    return ", ".join(entry for entry, close in found.items() if close) or "none"


def differences(results: Results, dataset: str) -> list[float]:
    """Return our means minus the printed ones, none for a data set without any."""
    return [
        score.mean(measure) - getattr(PSD_TEST[dataset, entry], measure)
        for method, entry in PRINTED.items()
        if (score := score_at(results, dataset, method)) is not None
        and (dataset, entry) in PSD_TEST
        for measure in MEASURES
    ]
