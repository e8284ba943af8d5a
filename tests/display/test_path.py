"""The path over lam."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.display import PathDisplay
from sparsecone.path import Path


def test_path_shows_counts_or_scores_over_relative_weights(path: Path) -> None:
    counts = PathDisplay.from_path(path)
    first, second = counts.ax_.lines
    np.testing.assert_allclose(first.get_xdata(), path.relative_lams[::-1])
    np.testing.assert_array_equal(first.get_ydata(), path.n_nonzero[0, ::-1])
    assert [line.get_label() for line in (first, second)] == ["eta = 0.1", "eta = 0.02"]
    assert counts.ax_.get_xlabel() == "lam, relative"
    scores = PathDisplay.from_path(path, kind="scores")
    assert len(scores.ax_.lines) == 64
    np.testing.assert_array_equal(scores.ax_.lines[20].get_ydata(), path.scores[0, ::-1, 20])


def test_path_shows_absolute_weights_where_asked(path: Path) -> None:
    display = PathDisplay.from_path(path, units="absolute")
    np.testing.assert_array_equal(display.ax_.lines[0].get_xdata(), path.lams[::-1])
    with pytest.raises(ValueError, match="units must be"):
        PathDisplay.from_path(path, units="paper")


def test_path_names_what_is_wrong(path: Path) -> None:
    with pytest.raises(ValueError, match="n_nonzero has shape"):
        PathDisplay(lams=[1.0], etas=[1.0], n_nonzero=[[1, 2]])
    display = PathDisplay(lams=path.lams, etas=path.etas, n_nonzero=path.n_nonzero)
    with pytest.raises(ValueError, match="no scores to plot"):
        display.plot(kind="scores")
    with pytest.raises(ValueError, match="kind must be"):
        display.plot(kind="both")
