"""Sentences on agreement with printed numbers, worked out from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .paper import PSD_TEST, PrintedResult
from .results import Measure, Results, Score
from .sources import title_of

#: What the phrases below mean.
DEVIATIONS = "sd: standard deviations between the means, agreement up to two"


@dataclass(frozen=True)
class Comparison:
    """Our number beside a printed one, in units of a standard deviation.

    Attributes
    ----------
    ours, printed : float
        The two means.
    spread : float
        The printed standard deviation, ours where none is printed.
    """

    ours: float
    printed: float
    spread: float

    @property
    def deviations(self) -> float:
        """How many standard deviations lie between them."""
        difference = abs(self.ours - self.printed)
        return difference / self.spread if self.spread > 0.0 else float(difference > 0.0) * 1e9


def compare(score: Score, printed: PrintedResult, measure: Measure) -> Comparison:
    """Return the comparison of accuracy or information with a printed entry."""
    mean, std = (
        (printed.acc, printed.acc_std) if measure == "acc" else (printed.nmi, printed.nmi_std)
    )
    return Comparison(score.mean(measure), mean, std if std is not None else score.std(measure))


def verdict(comparisons: Sequence[Comparison]) -> str:
    """Return one phrase for the worst of some comparisons.

    Examples
    --------
    >>> verdict([Comparison(ours=43.0, printed=42.0, spread=2.0)])
    'agrees (0.5 sd)'
    >>> verdict([Comparison(ours=53.0, printed=42.0, spread=2.0)])
    'not reproduced (5.5 sd)'
    """
    worst = max(comparison.deviations for comparison in comparisons)
    return f"{'agrees' if worst <= 2.0 else 'not reproduced'} ({worst:.1f} sd)"


def steps_verdict(ours: int, printed: int) -> str:
    """Return one phrase on the numbers of iterations.

    Examples
    --------
    >>> steps_verdict(24, 25)
    'iterations agree'
    """
    if abs(ours - printed) <= 1:
        return "iterations agree"
    return f"iterations differ ({ours}, not {printed})"


def control_sentences(results: Results, n_features: int) -> list[str]:
    """Say for each data set of the paper's table where the controls stand among its entries."""
    sentences = []
    for dataset in results.datasets():
        printed = [entry for (name, _), entry in PSD_TEST.items() if name == dataset]
        for control, score in results.control_scores(dataset, n_features).items():
            if not printed:
                continue
            n_beaten = sum(score.acc > entry.acc and score.nmi > entry.nmi for entry in printed)
            sentences.append(
                f"{title_of(dataset)}: {_with_article(control, score)} reaches ACC "
                f"{score.acc:.1f} and NMI {score.nmi:.1f} and beats "
                f"{_how_many(n_beaten, len(printed))} of the paper's table in both."
            )
    return sentences


def _with_article(control: str, score: Score) -> str:
    """Return a control as the subject of a sentence, with its number of features."""
    if control == "All features":
        return f"k-means on all {score.n_features} features"
    if control == "Random subset":
        n_seeds = len(score.rows)
        drawn = f"mean of {n_seeds} draws" if n_seeds > 1 else "one draw"
        return f"a random subset of {score.n_features} features ({drawn})"
    return f"the selection of the {score.n_features} features of highest variance"


def _how_many(n_beaten: int, n_entries: int) -> str:
    if n_beaten == n_entries:
        return f"every one of the {n_entries} entries"
    return f"{n_beaten or 'none'} of the {n_entries} entries"
