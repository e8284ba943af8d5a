"""The path over lam."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sparsecone.display import PathDisplay


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
