"""How often each feature was selected on subsamples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from ..stability import Stability
from .axes import Display
from .scores import ScoresDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..selectors.base import Selector


class StabilityDisplay(Display):
    """The share of the subsamples that selected each feature, in the order of choice.

    Parameters
    ----------
    frequencies : array-like of shape (n_features,)
        In which share of the subsamples each feature was selected.
    order : array-like of shape (n_features,), default=None
        Indices of the features, best first; None takes the most frequent first.
    n_selected : int, default=0
        How many of the first are selected.
    names : sequence of str, default=None
        Names of the features.
    kuncheva : float, default=nan
        Mean agreement of two selections beyond chance.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where the picture was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sparsecone.display import StabilityDisplay
    >>> display = StabilityDisplay(frequencies=[0.1, 1.0], n_selected=1, names=["a", "b"]).plot()
    >>> [text.get_text() for text in display.ax_.get_yticklabels()]
    ['b', 'a']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        *,
        frequencies: ArrayLike,
        order: ArrayLike | None = None,
        n_selected: int = 0,
        names: Sequence[str] | None = None,
        kuncheva: float = math.nan,
    ) -> None:
        self.bars = ScoresDisplay(
            scores=100.0 * np.asarray(frequencies, dtype=np.float64),
            n_selected=n_selected,
            order=order,
            names=names,
            quantity="share of the subsamples in %",
        )
        self.kuncheva = kuncheva

    @classmethod
    def from_stability(
        cls,
        stability: Stability,
        estimator: Selector | None = None,
        *,
        names: Sequence[str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Plot how stable a selection is.

        Parameters
        ----------
        stability : Stability
            What `selection_stability` returns.
        estimator : Selector, default=None
            The fitted selector: it gives the order and the selection. None takes the most frequent
            features first.
        names : sequence of str, default=None
            Names of the features; None takes those seen in `fit`, where there were any.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        StabilityDisplay
            The display, drawn.
        """
        display = cls(
            frequencies=stability.frequencies,
            order=None if estimator is None else np.argsort(estimator.ranking_),
            n_selected=0 if estimator is None else estimator.selected_.size,
            names=getattr(estimator, "feature_names_in_", None) if names is None else names,
            kuncheva=stability.kuncheva,
        )
        return display.plot(ax=ax)

    def _draw(self, axes: Axes) -> None:
        self.bars.plot(axes)
        if not math.isnan(self.kuncheva):
            axes.set_title(f"Kuncheva index {self.kuncheva:.2f}")
