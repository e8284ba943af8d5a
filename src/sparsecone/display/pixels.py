"""The scores of pixels as an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from ..charts.image import borders, check_image_shape
from ..selectors.base import Selector
from .axes import BOUND, Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PixelMapDisplay(Display):
    """The scores of the pixels of an image, with the selected ones outlined.

    Parameters
    ----------
    scores : array-like of shape (n_rows, n_columns)
        One score a pixel.
    selected : array-like of bool of shape (n_rows, n_columns)
        Which pixels are selected.

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
    >>> from sparsecone.display import PixelMapDisplay
    >>> X, _ = load_digits(return_X_y=True)
    >>> selector = SPCAPSD(n_features_to_select=16).fit(X)
    >>> display = PixelMapDisplay.from_estimator(selector, image_shape=(8, 8))
    >>> int(display.selected.sum())
    16
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(self, *, scores: ArrayLike, selected: ArrayLike) -> None:
        self.scores = np.asarray(scores, dtype=np.float64)
        self.selected = np.asarray(selected, dtype=bool)

    @classmethod
    def from_estimator(
        cls, estimator: Selector, *, image_shape: tuple[int, int], ax: Axes | None = None
    ) -> Self:
        """Plot the scores of a selector that was fitted on images.

        Parameters
        ----------
        estimator : Selector
            Any fitted selector of this library.
        image_shape : tuple of int
            Rows and columns of an image; the features are its pixels, row by row.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        PixelMapDisplay
            The display, drawn.
        """
        check_is_fitted(estimator, "scores_")
        rows, columns = check_image_shape(image_shape, n_features=estimator.scores_.size)
        display = cls(
            scores=estimator.scores_.reshape(rows, columns),
            selected=estimator.support_.reshape(rows, columns),
        )
        return display.plot(ax=ax)

    def _draw(self, axes: Axes) -> None:
        image = axes.imshow(self.scores, cmap="Blues")
        self.figure_.colorbar(image, ax=axes, label="score")
        across, down = borders(self.selected)
        rows, columns = across
        axes.hlines(rows - 0.5, columns - 0.5, columns + 0.5, color=BOUND, lw=2)
        rows, columns = down
        axes.vlines(columns - 0.5, rows - 0.5, rows + 0.5, color=BOUND, lw=2)
        axes.set(xlabel="column", ylabel="row")
