"""The methods that a plan can name, and how a selector is made for a cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..datasets import Dataset
from ..metrics.evaluation import papers_counts
from ..registry import METHODS as REGISTERED
from ..registry import own_methods
from ..registry.method import selector_at
from ..selectors.base import Selector
from .cell import Cell

# Further methods are given so many seconds of CPU time a fit.
_PATIENCE = 60.0


@dataclass(frozen=True)
class ComparedMethod:
    """A method of the comparison."""

    selector: str  #: "module:Class"; imported only when it runs.
    #: "psd": one of the paper's three, "comparison": one that it compares them with, "control",
    #: "further": another of the field, with its defaults, or "own": one that a user registered.
    kind: str
    #: Parameters that make the method what it is.
    fixed: dict[str, Any] = field(default_factory=dict)
    #: Whether it chooses one feature after the other, and has to be told how many.
    chooses: bool = False

    @property
    def max_seconds(self) -> float | None:
        """How much CPU time a fit may take."""
        return _PATIENCE if self.kind == "further" else None


# The paper selects by the scores alone.
_SCORES = {"selection": "scores"}
_PUBLISHED = {"solver": "published", "units": "absolute", **_SCORES}

#: Where the methods of the registry are, by the names that tables show.
_PLACES = {method.label: method.location for method in REGISTERED}
_SPCA_PSD, _CSPCA_PSD, _AW_SPCA_PSD = (
    _PLACES[name] for name in ("SPCA-PSD", "CSPCA-PSD", "AW-SPCA-PSD")
)


def _plain(kind: str, *names: str, chooses: bool = False) -> dict[str, ComparedMethod]:
    """Return methods of the registry as they are."""
    return {name: ComparedMethod(_PLACES[name], kind, chooses=chooses) for name in names}


METHODS: dict[str, ComparedMethod] = {
    "SPCA-PSD (auto)": ComparedMethod(_SPCA_PSD, "psd", chooses=True),
    "CSPCA-PSD (auto)": ComparedMethod(_CSPCA_PSD, "psd", chooses=True),
    "SPCA-PSD (auto, explained)": ComparedMethod(_SPCA_PSD, "psd", {"selection": "explained"}),
    "SPCA-PSD (auto, scores)": ComparedMethod(_SPCA_PSD, "psd", _SCORES),
    "SPCA-PSD": ComparedMethod(_SPCA_PSD, "psd", _SCORES),
    "CSPCA-PSD": ComparedMethod(_CSPCA_PSD, "psd", _SCORES),
    "AW-SPCA-PSD": ComparedMethod(_AW_SPCA_PSD, "psd", _SCORES),
    "SPCA-PSD (published)": ComparedMethod(_SPCA_PSD, "psd", _PUBLISHED),
    "CSPCA-PSD (published)": ComparedMethod(_CSPCA_PSD, "psd", _PUBLISHED),
    "CSPCA-PSD (released)": ComparedMethod(
        "sparsecone.reproduction.released:ReleasedCSPCAPSD", "psd", _PUBLISHED
    ),
    "AW-SPCA-PSD (published)": ComparedMethod(_AW_SPCA_PSD, "psd", _PUBLISHED),
    **_plain("comparison", "SPCAFS", "CSPCA", "AW-SPCA", "LapScore", "UDFS", "SOGFS", "RNE"),
    **_plain("further", "CUR", "FPS", "MCFS", chooses=True),
    # Its default is the Laplacian score.
    "SPEC": ComparedMethod(_PLACES["SPEC"], "further", {"criterion": "leading"}),
    **_plain("further", "NDFS", "JELSR", "RUFS", "FSASL"),
    **_plain("control", "All features", "Highest variance", "Random subset"),
}

CONTROLS = tuple(name for name, method in METHODS.items() if method.kind == "control")


def all_methods() -> dict[str, ComparedMethod]:
    """Return all methods that a plan can name: those of the comparison, and one's own by label."""
    own = {
        method.label: ComparedMethod(method.location, "own", chooses=True)
        for method in own_methods()
    }
    return METHODS | own


def method_of(name: str) -> ComparedMethod:
    """Return a method by the name that tables show."""
    found = METHODS.get(name) or all_methods().get(name)
    if found is None:
        raise ValueError(f"The method '{name}' is not installed, or not registered, here.")
    return found


def make_selector(cell: Cell, dataset: Dataset) -> Selector:
    """Return the unfitted selector of a cell.

    A method that asks for the number of clusters is told that of the classes, as in the paper; one
    that draws random numbers is given the seed of the cell; one that chooses features one by one,
    the largest number of features that is evaluated.
    """
    method = method_of(cell.method)
    selector = selector_at(method.selector)()
    known = selector.get_params()
    given: dict[str, Any] = {"random_state": cell.seed}
    if dataset.y is not None:
        given["n_clusters"] = int(np.unique(dataset.y).size)
    if method.chooses:
        counts = cell.n_features or papers_counts(dataset.X.shape[1])
        given["n_features_to_select"] = min(max(counts), dataset.X.shape[1])
    shared = {name: value for name, value in given.items() if name in known}
    selector.set_params(**{**shared, **method.fixed, **cell.parameters})
    return selector
