"""Changes of a point on the way."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.data import as_samples
from sparsecone.model.losses import LEAST_SMOOTHING, Robust, least_smoothing
from sparsecone.model.problem import Problem
from sparsecone.solvers.adjust import tightened


@pytest.mark.parametrize("scale", [1e-60, 1.0, 1e60])
def test_smoothing_shrinks_by_a_hundredth_down_to_a_tiny_part_of_rounding(scale: float) -> None:
    # W = I reproduces all samples, so that smoothing is all there is of the loss.
    X = scale * np.random.default_rng(0).normal(size=(9, 3))
    samples = as_samples(X, weighed=True)
    least = least_smoothing(samples)
    assert least == pytest.approx(LEAST_SMOOTHING * samples.trace / 9.0, rel=1e-12, abs=0.0)
    for smoothing, expected in ((1e6 * least, 1e4 * least), (10.0 * least, least)):
        loss = Robust(smoothing=smoothing)
        point = Problem(samples, loss, 0.0, 0.0).evaluate(np.eye(3))
        tight = tightened(point, 1e-4).problem.loss
        assert tight.smoothing == pytest.approx(expected, rel=1e-12, abs=0.0)
    point = Problem(samples, Robust(smoothing=least), 0.0, 0.0).evaluate(np.eye(3))
    assert tightened(point, 1e-4) is point
    assert np.isfinite(np.square(point.data.weights)).all()
