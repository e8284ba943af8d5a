"""The claims of experiment 6: where ACC peaks, the parameter rule, and what settings cost."""

from __future__ import annotations

from collections.abc import Callable

from scipy.stats import mannwhitneyu

from .claims import Claim, Verdict, told_of
from .grid import METHOD, Grid, Setting, follows_rule, grids_of
from .paper import DATASETS, HELD, RULE_LAM
from .ranks import LEVEL
from .results import Results
from .significance import holm, in_words, signed_rank, welch
from .sources import title_of

WHERE = "Experiment 6"
PEAK = Claim(
    WHERE,
    "ACC peaks where lambda or eta is 1 to 10 % of Tr(XX^T).",
    "Welch's test, the best setting there against the best anywhere, 100 features, each data set "
    "of the paper that is here, Holm over them: none is worse.",
)
RULE = Claim(
    WHERE,
    "The rule (eta 1 to 10 % of Tr(XX^T), lambda at most 10 % of eta) has the best performance.",
    "Welch's test, the best setting of the rule against the best anywhere, 100 features, each "
    "data set of the paper that is here, Holm over them: none is worse.",
)
ORDER = Claim(
    WHERE,
    "Varying lambda with eta fixed often takes less time than varying eta with lambda fixed.",
    "Wilcoxon's signed-rank test, one-sided, of the median times at the same values of the varied "
    "parameter, each of the paper's lines, Holm over the data sets: all less.",
)
RISE = Claim(
    WHERE,
    "Time may rise sharply once lambda reaches 10 % of eta.",
    "Mann-Whitney's test, one-sided, of the median times on either side of 10 % on the paper's "
    "line of fixed eta, Holm over the data sets: all longer.",
)


def judge(results: Results) -> list[Verdict]:
    """Return the verdicts on the four claims."""
    whole = set(DATASETS[6]) - results.unfinished([METHOD])
    grids = {name: grid for name, grid in grids_of(results).items() if name in whole}
    return [
        _best_inside(PEAK, grids, lambda setting: setting.peaks),
        _best_inside(RULE, grids, lambda setting: follows_rule(setting.row)),
        _order(results),
        _rise(results),
    ]


def _best_inside(
    claim: Claim, grids: dict[str, Grid], belongs: Callable[[Setting], bool]
) -> Verdict:
    """Compare the best setting of a region with the best of all."""
    p_values, told = [], []
    for dataset, grid in grids.items():
        inside = [setting for setting in grid.settings if belongs(setting)]
        if not inside:
            continue
        ours, best = (Grid.best(part).score for part in (inside, grid.settings))
        p_values.append(welch(ours.estimate("acc"), best.estimate("acc"), "less"))
        mean = sum(setting.score.acc for setting in inside) / len(inside)
        told.append(
            f"{title_of(dataset)}: best of {len(inside)} settings there {ours.acc:.1f} (their mean "
            f"{mean:.1f}), best of all {len(grid.settings)} {best.acc:.1f}"
        )
    if not told:
        return claim.untestable("No finished grid on the paper's data sets has a setting there.")
    texts = [f"{text}, {in_words(p)}" for text, p in zip(told, holm(p_values), strict=True)]
    return claim.judged(all(p >= LEVEL for p in holm(p_values)), told_of(6, texts, grids))


def _order(results: Results) -> Verdict:
    p_values, told = [], []
    for dataset in HELD:
        grid = Grid(results, dataset)
        by_lam, by_eta = grid.times("eta"), grid.times("lam")
        shared = [v for v in by_lam if v in by_eta]
        ratios = [by_lam[value].seconds / by_eta[value].seconds for value in shared]
        if not ratios:
            continue
        p_values.append(signed_rank([1.0 - ratio for ratio in ratios]))
        less = sum(ratio < 1.0 for ratio in ratios)
        told.append(f"{title_of(dataset)}: less at {less} of {len(ratios)} values")
    return _timed(ORDER, p_values, told)


def _rise(results: Results) -> Verdict:
    p_values, told = [], []
    for dataset, held in HELD.items():
        times = Grid(results, dataset).times("eta")
        large = [t.seconds for lam, t in times.items() if lam >= RULE_LAM * held]
        small = [t.seconds for lam, t in times.items() if lam < RULE_LAM * held]
        if not large or not small:
            continue
        p_values.append(float(mannwhitneyu(large, small, alternative="greater").pvalue))
        ratio = (sum(large) / len(large)) / (sum(small) / len(small))
        told.append(f"{title_of(dataset)}: {ratio:.2f} times the mean time from 10 % on")
    return _timed(RISE, p_values, told)


def _timed(claim: Claim, p_values: list[float], told: list[str]) -> Verdict:
    """Return the verdict of tests on times, one a data set."""
    if not told:
        return claim.untestable("The paper's lines have not been timed alone on the machine.")
    corrected = holm(p_values)
    texts = [f"{text}, {in_words(p)}" for text, p in zip(told, corrected, strict=True)]
    return claim.judged(all(p < LEVEL for p in corrected), "; ".join(texts))
