"""How much the first features explain, below what any could."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from .axes import ACCENT, BOUND, Display, outcome_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ExplainedCurveDisplay(Display):
    """The share of the variance that the first features explain, with its ceiling.

    Parameters
    ----------
    explained : array-like of shape (n_points,)
        Share that the first 1, 2, ... features explain.
    ceiling : array-like of shape (n_points,)
        No selection of so many features explains a larger share.
    n_selected : int, default=None
        How many are selected; it is marked where it lies on the curve.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where the picture was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone import SPCAPSD
    >>> from sparsecone.display import ExplainedCurveDisplay
    >>> X, _ = load_digits(return_X_y=True)
    >>> display = ExplainedCurveDisplay.from_estimator(SPCAPSD(n_features_to_select=16).fit(X))
    >>> display.verdict
    'These 16 features explain ...; no 16 can explain more than ... %.'
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self, *, explained: ArrayLike, ceiling: ArrayLike, n_selected: int | None = None
    ) -> None:
        self.explained = np.asarray(explained, dtype=np.float64)
        self.ceiling = np.asarray(ceiling, dtype=np.float64)
        self.n_selected = n_selected
        self.verdict = ""

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Plot the curve of a fitted selector of the SPCA-PSD family.

        Parameters
        ----------
        estimator : SPCAPSD, CSPCAPSD or AWSPCAPSD
            A fitted selector.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ExplainedCurveDisplay
            The display, drawn.
        """
        curve = outcome_of(estimator, "curve_", "curve")
        number = int(estimator.selected_.size)
        display = cls(explained=curve.explained, ceiling=curve.ceiling, n_selected=number)
        display.verdict = curve.verdict(number)
        return display.plot(ax=ax)

    def _draw(self, axes: Axes) -> None:
        numbers = np.arange(1, self.explained.size + 1)
        axes.plot(
            numbers, 100.0 * self.ceiling, color=BOUND, ls="--", label="no others explain more"
        )
        axes.plot(numbers, 100.0 * self.explained, color=ACCENT, label="the first features")
        if self.n_selected is not None and self.n_selected <= numbers.size:
            share = 100.0 * self.explained[self.n_selected - 1]
            axes.axvline(self.n_selected, color="grey", lw=1, ls=":")
            label = f"{self.n_selected:,} selected: {share:.1f} %"
            axes.plot([self.n_selected], [share], "o", color=ACCENT, label=label)
        axes.set(xlabel="number of features", ylabel="variance explained in %", ylim=(0.0, 102.0))
        axes.set_title(self.verdict.replace("; ", ";\n"), fontsize="small")
        axes.legend(loc="lower right")
