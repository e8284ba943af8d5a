"""The verdict of the study in plain words, worked out from the rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .curves import EVERYTHING
from .methods import method_of
from .ranks import LEVEL, Ranking
from .section import Table
from .significance import fewest, signed_rank
from .sources import title_of
from .study import DEFAULT, LABELLED, RANDOM, Study

#: Data sets that were looked at, with their classes, when the defaults were designed.
DESIGNED_ON = (
    *("isolet", "pie", "warppie10p", "orlraws10p"),
    *("usps", "colon", "allaml", "digits"),
)


def comparisons(study: Study, ranking: Ranking | None) -> list[str]:
    """Return sentences on who is ahead of the default, and how far the evidence goes."""
    return [
        *(_against(study, method) for method in LABELLED if _ran(study, method)),
        *(_without_classes(study, method) for method in LABELLED if _ran(study, method)),
        *([_against(study, RANDOM), *_unseen(study), _luck(study)] if _ran(study, RANDOM) else []),
        *([] if ranking is None else [_ranks(study, ranking)]),
    ]


def _ran(study: Study, method: str) -> bool:
    return bool(study.leads(method, "acc"))


def _mean_lead(study: Study, method: str) -> float:
    return float(np.mean(list(study.leads(method, "acc").values())))


def summary(study: Study) -> list[str]:
    """Say who has the highest mean without labels, on how many data sets, and what a test says."""
    rivals = {
        method: _mean_lead(study, method)
        for method in study.methods
        if _is_selection_without_labels(method) and _ran(study, method)
    }
    if not rivals:
        return []
    closest = min(rivals, key=lambda method: rivals[method])
    leads, lead = list(study.leads(closest, "acc").values()), rivals[closest]
    if lead >= 0.0:
        return [
            f"**On {_sets(len(leads))} no other selection without labels has a higher mean ACC "
            f"than the default, {DEFAULT}.** The closest, {closest}, is {lead:.1f} points behind: "
            f"{how_sure(leads)}."
        ]
    return [
        f"**On {_sets(len(leads))} {closest} has a mean ACC {-lead:.1f} points above the default, "
        f"{DEFAULT}.** It is ahead on {_count_ahead(study, closest)} of them: {how_sure(leads)}."
    ]


def how_sure(leads: Sequence[float]) -> str:
    """Say what differences on some data sets tell about others.

    Examples
    --------
    >>> print(how_sure([1.0]))
    1 data set is too few for a test, so this says nothing about other data
    >>> print(how_sure([2.0, 1.0, 3.0, 4.0, 5.0, 6.0]))
    more than chance explains (Wilcoxon's signed-rank test over the data sets, p = 0.031)
    """
    if len(leads) < fewest("two-sided"):
        verb = "are" if len(leads) > 1 else "is"
        return (
            f"{_sets(len(leads))} {verb} too few for a test, so this says nothing about other data"
        )
    p_value = signed_rank(leads, "two-sided")
    outcome = "more than chance explains" if p_value < LEVEL else "the two are not told apart"
    return f"{outcome} (Wilcoxon's signed-rank test over the data sets, p = {p_value:.2g})"


def _is_selection_without_labels(method: str) -> bool:
    kind = method_of(method).kind
    return method not in (DEFAULT, EVERYTHING) and (
        kind in ("further", "control", "own") or "(auto" in method or method == "LapScore"
    )


def _count_ahead(study: Study, method: str) -> int:
    return sum(lead < 0.0 for lead in study.leads(method, "acc").values())


def _against(study: Study, method: str) -> str:
    leads = study.leads(method, "acc")
    lead = _mean_lead(study, method)
    name = (
        "random subsets"
        if method == RANDOM
        else f"the paper's {method.removesuffix(' (published)')} with the best parameters by the "
        "classes"
    )
    return (
        f"Against {name} the default is {abs(lead):.1f} points of mean ACC "
        f"{'ahead' if lead >= 0.0 else 'behind'} on {_sets(len(leads))}, and ahead on "
        f"{len(leads) - _count_ahead(study, method)} of them; {how_sure(list(leads.values()))}."
    )


def _without_classes(study: Study, method: str) -> str:
    """Say what the paper's rule has where the classes choose less, or nothing."""
    ours = float(np.mean([study.mean(name, DEFAULT, "acc") for name in study.leads(method, "acc")]))
    once, typical = (
        float(np.mean(study.over_settings(method, "acc", choice))) for choice in (np.max, np.mean)
    )
    return (
        f"Less of a choice by the classes: {method} has a mean ACC of {once:.1f} with one setting "
        f"for each data set instead of one for each number of features, and of {typical:.1f} as "
        "the mean over the settings that ran, which is what to expect of a setting taken without "
        f"classes. The default has {ours:.1f} on the same data."
    )


def _unseen(study: Study) -> list[str]:
    """Say what is left of the lead on data that the design of the defaults did not look at."""
    leads = study.leads(RANDOM, "acc")
    if not leads.keys() & set(DESIGNED_ON):
        return []
    parts = [
        [lead for name, lead in leads.items() if (name in DESIGNED_ON) == seen]
        for seen in (True, False)
    ]
    texts = [f"{np.mean(part):.1f} points on {_sets(len(part))}" if part else "-" for part in parts]
    return [
        f"The defaults were designed with {', '.join(map(title_of, DESIGNED_ON))} in view, which "
        f"are therefore no test of them: the lead over random subsets is {texts[0]} of these, and "
        f"{texts[1]} of the others."
    ]


def _luck(study: Study) -> str:
    """Say what a choice by the classes is worth where there is nothing to choose."""
    gains = np.array(study.luckiest("acc")) - np.array(study.means(RANDOM, "acc"))
    n_draws = max(len(study.results.where(dataset=name, method=RANDOM)) for name in study.datasets)
    return (
        f"What a choice by the classes is worth by itself: the best of up to {n_draws} random "
        f"subsets for each number of features has a mean ACC {gains.mean():.1f} points above that "
        "of all of them."
    )


def _sets(count: int) -> str:
    return f"{count} data set{'s' if count > 1 else ''}"


def _ranks(study: Study, ranking: Ranking) -> str:
    """Say who is before the default in mean rank, and what chance may explain."""
    ranks, own = ranking.mean_ranks, ranking.mean_ranks[DEFAULT]
    before = [method for method, rank in ranks.items() if rank < own]
    different = [method for method, rank in ranks.items() if rank - own > ranking.critical]
    unranked = [name for name in study.methods if name not in ranks and name != EVERYTHING]
    listed = ", ".join(f"{method} ({ranks[method]:.2f})" for method in before)
    return (
        f"In mean rank of NMI {DEFAULT} has {own:.2f}, "
        + (f"behind {listed}" if before else "the best of all")
        + f"; {len(ranks)} methods on {_sets(ranking.n_datasets)}, Friedman's "
        f"p = {ranking.p_value:.2g}. With so few data sets ranks must differ by "
        f"{ranking.critical:.1f} to exclude chance, which tells it apart from "
        f"{', '.join(different) or 'none'}."
        + (f" Not ranked, for lack of results: {', '.join(unranked)}." if unranked else "")
    )


def losses(study: Study) -> Table:
    """Return for each data set who is ahead of the default."""
    lines = []
    for dataset in study.datasets:
        ahead = {
            method: -lead
            for method in study.methods
            if method != EVERYTHING
            and (lead := study.lead(dataset, method, "acc")) is not None
            and lead < 0.0
        }
        names = sorted(ahead, key=lambda method: -ahead[method])
        text = ", ".join(f"{method} (by {ahead[method]:.1f})" for method in names)
        lines.append((title_of(dataset), text or "none"))
    return Table("Who is ahead of the default in ACC.", ("Data", "Ahead"), tuple(lines))
