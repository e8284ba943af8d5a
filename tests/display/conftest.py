"""A fitted selector and a path to draw; figures are closed after every test."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def digits() -> SPCAPSD:
    return SPCAPSD(n_features_to_select=16, solver="factored").fit(load_digits(return_X_y=True)[0])


@pytest.fixture
def path() -> Any:
    scores = np.arange(12.0).reshape(1, 3, 4)
    counts = np.count_nonzero(scores, axis=2)
    return SimpleNamespace(
        lams=np.array([1.0, 0.1, 0.01]), etas=[0.5], n_nonzero=counts, scores=scores
    )
