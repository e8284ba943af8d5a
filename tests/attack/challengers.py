"""Other matrices whose objective no bound may exceed."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cases import MODELS, Case, is_refusal
from .objective import Enclosed, Objective

Array = NDArray[Any]

# One case in so many is solved again, by another solver to a smaller gap.
EVERY = 3
TOLERANCES = (1e-9, 1e-7, 1e-5)
# Weights beyond this many units of the loss leave nothing but zero.
LARGEST = 1e50


def challengers(case: Case, objective: Objective) -> dict[str, Enclosed]:
    """Return the objective at matrices that owe nothing to the fit, by name."""
    found = {"zero": objective.at_zero(), "identity": objective.at_identity()}
    if case.model == "aw":
        empty = np.zeros((case.recipe.d, 0))
        found["zero with the median"] = objective.at(empty, objective.median())
    normal = Normal.of(objective)
    if case.model == "spca" and normal is not None:
        found["without lam"] = objective.at(normal.without_lam())
    if case.seed % EVERY == 0 and normal is not None:
        other = normal.solved(case)
        if other is not None:
            factor, offset = other
            found["of another solver"] = objective.at(factor, offset)
    return found


@dataclass(frozen=True)
class Normal:
    """The same problem with the same solutions on dense, centred data whose largest entry is one.

    Attributes
    ----------
    rows : ndarray of shape (n_samples, n_features)
        The samples.
    unit : longdouble
        What one of its entries stands for.
    lam, eta, delta : float
        What has become of the weights and of the smoothing.
    """

    rows: Array
    unit: np.longdouble
    lam: float
    eta: float
    delta: float

    @classmethod
    def of(cls, objective: Objective) -> Normal | None:
        """Return the problem of an objective, or none where the zero matrix is best for sure."""
        unit = np.abs(objective.rows).max()
        loss = unit**2 if objective.squared else unit
        if max(objective.lam, objective.eta) >= LARGEST * loss:
            return None
        rows = (objective.rows / unit).astype(np.float64)
        weights = float(objective.lam / loss), float(objective.eta / loss)
        return cls(rows, unit, *weights, float(objective.delta / unit**2))

    def without_lam(self) -> Array:
        """Return the factor of the optimum of the squared loss for lam = 0."""
        _, roots, vectors = np.linalg.svd(self.rows, full_matrices=False)
        above = np.maximum(2.0 * roots**2, max(self.eta, np.finfo(float).tiny))
        return np.asarray(vectors.T * np.sqrt(1.0 - self.eta / above))

    def solved(self, case: Case) -> tuple[Array, Array | None] | None:
        """Return factor and offset of another solver, at the smallest gap that is not refused."""
        options: dict[str, Any] = {"lam": self.lam}
        if case.model != "aw":
            options["eta"] = self.eta
        if case.model != "spca":
            options["delta"] = self.delta or None
        solver = "factored" if case.solver in ("admm", "auto") else "admm"
        for tol in TOLERANCES:
            selector = MODELS[case.model](
                **options, units="absolute", solver=solver, tol=tol, max_iter=200, max_time=1.0
            )
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    solution = selector.fit(self.rows).solution_
            except ValueError as error:
                if is_refusal(error):
                    continue
                raise
            offset = solution.offset
            return solution.factor, None if offset is None else offset * self.unit
        return None
