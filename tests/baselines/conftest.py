"""Data that several selectors are tried on."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_moons


@pytest.fixture
def two_moons():
    """Return a maker of two moons in the first two features, and seven of noise."""

    def make(noise, seed=1):
        X, _ = make_moons(300, noise=0.05, random_state=seed)
        rest = noise * np.random.default_rng(seed).normal(size=(300, 7))
        return np.hstack([X, rest])

    return make
