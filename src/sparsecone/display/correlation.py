"""How much the selected features repeat one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import _safe_indexing, check_array
from sklearn.utils.validation import check_is_fitted

from ..charts.names import shortened
from ..metrics.redundancy import correlations, mean_absolute_correlation
from ..selectors.base import Selector
from .axes import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Features in the picture by default, and with names beside it; characters of a name.
MOST, NAMED, LONGEST = 60, 40, 20


class CorrelationDisplay(Display):
    """The correlations of features, the first at the top left.

    Parameters
    ----------
    matrix : array-like of shape (n_features, n_features)
        The correlations.
    names : sequence of str, default=None
        Names of the features.

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
    >>> from sparsecone.display import CorrelationDisplay
    >>> X, _ = load_iris(return_X_y=True)
    >>> selector = SPCAPSD(n_features_to_select=3).fit(X)
    >>> CorrelationDisplay.from_estimator(selector, X).matrix.shape
    (3, 3)
    >>> matplotlib.pyplot.close("all")
    """

    def __init__(self, *, matrix: ArrayLike, names: Sequence[str] | None = None) -> None:
        self.matrix = np.asarray(matrix, dtype=np.float64)
        self.names = None if names is None else [shortened(str(name), LONGEST) for name in names]

    @classmethod
    def from_estimator(
        cls, estimator: Selector, X: Any, *, n_features: int = MOST, ax: Axes | None = None
    ) -> Self:
        """Plot the correlations of the selected features.

        Parameters
        ----------
        estimator : Selector
            Any fitted selector of this library.
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The samples it was fitted on, or others.
        n_features : int, default=60
            How many of the selected features to show, best first.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        CorrelationDisplay
            The display, drawn.
        """
        check_is_fitted(estimator, "selected_")
        shown = estimator.selected_[:n_features]
        columns = X[:, shown] if hasattr(X, "tocsr") else _safe_indexing(X, shown, axis=1)
        columns = check_array(columns, accept_sparse="csr", dtype=np.float64)
        names = getattr(estimator, "feature_names_in_", np.arange(estimator.scores_.size))
        return cls(matrix=correlations(columns), names=names[shown].tolist()).plot(ax=ax)

    def _draw(self, axes: Axes) -> None:
        image = axes.imshow(self.matrix, cmap="PuOr", vmin=-1.0, vmax=1.0)
        self.figure_.colorbar(image, ax=axes, label="correlation")
        if self.names is not None and len(self.names) <= NAMED:
            places = np.arange(len(self.names))
            axes.set_xticks(places, self.names, rotation=90, fontsize="small")
            axes.set_yticks(places, self.names, fontsize="small")
        if len(self.matrix) > 1:
            mean = mean_absolute_correlation(self.matrix)
            axes.set_title(f"mean absolute correlation {mean:.2f}")
