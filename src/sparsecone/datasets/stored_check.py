"""Whether a file holds the data set that it is named after."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from ..files.dataset import DataFileError, Dataset, DatasetInfo


def check_file(path: Path, dataset: Dataset, info: DatasetInfo) -> None:
    """Raise an error for a damaged file or another data set: checksum, shape, classes.

    Warn of one without the Tr(XX^T) that the paper states: it may be another version.
    """
    is_public = info.file_name is not None and path.name.lower() == info.file_name.lower()
    if is_public and info.sha256 is not None and checksum(path) != info.sha256:
        raise DataFileError(path, "is damaged or changed", remedy=f"Get it anew: {info.source}")
    _check_size(path, dataset, info)
    if info.log10_trace is not None and not _has_trace(dataset.X, info):
        warnings.warn(
            f"'{path}' has the shape of {info.title}, but not the Tr(XX^T) that the paper states, "
            f"10^{info.log10_trace}: it may be another version, or otherwise scaled.",
            UserWarning,
            stacklevel=3,
        )


def _check_size(path: Path, dataset: Dataset, info: DatasetInfo) -> None:
    remedy = f"It is another data set; this one comes from: {info.source}"
    expected = (info.n_samples, info.n_features)
    if dataset.X.shape != expected:
        raise DataFileError(
            path,
            f"has {dataset.X.shape[0]} samples x {dataset.X.shape[1]} features, but "
            f"{info.title} has {expected[0]} x {expected[1]}",
            remedy=remedy,
        )
    n_classes = info.n_classes if dataset.y is None else np.unique(dataset.y).size
    if n_classes != info.n_classes:
        fault = f"has {n_classes} classes, but {info.title} has {info.n_classes}"
        raise DataFileError(path, fault, remedy=remedy)


def _has_trace(X: Any, info: DatasetInfo) -> bool:
    """Return whether the centred data have the paper's trace, to the digits that it states."""
    trace = float(X.var(axis=0).sum() * len(X))
    # The paper's images have grey levels between 0 and 1, a file may have those of eight bits.
    scales = (1.0, 255.0) if info.preprocessing == "grey" else (1.0,)
    traces = [trace / scale**2 for scale in scales]
    return any(abs(np.log10(found) - info.log10_trace) < 1e-4 for found in traces if found > 0.0)


def checksum(path: Path) -> str:
    """Return what changes with the contents of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
