"""The four observations of experiment 3, each with a test over the paper's data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

from .claims import Claim, Verdict, told_of
from .curves import Curves
from .paper import DATASETS, GRID
from .ranks import LEVEL
from .results import MEASURES, Measure, Results
from .significance import fewest, in_words, signed_rank
from .sources import title_of

SPCA_PSD, CSPCA_PSD, AW_SPCA_PSD = (
    "SPCA-PSD (published)",
    "CSPCA-PSD (published)",
    "AW-SPCA-PSD (published)",
)
SPECTRAL = ("LapScore", "UDFS", "SOGFS", "RNE")
CONVEX = (SPCA_PSD, CSPCA_PSD, AW_SPCA_PSD)
#: The eight methods in the paper's figures.
COMPARED = (*CONVEX, "SPCAFS", *SPECTRAL)
#: Of one of two being first among them.
CHANCE = 2 / len(COMPARED)
#: As many settings as a method with one parameter has.
FEW = len(GRID)

WHERE = "Experiment 3"
_OVER_SETS = (
    "best setting at each number of features, mean over those that all have; Wilcoxon's "
    "signed-rank test over the paper's data sets with finished grids, one-sided: ahead in ACC and "
    "in NMI."
)


@dataclass(frozen=True)
class Groups:
    """An observation that one group of methods is ahead of another."""

    claim: Claim
    ahead: tuple[str, ...]
    behind: tuple[str, ...]


OBSERVATIONS = (
    Groups(
        Claim(
            WHERE,
            "SPCA-based methods generally outperform spectral-based methods.",
            f"Mean of the four minus mean of LapScore, UDFS, SOGFS and RNE: {_OVER_SETS}",
        ),
        (*CONVEX, "SPCAFS"),
        SPECTRAL,
    ),
    Groups(
        Claim(
            WHERE,
            "Convex SPCA-based methods generally outperform non-convex ones.",
            f"Mean of the three with -PSD minus SPCAFS: {_OVER_SETS}",
        ),
        CONVEX,
        ("SPCAFS",),
    ),
    Groups(
        Claim(
            WHERE,
            "Convex SPCA-based methods with a low-rank constraint perform better.",
            f"Mean of SPCA-PSD and CSPCA-PSD minus AW-SPCA-PSD: {_OVER_SETS}",
        ),
        (SPCA_PSD, CSPCA_PSD),
        (AW_SPCA_PSD,),
    ),
)
HIGHEST = Claim(
    WHERE,
    "On most data sets CSPCA-PSD or SPCA-PSD obtains the highest ACC (or NMI).",
    "Paper's data sets with finished grids on which one of the two has the highest point of the "
    "eight methods: more than half, and more than two of eight would by chance (binomial test), "
    "in ACC and in NMI.",
)


def judge(results: Results) -> list[Verdict]:
    """Return the verdicts on the four observations."""
    curves = Curves(results)
    unfinished = results.unfinished(COMPARED)
    datasets = [
        name for name in results.datasets() if name in DATASETS[3] and name not in unfinished
    ]
    verdicts = [_groups_verdict(curves, datasets, groups) for groups in OBSERVATIONS]
    return [*verdicts, _highest(curves, datasets)]


def leads(
    curves: Curves, dataset: str, groups: Groups, measure: Measure, n_tries: int | None = None
) -> list[float]:
    """Return one group minus the other at each number of features that all methods have.

    Every method may try `n_tries` settings, or all that it has.
    """
    found = [
        [method for method in group if curves.settings(dataset, method)]
        for group in (groups.ahead, groups.behind)
    ]
    if not all(found) or len(found[0]) < len(groups.ahead):
        return []
    values = {
        method: _values(curves, dataset, method, measure, n_tries)
        for group in found
        for method in group
    }
    shared = set.intersection(*(set(curve) for curve in values.values()))
    return [
        float(np.mean([values[m][count] for m in found[0]]))
        - float(np.mean([values[m][count] for m in found[1]]))
        for count in sorted(shared)
    ]


def _values(
    curves: Curves, dataset: str, method: str, measure: Measure, n_tries: int | None
) -> dict[int, float]:
    if n_tries is not None:
        return curves.of_few(dataset, method, measure, n_tries)
    best = curves.best(dataset, method, measure)
    return {count: score.mean(measure) for count, score in best.items()}


def _groups_verdict(curves: Curves, datasets: list[str], groups: Groups) -> Verdict:
    told, p_values = [], []
    for measure in MEASURES:
        pairs = {name: leads(curves, name, groups, measure) for name in datasets}
        found = {name: values for name, values in pairs.items() if values}
        if not found:
            return groups.claim.untestable(
                "No data set of the paper has finished grids of these methods."
            )
        means = [float(np.mean(values)) for values in found.values()]
        p_values.append(signed_rank(means))
        every = [value for values in found.values() for value in values]
        told.append(
            f"{measure.upper()} {np.mean(means):+.1f} points, ahead on "
            f"{sum(mean > 0.0 for mean in means)} of {len(means)} data sets and in "
            f"{sum(value > 0.0 for value in every)} of {len(every)} pairs of data set and number, "
            f"{in_words(p_values[-1])}"
        )
    few = [leads(curves, name, groups, "acc", FEW) for name in found]
    equal = [float(np.mean(values)) for values in few if values]
    told.append(f"with {FEW} random settings each: ACC {np.mean(equal):+.1f}")
    told += _lacking(curves, list(found), (*groups.ahead, *groups.behind))
    if len(found) < fewest():
        told.append(f"with fewer than {fewest()} data sets the test can reject nothing")
        return groups.claim.untestable(told_of(3, told, found))
    return groups.claim.judged(all(p < LEVEL for p in p_values), told_of(3, told, found))


def _lacking(curves: Curves, datasets: list[str], methods: Sequence[str]) -> list[str]:
    """Name methods that have no result on a data set."""
    return [
        f"{title_of(name)} without {', '.join(lacking)}"
        for name in datasets
        if (lacking := [m for m in methods if not curves.settings(name, m)])
    ]


def _highest(curves: Curves, datasets: list[str]) -> Verdict:
    told, holds, known = [], [], []
    for measure in MEASURES:
        firsts = []
        for dataset in datasets:
            peaks = {m: curves.peak(dataset, m, measure) for m in COMPARED}
            found = {m: score.mean(measure) for m, score in peaks.items() if score is not None}
            if {SPCA_PSD, CSPCA_PSD} <= found.keys() and len(found) > 2:
                firsts.append(max(found, key=lambda method: found[method]))
                known.append(dataset)
        if not firsts:
            return HIGHEST.untestable(
                "No data set of the paper has finished grids of both and a rival."
            )
        own = sum(first in (SPCA_PSD, CSPCA_PSD) for first in firsts)
        p_value = float(binomtest(own, len(firsts), CHANCE, "greater").pvalue)
        holds.append(own > len(firsts) / 2 and p_value < LEVEL)
        told.append(f"{measure.upper()}: {own} of {len(firsts)} data sets, {in_words(p_value)}")
    told += _lacking(curves, list(dict.fromkeys(known)), COMPARED)
    if CHANCE ** len(set(known)) >= LEVEL:
        told.append("with so few data sets the test can reject nothing")
        return HIGHEST.untestable(told_of(3, told, known))
    return HIGHEST.judged(all(holds), told_of(3, told, known))
