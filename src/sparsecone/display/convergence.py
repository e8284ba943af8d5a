"""How a solve closed the gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..solve.history import convergence_of
from .axes import ACCENT, BOUND, Display, outcome_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ConvergenceDisplay(Display):
    """The relative duality gap over the iterations.

    Two lines on a logarithmic axis, without gaps of zero: the gap that was proven at each
    iteration, and the distance of the value to the final bound, known in hindsight only.

    Parameters
    ----------
    iterations : array-like of shape (n_records,)
        Iterations so far.
    gaps : array-like of shape (n_records,)
        The gap proven by then; nan before the first bound.
    distances : array-like of shape (n_records,)
        (value - final bound) / value.
    tol : float or None, default=None
        The gap that was asked for.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where the picture was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone import CSPCAPSD
    >>> from sparsecone.display import ConvergenceDisplay
    >>> X, _ = load_digits(return_X_y=True)
    >>> display = ConvergenceDisplay.from_estimator(CSPCAPSD(tol=1e-3).fit(X))
    >>> display.ax_.get_yscale()
    'log'
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        *,
        iterations: ArrayLike,
        gaps: ArrayLike,
        distances: ArrayLike,
        tol: float | None = None,
    ) -> None:
        self.iterations = np.asarray(iterations)
        self.gaps = np.asarray(gaps, dtype=np.float64)
        self.distances = np.asarray(distances, dtype=np.float64)
        self.tol = tol

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Plot the convergence of a fitted selector of the SPCA-PSD family.

        Parameters
        ----------
        estimator : SPCAPSD, CSPCAPSD or AWSPCAPSD
            A fitted selector.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ConvergenceDisplay
            The display, drawn.
        """
        history = convergence_of(outcome_of(estimator, "solution_", "certificate"))
        display = cls(
            iterations=history.iterations,
            gaps=history.gaps,
            distances=history.distances,
            tol=estimator.tol,
        )
        return display.plot(ax=ax)

    def _draw(self, axes: Axes) -> None:
        for gaps, colour, label in (
            (self.distances, ACCENT, "distance to the final bound"),
            (self.gaps, BOUND, "gap proven so far"),
        ):
            shown = np.where(gaps > 0.0, gaps, np.nan)
            axes.plot(self.iterations, shown, "o-", ms=4, color=colour, label=label)
        if self.tol:
            axes.axhline(self.tol, ls="--", lw=1, color="grey", label="tolerance")
        axes.set(xlabel="iteration", ylabel="relative gap", yscale="log")
        axes.legend()
