"""Theorem 1 of the paper: its counterexample, computed when the page is, and its repair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..baselines.aw_spca import AWSPCA
from ..linalg.types import Array
from ..selectors import AWSPCAPSD, SPCAPSD
from .claims import Claim
from .experiment import Section
from .results import Results
from .section import Table
from .sources import title_of

CONE = Claim(
    "Theorem 1",
    "The optimum of the model without a constraint is positive semidefinite anyway; the appendix "
    "says the same of CSPCA and AW-SPCA.",
    "Some matrix has an objective below the certified bound over the whole cone, on 8 x 6 integers "
    "or at the end of AW-SPCA in experiment 1: none.",
)


@dataclass(frozen=True)
class Counterexample:
    """A value that some matrix reaches, and a bound below which none on the cone does."""

    model: str
    lam: float
    free: float
    bound: float


def example_data() -> Array:
    """Return the 8 samples of 6 integers that refute the theorem."""
    return np.random.default_rng(3).integers(-3, 4, size=(8, 6)).astype(float)


def counterexamples() -> list[Counterexample]:
    """Return the one for the paper's model and the one for AW-SPCA."""
    X = example_data()
    lam, robust_lam = 50.0, 5.0
    squared = SPCAPSD(lam=lam, eta=0.0, units="absolute", tol=1e-6, n_features_to_select=2).fit(X)
    robust = AWSPCAPSD(lam=robust_lam, units="absolute", tol=1e-6, n_features_to_select=2).fit(X)
    free = float(AWSPCA(lam=robust_lam, n_features_to_select=2).fit(X).objective_[-1])
    return [
        Counterexample("SPCA, eta = 0", lam, free_value(X, lam), squared.solution_.bound),
        Counterexample("AW-SPCA", robust_lam, free, robust.solution_.bound),
    ]


def free_value(X: Array, lam: float, n_steps: int = 200) -> float:
    """Return what majorise-minimise over all matrices reaches from the identity.

    It minimises |X - X W'|^2 + lam sum_j |w_j| for centred X; any W that it meets is a witness.
    """
    X = X - X.mean(axis=0)
    S, W = X.T @ X, np.eye(X.shape[1])
    for _ in range(n_steps):
        norms = np.linalg.norm(W, axis=0)
        W = S @ np.linalg.inv(S + 0.5 * lam * np.diag(1.0 / np.maximum(norms, 1e-9)))
    return float(np.sum((X - X @ W.T) ** 2) + lam * np.linalg.norm(W, axis=0).sum())


def below_the_cone(results: Results) -> dict[str, tuple[float, float]]:
    """Return where AW-SPCA ended below the certified bound of AW-SPCA-PSD: both numbers."""
    found = {}
    for dataset in results.datasets():
        free = results.where(dataset=dataset, method="AW-SPCA")
        cone = results.where(dataset=dataset, method="AW-SPCA-PSD")
        if free and cone and free[0].get("history") and cone[0].get("bound") is not None:
            end, bound = float(free[0]["history"][-1]), float(cone[0]["bound"])
            if end < bound:
                found[dataset] = (end, bound)
    return found


def theorem_section(results: Results) -> Section:
    """Return the verdict on Theorem 1, the counterexamples and what is true instead."""
    examples, rows = counterexamples(), below_the_cone(results)
    refuted = [each for each in examples if each.free < each.bound]
    numbers = [f"{each.model}: {each.free:.3f} below {each.bound:.3f}" for each in refuted]
    numbers += [f"{title_of(d)}: {end:.2f} below {bound:.2f}" for d, (end, bound) in rows.items()]
    lines = [
        *(
            ("8 x 6 integers", e.model, f"{e.lam:g}", f"{e.free:.3f}", f"{e.bound:.3f}")
            for e in examples
        ),
        *((title_of(d), "AW-SPCA", "10", f"{e:.2f}", f"{b:.2f}") for d, (e, b) in rows.items()),
    ]
    caption = (
        "Values that matrices off the cone reach, below what is certified to be the least on it "
        "(objectives not smoothed)."
    )
    columns = ("Data", "Model", "lambda", "Reached by some matrix", "Bound over the cone")
    return Section(
        0,
        "Theorem 1 and its repair",
        (CONE.judged(not refuted and not rows, "; ".join(numbers) or "no such matrix"),),
        (
            "With as many components as features every matrix is a product of the theorem's form, "
            "so a matrix off the cone that is better than all on it refutes the theorem. The data "
            "are `np.random.default_rng(3).integers(-3, 4, size=(8, 6))`. The step that fails: "
            "the proof replaces the sum over the d columns of Q^T by one over its k rows.",
            Table(caption, columns, tuple(lines), "0_theorem_1"),
            "What is true instead: without a trace term the optimum over the *symmetric* matrices "
            "is positive semidefinite. The proof, by an equation of Lyapunov, is in "
            "[the mathematics](../mathematics.md#without-a-trace-term-the-cone-is-free). So the "
            "constraint changes the model: it makes the matrix symmetric.",
        ),
    )
