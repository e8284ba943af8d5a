"""What all displays have in common: their axes, and what they need."""

from __future__ import annotations

import sys

import pytest
from matplotlib import pyplot as plt
from sklearn.exceptions import NotFittedError

from sparsecone import SPCAPSD
from sparsecone.display import ConvergenceDisplay, PathDisplay, PixelMapDisplay, ScoresDisplay
from sparsecone.display.axes import Display
from sparsecone.path import Path


def test_displays_draw_where_they_are_told(digits: SPCAPSD, path: Path) -> None:
    for draw in (
        lambda ax: ConvergenceDisplay.from_estimator(digits, ax=ax),
        lambda ax: ScoresDisplay.from_estimator(digits, ax=ax),
        lambda ax: PixelMapDisplay.from_estimator(digits, image_shape=(8, 8), ax=ax),
        lambda ax: PathDisplay.from_path(path, ax=ax),
    ):
        figure, axes = plt.subplots()
        display = draw(axes)
        assert display.ax_ is axes
        assert display.figure_ is figure
        assert display.plot(ax=axes) is display


def test_unfitted_selectors_are_refused() -> None:
    for draw in (ConvergenceDisplay.from_estimator, ScoresDisplay.from_estimator):
        with pytest.raises(NotFittedError):
            draw(SPCAPSD())


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'sparsecone\[plots\]'"):
        ScoresDisplay(scores=[1.0], n_selected=1).plot()


def test_a_display_must_say_how_it_draws() -> None:
    class Empty(Display):
        pass

    with pytest.raises(TypeError, match="_draw"):
        Empty()  # type: ignore[abstract]
