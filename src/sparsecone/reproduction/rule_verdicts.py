"""The claims of experiment 6: where ACC peaks, the parameter rule, and what settings cost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.stats import mannwhitneyu

from .claims import Claim, Verdict, told_of
from .grid import METHOD, Grid, Setting, follows_rule, grids_of
from .paper import DATASETS, HELD, RULE_LAM
from .ranks import LEVEL
from .results import Results
from .significance import holm, in_words, signed_rank, welch
from .sources import title_of

WHERE = "Experiment 6"
_ELSEWHERE = (
    "100 features, each data set of the paper with a finished grid: settings there are better than "
    "those elsewhere (Mann-Whitney, one-sided, Holm over the data sets), and none elsewhere is "
    "better than the best one there (Welch, Holm over all settings, as the best of many is high by "
    "chance). The first rows were known when this test was written."
)
PEAK = Claim(WHERE, "ACC peaks where lambda or eta is 1 to 10 % of Tr(XX^T).", _ELSEWHERE)
RULE = Claim(
    WHERE,
    "The rule (eta 1 to 10 % of Tr(XX^T), lambda at most 10 % of eta) has the best performance.",
    _ELSEWHERE,
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
    """Compare the settings inside a region with those outside."""
    p_values, ahead, told = [], [], []
    for dataset, grid in grids.items():
        inside = [setting for setting in grid.settings if belongs(setting)]
        outside = [setting for setting in grid.settings if not belongs(setting)]
        if not inside or not outside:
            continue
        ours = Grid.best(inside).score
        rivals = [setting.score.estimate("acc") for setting in outside]
        p_values += [welch(rival, ours.estimate("acc"), "greater") for rival in rivals]
        there, elsewhere = ([each.score.acc for each in part] for part in (inside, outside))
        ahead.append(float(mannwhitneyu(there, elsewhere, alternative="greater").pvalue))
        told.append(
            f"{title_of(dataset)}: mean of {len(inside)} settings there {np.mean(there):.1f}, of "
            f"{len(outside)} elsewhere {np.mean(elsewhere):.1f}, {in_words(ahead[-1])}; best there "
            f"{max(there):.1f}, elsewhere {max(elsewhere):.1f}{_random(grid, ours.n_features)}"
        )
    if not told:
        return claim.untestable("No finished grid on the paper's data sets has a setting there.")
    corrected = holm(p_values)
    better = sum(p < LEVEL for p in corrected)
    told.append(
        f"better elsewhere: {better} of {len(corrected)}, smallest {in_words(min(corrected))}"
    )
    holds = better == 0 and all(p < LEVEL for p in holm(ahead))
    return claim.judged(holds, told_of(6, told, grids))


def _random(grid: Grid, n_features: int) -> str:
    score = grid.results.control_scores(grid.dataset, n_features).get("Random subset")
    return "" if score is None else f"; a random subset {score.acc:.1f}"


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
    return claim.tested(p_values, told)
