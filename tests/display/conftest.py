"""A fitted selector and a path to draw; figures are closed after every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.preprocessing import scale

from sparsecone import SPCAPSD
from sparsecone.path import Path, spca_psd_path


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def digits() -> SPCAPSD:
    return SPCAPSD(n_features_to_select=16, solver="factored").fit(load_digits(return_X_y=True)[0])


@pytest.fixture(scope="session")
def tumours() -> SPCAPSD:
    """Return a selector of named features whose ranks are not the order of their scores."""
    frame = load_breast_cancer(as_frame=True).data
    return (
        SPCAPSD(n_features_to_select=6)
        .set_output(transform="default")
        .fit(frame.assign(**dict(zip(frame, scale(frame).T, strict=True))))
    )


@pytest.fixture(scope="session")
def path() -> Path:
    return spca_psd_path(load_digits(return_X_y=True)[0], lams=5, etas=[0.1, 0.02])
