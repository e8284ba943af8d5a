"""How many features have a score along a path of weights."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import ArrayLike

from ..linalg.types import Array
from .axes import Display

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..path import Path


class PathDisplay(Display):
    """The number of features with a score over lam, one line for each eta.

    Parameters
    ----------
    lams : array-like of shape (n_lams,)
        Weights of the column norms.
    etas : array-like of shape (n_etas,)
        Weights of the trace.
    n_nonzero : array-like of shape (n_etas, n_lams)
        Number of features with a score.
    scores : array-like of shape (n_etas, n_lams, n_features), default=None
        The scores themselves, for `plot(kind="scores")`.
    units : str, default=""
        The units of lams and etas, as the axis names them.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where the picture was drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sparsecone.display import PathDisplay
    >>> display = PathDisplay(lams=[0.1, 1.0], etas=[0.01], n_nonzero=[[7, 3]]).plot()
    >>> display.ax_.get_ylabel()
    'features with a score'
    >>> matplotlib.pyplot.close(display.figure_)
    """

    def __init__(
        self,
        *,
        lams: ArrayLike,
        etas: ArrayLike,
        n_nonzero: ArrayLike,
        scores: ArrayLike | None = None,
        units: str = "",
    ) -> None:
        self.lams = np.asarray(lams, dtype=np.float64)
        self.etas = np.asarray(etas, dtype=np.float64)
        self.n_nonzero = np.asarray(n_nonzero)
        self.scores = None if scores is None else np.asarray(scores, dtype=np.float64)
        self.units = units
        shape = (self.etas.size, self.lams.size)
        if self.n_nonzero.shape != shape:
            raise ValueError(
                f"n_nonzero has shape {self.n_nonzero.shape}, not {shape}: a row for each eta, a "
                "column for each lam."
            )

    @classmethod
    def from_path(
        cls, path: Path, *, units: str = "relative", ax: Axes | None = None, kind: str = "counts"
    ) -> Self:
        """Plot a path of solutions.

        Parameters
        ----------
        path : Path
            A path, as `spca_psd_path` computes it.
        units : {"relative", "absolute"}, default="relative"
            Units of lam and eta: those of the selectors, or the weights themselves.
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        kind : {"counts", "scores"}, default="counts"
            What to draw, see `plot`.

        Returns
        -------
        PathDisplay
            The display, drawn.
        """
        if units not in ("relative", "absolute"):
            raise ValueError(f"units must be 'relative' or 'absolute', got {units!r}.")
        is_relative = units == "relative"
        display = cls(
            lams=path.relative_lams if is_relative else path.lams,
            etas=path.relative_etas if is_relative else path.etas,
            n_nonzero=path.n_nonzero,
            scores=path.scores,
            units=units,
        )
        return display.plot(ax=ax, kind=kind)

    def plot(self, ax: Axes | None = None, *, kind: str = "counts", eta_index: int = 0) -> Self:
        """Draw the path over lam on a logarithmic axis.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        kind : {"counts", "scores"}, default="counts"
            "counts": the number of features with a score, one line for each eta. "scores": the
            score of every feature at one eta.
        eta_index : int, default=0
            Which eta, for "scores".

        Returns
        -------
        PathDisplay
            The display itself, with `ax_` and `figure_`.
        """
        if kind not in ("counts", "scores"):
            raise ValueError(f"kind must be 'counts' or 'scores', got {kind!r}.")
        if kind == "counts":
            return self._on(ax, self._draw)
        if self.scores is None:
            raise ValueError("This path has no scores to plot: give scores, or kind='counts'.")
        return self._on(ax, partial(self._draw_scores, scores=self.scores, eta_index=eta_index))

    def _draw(self, axes: Axes) -> None:
        order = np.argsort(self.lams)
        for eta, counts in zip(self.etas, self.n_nonzero, strict=True):
            axes.plot(self.lams[order], counts[order], "o-", ms=4, label=f"eta = {eta:.3g}")
        axes.set(ylabel="features with a score")
        axes.legend()
        self._label(axes)

    def _draw_scores(self, axes: Axes, *, scores: Array, eta_index: int) -> None:
        """Draw the score of every feature at one eta."""
        order = np.argsort(self.lams)
        axes.plot(self.lams[order], scores[eta_index][order], lw=1)
        axes.set(ylabel="score", title=f"eta = {self.etas[eta_index]:.3g}")
        self._label(axes)

    def _label(self, axes: Axes) -> None:
        # A path may end at lam = 0, which a logarithmic axis cannot show.
        axes.set_xscale("symlog" if self.lams.min() <= 0.0 else "log")
        axes.set_xlabel(f"lam, {self.units}" if self.units else "lam")
