"""The page about a result, and what it needs to know about images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .console import working

if TYPE_CHECKING:
    from ..path import Path
    from ..selectors.base import Selector

# The methods with a certificate: they have paths, and take data that stay in files.
MODELS = ("spca-psd", "cspca-psd", "aw-spca-psd")


def path_of(selector: Selector, X: Any, *, method: str, n_weights: int, threads: int) -> Path:
    """Solve the model of a fitted selector for so many weights lam, at the eta it has."""
    from threadpoolctl import threadpool_limits

    from ..path import spca_psd_path

    etas = [selector.eta_] if hasattr(selector, "eta_") else None
    with working(f"Solving for {n_weights} weights"), threadpool_limits(limits=threads):
        return spca_psd_path(X, lams=n_weights, etas=etas, model=method, units="absolute")


def check_path(method: str) -> None:
    """Complain about a path of a method that has none."""
    if method not in MODELS:
        raise ValueError(f"--path needs one of the methods {', '.join(MODELS)}, not {method}.")


def image_shape(text: str | None, *, n_features: int) -> tuple[int, int] | None:
    """Return rows and columns from a text such as 32x32, or say why they do not fit.

    Examples
    --------
    >>> image_shape("8x4", n_features=32)
    (8, 4)
    """
    if text is None:
        return None
    found = re.fullmatch(r"(\d+)x(\d+)", text.strip().lower())
    if found is None:
        raise ValueError(f"--image takes rows x columns, such as 32x32, got '{text}'.")
    rows, columns = int(found[1]), int(found[2])
    if rows * columns != n_features:
        raise ValueError(
            f"--image {text} has {rows * columns} pixels, but the file has {n_features} features."
        )
    return rows, columns
