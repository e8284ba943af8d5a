"""What a solve returns."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum

from ..certificate.verdict import relative_gap
from ..linalg.types import Array


class Status(StrEnum):
    """How a solve ended. Only a certificate says converged, or estimated."""

    CONVERGED = "converged"
    ESTIMATED = "estimated"
    STALLED = "stalled"
    MAX_ITER = "max_iter"
    MAX_TIME = "max_time"

    @property
    def is_close(self) -> bool:
        """Whether the gap asked for was reached."""
        return self in (Status.CONVERGED, Status.ESTIMATED)


@dataclass(frozen=True)
class Record:
    """One row of the history: the best value and bound known after an iteration.

    Attributes
    ----------
    solver : str
        The solver at work.
    n_iter : int
        Iterations so far.
    elapsed : float
        Seconds so far.
    value : float
        The objective at this iteration.
    bound : float
        The best lower bound so far; 0 before the first.
    rounding : float
        How far the value may be off.
    """

    solver: str
    n_iter: int
    elapsed: float
    value: float
    bound: float
    rounding: float = 0.0

    @property
    def gap(self) -> float:
        """Relative duality gap of this iteration, rounding included."""
        return relative_gap(self.value, self.bound, self.rounding)

    def __str__(self) -> str:
        return (
            f"{self.solver:9s} {self.n_iter:5d}  value {self.value:.8g}  bound {self.bound:.8g}  "
            f"gap {self.gap:.1e}  {self.elapsed:.2f} s"
        )


@dataclass(frozen=True)
class Progress:
    """What a callback is given: the latest record and the best factor so far.

    Attributes
    ----------
    record : Record
        The latest row of the history.
    factor : ndarray of shape (n_features, rank)
        The best L so far, W = L L'.
    scores : ndarray of shape (n_features,)
        The feature scores it gives.
    """

    record: Record
    factor: Array
    scores: Array


@dataclass(frozen=True, repr=False)
class Solution:
    """The result of a solve.

    Attributes
    ----------
    factor : ndarray of shape (n_features, rank)
        L with W = L L'.
    offset : ndarray of shape (n_features,) or None
        The learned offset of the centred samples, for AW-SPCA-PSD.
    scores : ndarray of shape (n_features,)
        Column norms of W.
    value : float
        The objective at W, as it is stated.
    bound : float
        A lower bound on the optimum, from the dual; its rounding is subtracted.
    status : Status
        `converged` exactly if `gap <= tol` and the bound is proven, `estimated` if the bound holds
        with a stated probability.
    solver : str
        The solvers that ran, in order.
    n_iter : int
        Iterations of all solvers that ran.
    elapsed : float
        Seconds of the whole fit, from the data to the choice of features; of the solvers alone
        where `solve` was called by itself.
    history : tuple of Record
        One row an iteration.
    reason : str
        Why lam and eta are what they are, where they were chosen automatically.
    rounding : float
        How far the value may be off, at most.
    proven : bool
        Whether the bound is proven; if not, it fails with a probability below 1e-11.
    phases : dict of str to float
        Seconds of the phases of the fit: reading (checks, centring, moments), weights (automatic
        eta and lam), start (the plan and where it starts), solving (steps and bounds), choosing.
    """

    factor: Array
    offset: Array | None
    scores: Array
    value: float
    bound: float
    status: Status
    solver: str
    n_iter: int
    elapsed: float
    history: tuple[Record, ...]
    reason: str = ""
    rounding: float = 0.0
    proven: bool = True
    phases: dict[str, float] = field(default_factory=dict)

    @property
    def gap(self) -> float:
        """Relative duality gap: no W is better than this one by a larger fraction.

        (value + rounding - bound) / value.
        """
        return relative_gap(self.value, self.bound, self.rounding)

    @property
    def rank(self) -> int:
        """Number of columns of the factor."""
        return int(self.factor.shape[1])

    @property
    def verdict(self) -> str:
        """What the certificate proves, in one sentence."""
        word = "Proven" if self.proven else "Estimated (it fails with a probability below 1e-11)"
        if self.gap == 0.0:
            return f"{word}: no matrix W has a lower objective than the one found."
        if self.bound <= 0.0:
            return f"Nothing is proven: the solver ended ({self.status}) without a lower bound."
        proven = (
            f"{word}: no matrix W has an objective more than {percent_above(self.gap)} below "
            "that of the one found"
        )
        if self.status.is_close:
            return f"{proven}."
        return f"{proven}, but the solver ended ({self.status}) before the gap asked for."

    def __repr__(self) -> str:
        return (
            f"Solution({self.status}: value {self.value:.8g}, bound {self.bound:.8g}, "
            f"gap {self.gap:.1e}, rank {self.rank}, {self.n_iter} iterations of {self.solver}, "
            f"{self.elapsed:.2f} s)"
        )

    def _repr_html_(self) -> str:
        # Only notebooks need it.
        from .notebook import solution_html

        return solution_html(self)


def percent_above(share: float) -> str:
    """Return a share in percent with two digits, rounded up: what is promised must hold.

    Examples
    --------
    >>> percent_above(0.01231), percent_above(5.03e-7), percent_above(1e-30)
    ('1.3 %', '0.000051 %', '0.000001 %')
    """
    percent = max(100.0 * share, 1e-6)
    decimals = max(0, 1 - math.floor(math.log10(percent) + 1e-12))
    unit = 10.0**-decimals
    rounded = unit * math.ceil(percent / unit * (1.0 - 1e-12))
    digits = f"{rounded:.{min(decimals, 7)}f}"
    return (digits.rstrip("0").rstrip(".") if decimals else digits) + " %"
