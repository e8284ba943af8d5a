"""No case of the campaign breaks what a certificate promises.

`make attack` runs many more of them. A case that broke a promise once is kept in `NAMED`.
"""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD

from attack.cases import Case, draw
from attack.data import Recipe, singular_values
from attack.judge import judge
from attack.objective import IS_EXTENDED
from oracle import optimum

pytestmark = pytest.mark.skipif(not IS_EXTENDED, reason="no numbers longer than doubles here")

CASES, BATCH = 200, 20

# Residuals of some samples vanish at the optimum; in the second at the identity, all of them.
ROBUST = [
    Case(6, Recipe(25, 8, scale=scale), "cspca", eta=1.0, lam=1.0, units="absolute", tol=tol)
    for scale, tol in ((8.0, 1e-5), (10.0, 1e-4))
]
# The weight of the trace lies between the two largest eigenvalues of what it weighs, and the
# smaller one is easily taken for the largest with these seeds.
PAIR = Recipe(301, 1200, "pair")
BETWEEN = 1.0008 / float((singular_values(PAIR) ** 2).sum())
NAMED: list[tuple[str, Case]] = [
    (
        "products in single precision",
        Case(1, Recipe(200, 60, "spread"), bits=32, eta=1e-5, lam=0.1, tol=1e-6),
    ),
    *(
        (f"sparse, mean {mean:.0e}", Case(2, Recipe(60, 12, mean=mean), layout="csr"))
        for mean in (1e4, 1e6, 1e7)
    ),
    *((f"true norms, scale {case.recipe.scale:.0f}", case) for case in ROBUST),
    *(
        (
            f"two close eigenvalues on wide data, {seed}",
            Case(
                seed, PAIR, "cspca", "factored", "csr", 64, BETWEEN, 0.0, "converted", 1e-7, 1e-12
            ),
        )
        for seed in (54, 108)
    ),
    *(
        (
            f"one eigenvalue for all, {seed}",
            Case(seed, Recipe(300, 8, "flat", scale=5e-3), eta=0.05),
        )
        for seed in (5, 6)
    ),
    (
        "a W beyond the identity on the way",
        Case(
            2376,
            Recipe(2, 5, "cauchy", scale=26.0),
            "spca",
            "published",
            "gram",
            eta=2.5e-4,
            lam=0.09,
        ),
    ),
    (
        "squares of squares that vanish",
        Case(3, Recipe(15, 24, "crowded", scale=1e-102), eta=1.0 / 13.0, lam=0.07, tol=1e-5),
    ),
    ("nothing but a constant", Case(0, Recipe(11, 1, flaws=("constant",)), eta=5e-3)),
    # What longer campaigns have found.
    ("a multiplier too long by rounding", draw(298)),
    ("a residual that vanishes", draw(103)),
    ("a leading minor that rounds to zero", draw(381)),
    ("weights whose squares overflow", draw(682)),
    ("variances of equal rows that round below zero", draw(769)),
    ("a constant stream with a negative trace", draw(3037)),
    ("weights that overflow beside tiny data", draw(3055)),
    ("weights that vanish beside huge data", draw(5438)),
    ("a mean whose rounding looks like data", draw(5832)),
    ("a point whose objective all but vanishes", draw(1867)),
    ("a quadratic part that rounds below zero", draw(3823)),
    ("an equation whose decomposition may fail", draw(4431)),
    ("weights of vanishing residuals whose moments overflow", draw(7952)),
    ("a number of positive eigenvalues that rounding hides", draw(702_669)),
    ("a ridge that rounding of a larger matrix hides", draw(804_811)),
    ("a factor that has lost its last column", draw(1_007_997)),
    ("blocks of so different a size that their ratio overflows", draw(3_000_942)),
    ("a score whose square vanishes", draw(3_004_111)),
    ("a step along a gradient of vanishing residuals", draw(3_004_568)),
    ("weights whose squares overflow in a bound", draw(4_000_139)),
    ("eigenvectors that LAPACK does not say are not numbers", draw(4_001_462)),
    ("blocks whose norms overflow", draw(4_005_206)),
    ("a smoothing in absolute units that is none", draw(4_007_190)),
    (
        "copied features whose weighted scatter rounding keeps from a Cholesky factor",
        draw(11_001_073),
    ),
    ("coordinates whose squares overflow in single precision", draw(12_001_306)),
    ("clipped columns with a trace that is small beside lam", draw(13_006_076)),
]


@pytest.mark.parametrize("first", range(0, CASES, BATCH), ids=lambda first: f"from-{first}")
def test_drawn_cases(first: int) -> None:
    judged = [judge(draw(seed)) for seed in range(first, first + BATCH)]
    broken = [str(judgement) for judgement in judged if judgement.verdict.is_failure]
    assert not broken, "\n".join(["broken:", *broken])


@pytest.mark.parametrize("first", [100, 5000], ids=lambda first: f"from-{first}")
def test_drawn_cases_reduced_in_single_precision(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only large sides are reduced so: these are taken for large, and many of their pairs for few.
    monkeypatch.setattr("sparsecone.data.spectrum.SMALL", 1)
    monkeypatch.setattr("sparsecone.data.rough.FEW", 0.9)
    judged = [judge(draw(seed)) for seed in range(first, first + BATCH)]
    broken = [str(judgement) for judgement in judged if judgement.verdict.is_failure]
    assert not broken, "\n".join(["broken:", *broken])


@pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in NAMED])
def test_named_cases(case: Case) -> None:
    judgement = judge(case)
    assert not judgement.verdict.is_failure, str(judgement)


@pytest.mark.parametrize("case", ROBUST, ids=lambda case: f"scale-{case.recipe.scale:.0f}")
def test_the_gap_of_a_robust_model_is_that_to_the_true_optimum(case: Case) -> None:
    rows = case.rows()
    solution = case.selector(rows).fit(rows).solution_
    expected = optimum(rows, 1.0, 1.0, delta=0.0)
    assert solution.value - expected <= (solution.gap + 1e-7) * solution.value
    assert solution.bound <= expected * (1.0 + 1e-7)


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
def test_one_sample_is_refused(model: type[SPCAPSD | CSPCAPSD | AWSPCAPSD]) -> None:
    with pytest.raises(ValueError, match="minimum of 2"):
        model().fit(np.ones((1, 2)))
