"""Where the data of an experiment come from: a generator, scikit-learn, the data folder, a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

from ..datasets import (
    DATASETS,
    Dataset,
    available,
    dataset_info,
    load,
    load_file,
    make_three_curve,
    make_three_ring,
    make_two_moon,
    scaled,
)
from ..datasets.synthetic import NOISE_AMPLITUDES
from ..files.reading import READERS
from ..files.wanted import kind_of

SYNTHETIC = {
    "two-moon": make_two_moon,
    "three-ring": make_three_ring,
    "three-curve": make_three_curve,
}

_TITLES = {
    "two-moon": "Two-moon",
    "three-ring": "Three-ring",
    "three-curve": "Three-curve",
    "digits": "digits (scikit-learn)",
}


#: How a file may be read: what `load_file` takes, and how its features are scaled.
READING = (
    *("label", "drop", "drop_text", "sample_names", "find_id", "missing", "transpose"),
    *("delimiter", "decimal", "encoding", "gaps", "scale"),
)


def is_file_name(name: str) -> bool:
    """Return whether a data set is a file of one's own, by its ending."""
    return kind_of(Path(name)) in READERS


def source_names() -> list[str]:
    """Return the names of all data sets that a plan may have."""
    return [*_TITLES, *(info.name for info in DATASETS)]


def title_of(name: str) -> str:
    """Return the name of a data set as the paper writes it, that of a file without its ending."""
    if is_file_name(name):
        return Path(name).name.removesuffix(kind_of(Path(name)))
    return _TITLES[name] if name in _TITLES else dataset_info(name).title


def is_present(name: str) -> bool:
    """Return whether a data set can be loaded here."""
    if is_file_name(name):
        return Path(name).is_file()
    return name in _TITLES or name in available()


def how_to_get(name: str) -> str:
    """Return where a data set that is not present comes from."""
    if is_file_name(name):
        return f"there is no file '{name}'"
    info = dataset_info(name)
    return f"{info.title}: {info.url or info.source}"


def load_source(
    name: str,
    *,
    scaling: str,
    seed: int,
    read: Mapping[str, Any] | None = None,
    noise: float | None = None,
) -> Dataset:
    """Load a data set by name or file, or make it; neighbouring cells mostly share theirs.

    Image sets are used as "stored" or, "grey", with levels from 0 to 1. `read` says by the names
    in `READING` how a file is read. Synthetic data are drawn with `seed`, and have the noise of the
    generator, or in proportion to that with `noise` as the amplitude of the strongest feature.
    """
    return _load(name, scaling, seed, json.dumps(read or {}, sort_keys=True), noise)


@lru_cache(maxsize=1)
def _load(name: str, scaling: str, seed: int, read: str, noise: float | None) -> Dataset:
    if name in SYNTHETIC:
        strongest = max(NOISE_AMPLITUDES)
        factor = 1.0 if noise is None else noise / strongest
        amplitudes = [factor * amplitude for amplitude in NOISE_AMPLITUDES]
        X, y = SYNTHETIC[name](noise_amplitudes=amplitudes, random_state=seed)
        return Dataset(name, X, y)
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return Dataset(name, X / 16.0, y)
    if is_file_name(name):
        return _load_own(name, json.loads(read))
    return load(name, preprocess=scaling == "grey")


def _load_own(name: str, read: dict[str, Any]) -> Dataset:
    """Read a file of one's own; its classes are numbered."""
    scale = read.pop("scale", "none")
    options = {key: value for key, value in read.items() if key in READING}
    dataset = load_file(name, **options)
    y = None if dataset.y is None else np.unique(dataset.y, return_inverse=True)[1]
    return replace(dataset, X=scaled(dataset.X, scale), y=y)
