"""A browser, and reports to open in it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD
from sparsecone.path import spca_psd_path
from sparsecone.report import write_report

from browser import chromium
from pages import HOSTILE, FakeStability, blobs, sparse_selector


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the addresses of a report of images, and of one whose names are hostile."""
    folder = tmp_path_factory.mktemp("reports")
    X, y = load_digits(return_X_y=True)
    write_report(
        folder / "digits.html",
        selector=sparse_selector(16).fit(X),
        X=X,
        title="Digits",
        feature_names=[f"pixel {j}" for j in range(64)],
        labels=y,
        image_shape=(8, 8),
        evaluation=[("SPCA-PSD", 74.4, 4.8, 70.1)],
        stability=FakeStability(np.linspace(0, 1, 64), 0.9),
        lam_path=spca_psd_path(X, lams=4),
    )
    X = blobs(50, 200)
    names = [HOSTILE[j % len(HOSTILE)] for j in range(200)]
    write_report(
        folder / "hostile.html",
        selector=SPCAPSD(n_features_to_select=80).fit(X),
        X=X,
        title=HOSTILE[2],
        feature_names=names,
        labels=names[:50],
        command=HOSTILE[0],
    )
    write_wide(folder / "wide.html")
    return {path.stem: path.as_uri() for path in folder.iterdir()}


def write_wide(path: Path) -> None:
    """Write the report of 10,000 features with copies among them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 12)) @ rng.normal(size=(12, 10_000)) + rng.normal(size=(60, 10_000))
    X[:, 5_000] = X[:, 7]
    names = [f"gene {j}" for j in range(10_000)]
    fitted = SPCAPSD(n_features_to_select=50, keep=[7]).fit(X)
    write_report(path, selector=fitted, X=X, title="Wide", feature_names=names)
