"""The gap over the iterations."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone import SPCAPSD, MaxVariance
from sparsecone.display import ConvergenceDisplay


def test_convergence_shows_proven_gaps_and_distances(digits: SPCAPSD) -> None:
    display = ConvergenceDisplay.from_estimator(digits)
    distances, gaps, tolerance = display.ax_.lines
    final = digits.solution_.bound
    values = np.array([record.value for record in digits.solution_.history])
    values_and_more = values + [record.rounding for record in digits.solution_.history]
    expected = (values_and_more - final) / values
    np.testing.assert_allclose(distances.get_ydata(), expected, rtol=1e-12)
    assert np.nanmin(gaps.get_ydata()) <= digits.tol
    assert tolerance.get_ydata()[0] == digits.tol


def test_convergence_needs_a_certificate() -> None:
    with pytest.raises(ValueError, match="MaxVariance has no certificate to plot"):
        ConvergenceDisplay.from_estimator(MaxVariance().fit(np.eye(3)))
