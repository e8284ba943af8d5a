from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError

from sparsecone import SPCAPSD, MaxVariance

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")

from matplotlib import pyplot as plt  # noqa: E402

from sparsecone.display import ConvergenceDisplay, PathDisplay, PixelMapDisplay, ScoresDisplay  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def digits() -> SPCAPSD:
    return SPCAPSD(n_features_to_select=16, solver="factored").fit(load_digits(return_X_y=True)[0])


def test_convergence_shows_proven_gaps_and_distances(digits: SPCAPSD) -> None:
    display = ConvergenceDisplay.from_estimator(digits)
    distances, gaps, tolerance = display.ax_.lines
    final = digits.solution_.bound
    values = np.array([record.value for record in digits.solution_.history])
    np.testing.assert_allclose(distances.get_ydata(), (values - final) / values, rtol=1e-12)
    assert np.nanmin(gaps.get_ydata()) <= digits.tol
    assert tolerance.get_ydata()[0] == digits.tol


def test_convergence_needs_a_certificate() -> None:
    with pytest.raises(ValueError, match="MaxVariance has no certificate to plot"):
        ConvergenceDisplay.from_estimator(MaxVariance().fit(np.eye(3)))


def test_scores_show_the_cut(digits: SPCAPSD) -> None:
    display = ScoresDisplay.from_estimator(digits)
    selected, others = display.ax_.patches
    best = np.sort(digits.scores_)[::-1]
    np.testing.assert_array_equal(selected.get_data().values, best[:16])
    np.testing.assert_array_equal(others.get_data().values, best[16:])
    assert selected.get_data().edges[-1] == others.get_data().edges[0] == 16.5


def test_scores_of_a_full_selection_have_no_rest() -> None:
    display = ScoresDisplay(scores=[1.0, 2.0], n_selected=2).plot()
    assert len(display.ax_.patches) == 1


def test_pixels_show_scores_and_outline(digits: SPCAPSD) -> None:
    display = PixelMapDisplay.from_estimator(digits, image_shape=(8, 8))
    (image,) = display.ax_.images
    np.testing.assert_array_equal(image.get_array(), digits.scores_.reshape(8, 8))
    across, down = display.ax_.collections
    mask = np.pad(display.selected, 1).astype(int)
    assert len(across.get_segments()) == np.abs(np.diff(mask, axis=0)).sum()
    assert len(down.get_segments()) == np.abs(np.diff(mask, axis=1)).sum()


def test_pixels_must_fit(digits: SPCAPSD) -> None:
    with pytest.raises(ValueError, match="image_shape=8x9 has 72 pixels, but there are 64"):
        PixelMapDisplay.from_estimator(digits, image_shape=(8, 9))


@pytest.fixture
def path() -> Any:
    scores = np.arange(12.0).reshape(1, 3, 4)
    counts = np.count_nonzero(scores, axis=2)
    return SimpleNamespace(
        lams=np.array([1.0, 0.1, 0.01]), etas=[0.5], n_nonzero=counts, scores=scores
    )


def test_path_shows_counts_or_scores_in_order_of_lam(path: Any) -> None:
    counts = PathDisplay.from_path(path)
    (line,) = counts.ax_.lines
    np.testing.assert_array_equal(line.get_xdata(), [0.01, 0.1, 1.0])
    np.testing.assert_array_equal(line.get_ydata(), [4, 4, 3])
    scores = PathDisplay.from_path(path, kind="scores")
    assert len(scores.ax_.lines) == 4
    np.testing.assert_array_equal(scores.ax_.lines[1].get_ydata(), [9.0, 5.0, 1.0])


def test_path_names_what_is_wrong(path: Any) -> None:
    with pytest.raises(ValueError, match="n_nonzero has shape"):
        PathDisplay(lams=[1.0], etas=[1.0], n_nonzero=[[1, 2]])
    display = PathDisplay(lams=path.lams, etas=path.etas, n_nonzero=path.n_nonzero)
    with pytest.raises(ValueError, match="no scores to plot"):
        display.plot(kind="scores")
    with pytest.raises(ValueError, match="kind must be"):
        display.plot(kind="both")


def test_displays_draw_where_they_are_told(digits: SPCAPSD, path: Any) -> None:
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
