"""Where displays get the axes they draw on. The only file of the displays that needs matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from ..optional import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

#: Colours of the selected and the others, of values and bounds; told apart by the colour-blind.
ACCENT, REST, BOUND = "#1b5fa8", "#a9b0b8", "#b4530a"


class Display:
    """Base of the displays.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where the picture was drawn.
    """

    ax_: Axes
    figure_: Figure | SubFigure

    def _axes(self, ax: Axes | None) -> Axes:
        """Return the axes to draw on, new ones where none are given, and keep them."""
        require("matplotlib", purpose="A plot", extra="plots")
        from matplotlib import pyplot as plt

        self.ax_ = plt.subplots()[1] if ax is None else ax
        self.figure_ = self.ax_.figure
        return self.ax_

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
        self._draw(self._axes(ax))
        return self

    def _draw(self, axes: Axes) -> None:
        """Draw on given axes."""
        raise NotImplementedError
