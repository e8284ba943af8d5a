"""The scores of all features with the cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ..selectors.base import Selector
from .axes import ACCENT, REST, Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ScoresDisplay(Display):
    """The scores of all features, from the best to the worst, and where the selection ends.

    Parameters
    ----------
    scores : array-like of shape (n_features,)
        One score a feature, in any order.
    n_selected : int
        How many of the best are selected.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where the picture was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone import SPCAPSD
    >>> from sparsecone.display import ScoresDisplay
    >>> X, _ = load_iris(return_X_y=True)
    >>> display = ScoresDisplay.from_estimator(SPCAPSD(n_features_to_select=2).fit(X))
    >>> display.n_selected
    2
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(self, *, scores: ArrayLike, n_selected: int) -> None:
        self.scores = np.asarray(scores, dtype=np.float64)
        self.n_selected = n_selected

    @classmethod
    def from_estimator(cls, estimator: Selector, *, ax: Axes | None = None) -> Self:
        """Plot the scores of a fitted selector.

        Parameters
        ----------
        estimator : Selector
            Any fitted selector of this library.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ScoresDisplay
            The display, drawn.
        """
        check_is_fitted(estimator, "scores_")
        display = cls(scores=estimator.scores_, n_selected=estimator.selected_.size)
        return display.plot(ax=ax)

    def _draw(self, axes: Axes) -> None:
        scores = np.sort(self.scores)[::-1]
        edges = np.arange(scores.size + 1) + 0.5
        cut = self.n_selected
        axes.stairs(
            scores[:cut], edges[: cut + 1], fill=True, color=ACCENT, label=f"{cut:,} selected"
        )
        if cut < scores.size:
            axes.stairs(scores[cut:], edges[cut:], fill=True, color=REST, label="not selected")
        axes.set(xlabel="rank", ylabel="score", xlim=(edges[0], edges[-1]))
        axes.legend()
