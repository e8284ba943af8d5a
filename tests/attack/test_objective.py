"""The judge itself: against exact fractions, and on claims that are false."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from attack.cases import Case, draw
from attack.data import Recipe
from attack.judge import Verdict, examine
from attack.objective import IS_EXTENDED, Objective, centred

Array = NDArray[Any]

pytestmark = pytest.mark.skipif(not IS_EXTENDED, reason="no numbers longer than doubles here")

CASE = Case(3, Recipe(20, 5), eta=0.05, lam=0.1)


def exact(matrix: Array) -> Array:
    return np.vectorize(Fraction, otypes=[object])(matrix.astype(np.float64))


@pytest.mark.parametrize("mean", [0.0, 1e3, 1e7])
@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e140])
def test_the_squared_loss_and_the_trace_are_those_of_exact_fractions(
    mean: float, scale: float
) -> None:
    rows = Case(5, Recipe(12, 4, mean=mean, scale=scale)).rows()
    factor = np.random.default_rng(0).normal(size=(4, 2)) / 2.0
    eta = 0.3 * scale**2
    found = Objective(centred(rows), None, squared=True, lam=0.0, eta=eta).at(factor)
    X, L = exact(rows), exact(factor)
    X = X - X.sum(axis=0) / len(X)
    residuals = X - (X @ L) @ L.T
    expected = (residuals**2).sum() + Fraction(eta) * (L**2).sum()
    high = float(found.value)
    value = Fraction(high) + Fraction(float(found.value - high))
    assert abs(value - expected) <= Fraction(float(found.error))
    assert found.error < 1e-16 * found.value


def test_the_gram_matrix_has_the_objective_of_its_rows() -> None:
    rows = CASE.rows()
    factor = np.random.default_rng(0).normal(size=(5, 3)) / 3.0
    X = centred(rows)
    gram = (X.T @ X).astype(np.float64)
    by_rows = Objective(X, None, squared=True, lam=0.1, eta=0.2).at(factor)
    by_gram = Objective(X, gram, squared=True, lam=0.1, eta=0.2).at(factor)
    assert float(by_gram.value) == pytest.approx(float(by_rows.value), rel=1e-14)


@dataclass(frozen=True)
class Claim:
    """A solution that states what the test wants it to."""

    factor: Array
    value: float
    bound: float
    rounding: float
    offset: None = None
    status: str = "converged"

    @property
    def gap(self) -> float:
        return (self.value + self.rounding - self.bound) / self.value


def verdicts_on(**changes: Any) -> set[Verdict]:
    """Return what the judge finds when a true solution claims something else."""
    rows = CASE.rows()
    selector = CASE.selector(rows).fit(rows)
    solution = selector.solution_
    honest = Claim(
        solution.factor,
        value=solution.value,
        bound=solution.bound * (1.0 - 1e-12),
        rounding=1e-12 * solution.value,
    )
    changed = {name: change(getattr(honest, name)) for name, change in changes.items()}
    fitted = {**vars(selector), "solution_": replace(honest, **changed)}
    return {finding.verdict for finding in examine(CASE, SimpleNamespace(**fitted), rows)}


def test_true_claims_stand() -> None:
    assert verdicts_on() == set()


def test_false_claims_fall() -> None:
    assert verdicts_on(value=lambda value: value * (1.0 + 1e-10)) == {Verdict.WRONG_VALUE}
    assert verdicts_on(value=lambda _: np.nan) == {Verdict.WRONG_VALUE}
    assert Verdict.BOUND_ABOVE in verdicts_on(bound=lambda bound: bound * (1.0 + 1e-3))
    assert verdicts_on(bound=lambda bound: bound * (1.0 - 1e-3)) == {Verdict.FALSE_CONVERGED}
    assert verdicts_on(status=lambda _: "proven") == {Verdict.INCONSISTENT}
    assert Verdict.INCONSISTENT in verdicts_on(factor=lambda factor: factor * (1.0 + 1e-3))


def test_a_seed_is_one_case() -> None:
    first, again = draw(17), draw(17)
    assert first == again
    np.testing.assert_array_equal(first.rows(), again.rows())
    assert len({repr(draw(seed)) for seed in range(200)}) == 200
