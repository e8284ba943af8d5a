"""What a fit claims, against the objective in extended precision."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cases import Case, is_refusal
from .challengers import challengers
from .objective import Enclosed, Objective, centred, column_norms

Array = NDArray[Any]

STATUSES = {"converged", "estimated", "stalled", "max_iter", "max_time"}


class Verdict(StrEnum):
    """What is to be said of a case, the worst last."""

    OK = "ok"
    REFUSED = "refused"
    INCONSISTENT = "inconsistent"
    WRONG_VALUE = "wrong_value"
    FALSE_CONVERGED = "false_converged"
    BOUND_ABOVE = "bound_above"
    CRASHED = "crashed"

    @property
    def is_failure(self) -> bool:
        """Whether the library is at fault."""
        return self not in (Verdict.OK, Verdict.REFUSED)


# The last are the worst.
SEVERITY = list(Verdict)


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong, with what was measured."""

    verdict: Verdict
    text: str


@dataclass(frozen=True)
class Judgement:
    """What was found of a case."""

    case: Case
    findings: tuple[Finding, ...]
    seconds: float

    @property
    def verdict(self) -> Verdict:
        """The worst finding."""
        verdicts = [finding.verdict for finding in self.findings]
        return max(verdicts, key=SEVERITY.index, default=Verdict.OK)

    def __str__(self) -> str:
        texts = "; ".join(f"{finding.verdict}: {finding.text}" for finding in self.findings)
        return f"{self.case!r} -> {texts or Verdict.OK}"


def judge(case: Case) -> Judgement:
    """Fit a case and hold what it claims against the truth."""
    start = time.perf_counter()
    rows = case.rows()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            selector = case.selector(rows).fit(case.given(rows))
        except Exception as error:  # whatever is raised is a finding
            return Judgement(case, (refusal(error),), time.perf_counter() - start)
    texts = {
        f"{warning.category.__name__}: {warning.message}": None
        for warning in caught
        if not issubclass(warning.category, UserWarning)
    }
    found = [Finding(Verdict.INCONSISTENT, text) for text in texts]
    found += examine(case, selector, rows)
    return Judgement(case, tuple(found), time.perf_counter() - start)


def refusal(error: Exception) -> Finding:
    """Return whether an error is an honest refusal."""
    text = f"{type(error).__name__}: {error}"
    verdict = Verdict.REFUSED if is_refusal(error) else Verdict.CRASHED
    return Finding(verdict, text.splitlines()[0])


def objective_of(case: Case, selector: Any, rows: Array) -> Objective:
    """Return the objective that the solution of a fit is judged by."""
    gram = case.gram(rows) if case.layout == "gram" else None
    delta = getattr(selector, "delta", None) or 0.0
    squared = case.model == "spca"
    return Objective(centred(rows), gram, squared, selector.lam_, selector.eta_, delta)


def examine(case: Case, selector: Any, rows: Array) -> Iterator[Finding]:
    """Yield all that is wrong with a fitted selector."""
    solution = selector.solution_
    rounding = solution.rounding
    numbers = [solution.value, solution.bound, rounding, solution.factor]
    if not all(np.isfinite(number).all() for number in numbers):
        text = f"value {solution.value}, bound {solution.bound}, rounding {rounding}"
        yield Finding(Verdict.WRONG_VALUE, f"not finite: {text}")
        return
    objective = objective_of(case, selector, rows)
    truth = objective.at(solution.factor, solution.offset)
    off = abs(solution.value - truth.value)
    if off > rounding + truth.error:
        text = f"value off by {share(off, truth)}, stated {share(rounding, truth)}"
        yield Finding(Verdict.WRONG_VALUE, text)
    yield from bound_findings(case, solution.bound, objective, truth)
    yield from gap_findings(case, solution, truth, rounding)
    yield from selection_findings(case, selector)


def bound_findings(
    case: Case, bound: float, objective: Objective, truth: Enclosed
) -> Iterator[Finding]:
    """Yield the matrices that are better than the bound allows."""
    known = {"found": truth}
    try:
        known |= challengers(case, objective)
    except Exception as error:  # whatever another solver raises is a finding, too
        text = f"another solver: {type(error).__name__}: {error}"
        yield Finding(Verdict.CRASHED, text.splitlines()[0])
    for name, other in known.items():
        if bound - other.value > other.error:
            text = f"by {share(bound - other.value, other)} at the W {name}"
            yield Finding(Verdict.BOUND_ABOVE, text)


def share(amount: Any, of: Enclosed) -> str:
    """Return an amount relative to a number."""
    return f"{float(amount / of.value):.1e}" if of.value > 0.0 else f"{float(amount):.1e} of 0"


def gap_findings(case: Case, solution: Any, truth: Enclosed, rounding: float) -> Iterator[Finding]:
    """Yield what is wrong with the gap and with the status that rests on it."""
    if solution.status not in STATUSES:
        yield Finding(Verdict.INCONSISTENT, f"status {solution.status}")
    if solution.value > 0.0:
        stated = (np.longdouble(solution.value) + rounding - solution.bound) / solution.value
        if abs(solution.gap - stated) > 1e-15 * (1.0 + abs(stated)):
            yield Finding(Verdict.INCONSISTENT, f"gap {solution.gap:.3e} is not {stated:.3e}")
    if solution.status != "converged":
        return
    if solution.gap > case.tol:
        yield Finding(Verdict.FALSE_CONVERGED, f"stated gap {solution.gap:.1e}")
    least = truth.value - truth.error
    if least - solution.bound > case.tol * least:
        text = f"true gap {share(least - solution.bound, truth)}, asked {case.tol:.1e}"
        yield Finding(Verdict.FALSE_CONVERGED, text)


def selection_findings(case: Case, selector: Any) -> Iterator[Finding]:
    """Yield what is wrong with the scores and with the selection from them."""
    L = selector.solution_.factor.astype(np.longdouble)
    lengths = np.sqrt((L**2).sum(axis=1))
    off = np.abs(selector.scores_ - column_norms(L @ L.T))
    # A squared score is a sum of products that may cancel, and may vanish.
    allowed = 1e-7 * lengths * np.sqrt((L**2).sum()) + np.sqrt(np.finfo(float).tiny)
    if (off > allowed).any():
        text = f"a score is off by {float((off / allowed).max()):.1e} of what is allowed"
        yield Finding(Verdict.INCONSISTENT, text)
    d, chosen = case.recipe.d, selector.selected_
    sensible = (
        len(chosen) == len(set(chosen)) == max(1, d // 2)
        and np.array_equal(np.flatnonzero(selector.support_), np.sort(chosen))
        and np.array_equal(np.sort(selector.ranking_), np.arange(1, d + 1))
    )
    if not sensible:
        yield Finding(Verdict.INCONSISTENT, f"selected {chosen}")
    left = selector.scores_[~selector.support_].max(initial=0.0)
    if selector.selection == "scores" and selector.scores_[chosen].min() < left:
        yield Finding(Verdict.INCONSISTENT, "a better score is not selected")
