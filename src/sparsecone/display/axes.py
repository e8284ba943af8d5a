"""Where displays get the axes they draw on. The only file of the displays that needs matplotlib."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

from sklearn.utils.validation import check_is_fitted

from ..optional import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

#: Colours of the selected and the others, of values and bounds; told apart by the colour-blind.
ACCENT, REST, BOUND = "#1b5fa8", "#a9b0b8", "#b4530a"


def outcome_of(estimator: Any, name: str, what: str) -> Any:
    """Return an attribute that only a fitted selector of the SPCA-PSD family has."""
    check_is_fitted(estimator)
    if not hasattr(estimator, name):
        raise ValueError(
            f"{type(estimator).__name__} has no {what} to plot: SPCAPSD, CSPCAPSD and AWSPCAPSD "
            "have one."
        )
    return getattr(estimator, name)


class Display(ABC):
    """Base of the displays: a subclass holds the data, and `_draw` draws them on given axes.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where the picture was drawn.
    """

    ax_: Axes
    figure_: Figure | SubFigure

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        Display
            The display itself, with `ax_` and `figure_`.
        """
        return self._on(ax, self._draw)

    def _on(self, ax: Axes | None, draw: Callable[[Axes], None]) -> Self:
        """Draw one of the pictures of the display on axes, new ones where none are given."""
        require("matplotlib", purpose="A plot", extra="plots")
        from matplotlib import pyplot as plt

        self.ax_ = plt.subplots(layout="constrained")[1] if ax is None else ax
        self.figure_ = self.ax_.figure
        draw(self.ax_)
        return self

    @abstractmethod
    def _draw(self, axes: Axes) -> None:
        """Draw the picture that `plot` shows by default."""
