"""The scores of all features with the cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ..charts.names import shortened
from ..selectors.base import Selector
from .axes import ACCENT, REST, Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Up to this many features are bars with their names; at least so many beside a small selection.
NAMED, FEWEST = 40, 20
#: Characters of a name.
LONGEST = 30


class ScoresDisplay(Display):
    """The scores in the order in which features were chosen, and where the selection ends.

    Features with names are bars with these, as many as can be read; others are steps over the rank.

    Parameters
    ----------
    scores : array-like of shape (n_features,)
        One score a feature.
    n_selected : int
        How many of the first are selected.
    order : array-like of shape (n_features,), default=None
        Indices of the features, best first, not always by their scores; None takes that order.
    names : sequence of str, default=None
        Names of the features.
    quantity : str, default="score"
        What the scores are, as the axis names them.

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

    def __init__(
        self,
        *,
        scores: ArrayLike,
        n_selected: int,
        order: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        quantity: str = "score",
    ) -> None:
        self.scores = np.asarray(scores, dtype=np.float64)
        self.n_selected, self.quantity = n_selected, quantity
        by_score = np.argsort(-self.scores, kind="stable")
        self.order = by_score if order is None else np.asarray(order, dtype=np.intp)
        self.names = None if names is None else [shortened(str(name), LONGEST) for name in names]
        for what, given in (("order", self.order), ("names", self.names)):
            if given is not None and len(given) != self.scores.size:
                raise ValueError(f"{what} has {len(given)} entries for {self.scores.size} scores.")

    @classmethod
    def from_estimator(
        cls, estimator: Selector, *, names: Sequence[str] | None = None, ax: Axes | None = None
    ) -> Self:
        """Plot the scores of a fitted selector, in the order of its choice.

        Parameters
        ----------
        estimator : Selector
            Any fitted selector of this library.
        names : sequence of str, default=None
            Names of the features; None takes those seen in `fit`, where there were any.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ScoresDisplay
            The display, drawn.
        """
        check_is_fitted(estimator, "scores_")
        display = cls(
            scores=estimator.scores_,
            n_selected=estimator.selected_.size,
            order=np.argsort(estimator.ranking_),
            names=getattr(estimator, "feature_names_in_", None) if names is None else names,
        )
        return display.plot(ax=ax)

    def _draw(self, axes: Axes) -> None:
        if self.names is not None and self.n_selected <= NAMED:
            self._draw_bars(axes, self.names)
        else:
            self._draw_steps(axes)

    def _draw_bars(self, axes: Axes, names: Sequence[str]) -> None:
        """Draw one bar a feature, the first at the top."""
        shown = self.order[: min(max(2 * self.n_selected, FEWEST), NAMED)]
        places = np.arange(shown.size)
        cut = min(self.n_selected, shown.size)
        for part, colour, label in _parts(cut, shown.size, self.n_selected):
            widths = np.nan_to_num(self.scores[shown[part]], neginf=0.0)
            axes.barh(places[part], widths, color=colour, label=label)
        axes.set_yticks(places, [names[feature] for feature in shown], fontsize="small")
        axes.invert_yaxis()
        left = self.scores.size - shown.size
        axes.set_xlabel(self.quantity + (f" ({left:,} more features follow)" if left else ""))
        axes.legend(loc="lower right")

    def _draw_steps(self, axes: Axes) -> None:
        """Draw the scores of all features over their ranks."""
        scores = self.scores[self.order]
        edges = np.arange(scores.size + 1) + 0.5
        for part, colour, label in _parts(self.n_selected, scores.size, self.n_selected):
            ends = edges[part.start : part.stop + 1]
            axes.stairs(scores[part], ends, fill=True, color=colour, label=label)
        axes.set(xlabel="order of choice", ylabel=self.quantity, xlim=(edges[0], edges[-1]))
        axes.legend()


def _parts(cut: int, count: int, n_selected: int) -> list[tuple[slice, str, str]]:
    """Return the selected and the others, with their colours and labels; none of them empty."""
    both = [
        (slice(0, cut), ACCENT, f"{n_selected:,} selected"),
        (slice(cut, count), REST, "not selected"),
    ]
    return [part for part in both if part[0].start < part[0].stop]
