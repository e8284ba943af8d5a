"""The methods that a plan can name, and how a selector is made for a cell."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from ..datasets import Dataset
from ..selectors.base import Selector
from .cell import Cell


@dataclass(frozen=True)
class Method:
    """A method of the comparison.

    Attributes
    ----------
    selector : str
        Module and class of its selector, imported only when it runs.
    kind : {"psd", "comparison", "control"}
        One of the paper's three, one of those it compares them with, or a control.
    fixed : dict
        Parameters that make the method what it is.
    """

    selector: str
    kind: str
    fixed: dict[str, Any] = field(default_factory=dict)


# The paper selects by the scores alone.
_SCORES = {"selection": "scores"}
_PUBLISHED = {"solver": "published", "units": "absolute", **_SCORES}

METHODS: dict[str, Method] = {
    "SPCA-PSD": Method("sparsecone.selectors:SPCAPSD", "psd", _SCORES),
    "CSPCA-PSD": Method("sparsecone.selectors:CSPCAPSD", "psd", _SCORES),
    "AW-SPCA-PSD": Method("sparsecone.selectors:AWSPCAPSD", "psd", _SCORES),
    "SPCA-PSD (published)": Method("sparsecone.selectors:SPCAPSD", "psd", _PUBLISHED),
    "CSPCA-PSD (published)": Method("sparsecone.selectors:CSPCAPSD", "psd", _PUBLISHED),
    "CSPCA-PSD (released)": Method(
        "sparsecone.experiments.released:ReleasedCSPCAPSD", "psd", _PUBLISHED
    ),
    "AW-SPCA-PSD (published)": Method("sparsecone.selectors:AWSPCAPSD", "psd", _PUBLISHED),
    "SPCAFS": Method("sparsecone.selectors.spcafs:SPCAFS", "comparison"),
    "CSPCA": Method("sparsecone.selectors.cspca:CSPCA", "comparison"),
    "AW-SPCA": Method("sparsecone.selectors.aw_spca:AWSPCA", "comparison"),
    "LapScore": Method("sparsecone.selectors.laplacian_score:LaplacianScore", "comparison"),
    "UDFS": Method("sparsecone.selectors.udfs:UDFS", "comparison"),
    "SOGFS": Method("sparsecone.selectors.sogfs:SOGFS", "comparison"),
    "RNE": Method("sparsecone.selectors.rne:RNE", "comparison"),
    "All features": Method("sparsecone.selectors.controls:AllFeatures", "control"),
    "Highest variance": Method("sparsecone.selectors.controls:MaxVariance", "control"),
    "Random subset": Method("sparsecone.selectors.controls:RandomFeatures", "control"),
}

CONTROLS = tuple(name for name, method in METHODS.items() if method.kind == "control")


def make_selector(cell: Cell, dataset: Dataset) -> Selector:
    """Return the unfitted selector of a cell.

    A method that asks for the number of clusters is told that of the classes, as in the paper; one
    that draws random numbers is given the seed of the cell.
    """
    method = METHODS[cell.method]
    module, name = method.selector.split(":")
    selector: Selector = getattr(import_module(module), name)()
    known = selector.get_params()
    given: dict[str, Any] = {"random_state": cell.seed}
    if dataset.y is not None:
        given["n_clusters"] = int(np.unique(dataset.y).size)
    shared = {name: value for name, value in given.items() if name in known}
    selector.set_params(**{**shared, **method.fixed, **cell.parameters})
    return selector
