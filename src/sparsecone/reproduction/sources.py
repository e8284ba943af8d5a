"""Where the data of an experiment come from: a generator, scikit-learn, or the data folder."""

from __future__ import annotations

from functools import lru_cache

from sklearn.datasets import load_digits

from ..datasets import (
    DATASETS,
    Dataset,
    available,
    dataset_info,
    load,
    make_three_curve,
    make_three_ring,
    make_two_moon,
)

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


def source_names() -> list[str]:
    """Return the names of all data sets that a plan may have."""
    return [*_TITLES, *(info.name for info in DATASETS)]


def title_of(name: str) -> str:
    """Return the name of a data set as the paper writes it."""
    return _TITLES[name] if name in _TITLES else dataset_info(name).title


def is_present(name: str) -> bool:
    """Return whether a data set can be loaded here."""
    return name in _TITLES or name in available()


def how_to_get(name: str) -> str:
    """Return where a data set that is not present comes from."""
    info = dataset_info(name)
    return f"{info.title}: {info.url or info.source}"


@lru_cache(maxsize=1)
def load_source(name: str, *, scaling: str, seed: int) -> Dataset:
    """Load a data set, or make it; neighbouring cells mostly share theirs.

    Parameters
    ----------
    name : str
        One of `source_names()`.
    scaling : {"stored", "paper"}
        Whether features of image sets are used as stored or scaled to [0, 1].
    seed : int
        Seeds synthetic data; ignored for others.
    """
    if name in SYNTHETIC:
        X, y = SYNTHETIC[name](random_state=seed)
        return Dataset(name, X, y)
    if name == "digits":
        X, y = load_digits(return_X_y=True)
        return Dataset(name, X / 16.0, y)
    return load(name, preprocess=scaling == "paper")
