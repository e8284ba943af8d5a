"""The methods that a plan can name, and how a selector is made for a cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from ..datasets import Dataset
from ..metrics.evaluation import papers_counts
from ..selectors.base import Selector
from .cell import Cell


@dataclass(frozen=True)
class Method:
    """A method of the comparison.

    Attributes
    ----------
    selector : str
        Module and class of its selector, imported only when it runs.
    kind : {"psd", "comparison", "control", "peer"}
        One of the paper's three, one of those it compares them with, a control, or a method of
        another library.
    fixed : dict
        Parameters that make the method what it is.
    chooses : bool
        Whether it chooses one feature after the other, and has to be told how many.
    max_seconds : float or None
        How long a fit may take.
    """

    selector: str
    kind: str
    fixed: dict[str, Any] = field(default_factory=dict)
    chooses: bool = False
    max_seconds: float | None = None


# The paper selects by the scores alone.
_SCORES = {"selection": "scores"}
_PUBLISHED = {"solver": "published", "units": "absolute", **_SCORES}
# Other libraries are given this long.
_PATIENCE = 600.0

METHODS: dict[str, Method] = {
    "SPCA-PSD (auto)": Method("sparsecone.selectors:SPCAPSD", "psd", chooses=True),
    "CSPCA-PSD (auto)": Method("sparsecone.selectors:CSPCAPSD", "psd", chooses=True),
    "SPCA-PSD (auto, scores)": Method("sparsecone.selectors:SPCAPSD", "psd", _SCORES),
    "SPCA-PSD": Method("sparsecone.selectors:SPCAPSD", "psd", _SCORES),
    "CSPCA-PSD": Method("sparsecone.selectors:CSPCAPSD", "psd", _SCORES),
    "AW-SPCA-PSD": Method("sparsecone.selectors:AWSPCAPSD", "psd", _SCORES),
    "SPCA-PSD (published)": Method("sparsecone.selectors:SPCAPSD", "psd", _PUBLISHED),
    "CSPCA-PSD (published)": Method("sparsecone.selectors:CSPCAPSD", "psd", _PUBLISHED),
    "CSPCA-PSD (released)": Method(
        "sparsecone.reproduction.released:ReleasedCSPCAPSD", "psd", _PUBLISHED
    ),
    "AW-SPCA-PSD (published)": Method("sparsecone.selectors:AWSPCAPSD", "psd", _PUBLISHED),
    "SPCAFS": Method("sparsecone.baselines.spcafs:SPCAFS", "comparison"),
    "CSPCA": Method("sparsecone.baselines.cspca:CSPCA", "comparison"),
    "AW-SPCA": Method("sparsecone.baselines.aw_spca:AWSPCA", "comparison"),
    "LapScore": Method("sparsecone.baselines.laplacian_score:LaplacianScore", "comparison"),
    "UDFS": Method("sparsecone.baselines.udfs:UDFS", "comparison"),
    "SOGFS": Method("sparsecone.baselines.sogfs:SOGFS", "comparison"),
    "RNE": Method("sparsecone.baselines.rne:RNE", "comparison"),
    "CUR": Method(
        "sparsecone.reproduction.peers:CURFeatures", "peer", chooses=True, max_seconds=_PATIENCE
    ),
    "FPS": Method(
        "sparsecone.reproduction.peers:FarthestFeatures",
        "peer",
        chooses=True,
        max_seconds=_PATIENCE,
    ),
    "MCFS": Method(
        "sparsecone.reproduction.peers:MultiClusterFeatures",
        "peer",
        chooses=True,
        max_seconds=_PATIENCE,
    ),
    "NDFS": Method(
        "sparsecone.reproduction.peers:NonnegativeSpectralFeatures", "peer", max_seconds=_PATIENCE
    ),
    "All features": Method("sparsecone.selectors.controls:AllFeatures", "control"),
    "Highest variance": Method("sparsecone.selectors.controls:MaxVariance", "control"),
    "Random subset": Method("sparsecone.selectors.controls:RandomFeatures", "control"),
}

CONTROLS = tuple(name for name, method in METHODS.items() if method.kind == "control")


def make_selector(cell: Cell, dataset: Dataset) -> Selector:
    """Return the unfitted selector of a cell.

    A method that asks for the number of clusters is told that of the classes, as in the paper; one
    that draws random numbers is given the seed of the cell; one that chooses features one by one,
    the largest number of features that is evaluated.
    """
    method = METHODS[cell.method]
    module, name = method.selector.split(":")
    selector: Selector = getattr(import_module(module), name)()
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
