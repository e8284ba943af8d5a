"""Value and bound against each other: the gap, and what happens when they contradict."""

from __future__ import annotations

import numpy as np


class InvalidCertificate(RuntimeError):  # noqa: N818
    """A lower bound that exceeds a value: a formula, or the arithmetic, is wrong."""

    def __init__(self, value: float, bound: float, rounding: float, solver: str) -> None:
        super().__init__(
            f"The lower bound {bound:.17g} exceeds the objective {value:.17g} by more than its "
            f"rounding {rounding:.3g} (solver {solver}): one of the two is wrong. If the loss is "
            "your own, check value, weights and conjugate against each other. If not, please "
            "report it with the data, or their shape and type, the parameters, and the versions "
            "of sparsecone, NumPy and SciPy."
        )


def relative_gap(value: float, bound: float, rounding: float = 0.0) -> float:
    """Return (value + rounding - bound) / value: no W is better by a larger fraction.

    Nothing is clamped: a negative gap beyond rounding is a contradiction.

    Parameters
    ----------
    value : float
        The objective at a W.
    bound : float
        A lower bound on the optimum, its own rounding subtracted.
    rounding : float
        How far the value may be off.
    """
    if value <= 0.0:
        return 0.0 if value == bound == rounding == 0.0 else np.inf
    # Numbers of Python divide to infinity without a warning.
    return float(value + rounding - bound) / float(value)


def check(value: float, bound: float, rounding: float, solver: str) -> None:
    """Raise where no exact arithmetic could bring value and bound together."""
    if bound > value + rounding:
        raise InvalidCertificate(value, bound, rounding, solver)
