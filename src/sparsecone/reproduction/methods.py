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

# Further methods are given so many seconds a fit.
_PATIENCE = 600.0


@dataclass(frozen=True)
class ComparedMethod:
    """A method of the comparison.

    Attributes
    ----------
    selector : str
        "module:Class" within `sparsecone`; imported only when it runs.
    kind : {"psd", "comparison", "control", "further"}
        One of the paper's three, one of those it compares them with, a control, or a further
        method of the field, which runs with its defaults.
    colour : str
        Its colour in figures: the paper's methods have a hue each, darker for the certified
        optimum; controls are grey.
    fixed : dict
        Parameters that make the method what it is.
    chooses : bool
        Whether it chooses one feature after the other, and has to be told how many.
    """

    selector: str
    kind: str
    colour: str
    fixed: dict[str, Any] = field(default_factory=dict)
    chooses: bool = False

    @property
    def max_seconds(self) -> float | None:
        """How long a fit may take."""
        return _PATIENCE if self.kind == "further" else None


# The paper selects by the scores alone.
_SCORES = {"selection": "scores"}
_PUBLISHED = {"solver": "published", "units": "absolute", **_SCORES}

METHODS: dict[str, ComparedMethod] = {
    "SPCA-PSD (auto)": ComparedMethod("selectors:SPCAPSD", "psd", "crimson", chooses=True),
    "CSPCA-PSD (auto)": ComparedMethod("selectors:CSPCAPSD", "psd", "royalblue", chooses=True),
    "SPCA-PSD (auto, scores)": ComparedMethod("selectors:SPCAPSD", "psd", "lightcoral", _SCORES),
    "SPCA-PSD": ComparedMethod("selectors:SPCAPSD", "psd", "darkred", _SCORES),
    "CSPCA-PSD": ComparedMethod("selectors:CSPCAPSD", "psd", "darkblue", _SCORES),
    "AW-SPCA-PSD": ComparedMethod("selectors:AWSPCAPSD", "psd", "indigo", _SCORES),
    "SPCA-PSD (published)": ComparedMethod("selectors:SPCAPSD", "psd", "red", _PUBLISHED),
    "CSPCA-PSD (published)": ComparedMethod("selectors:CSPCAPSD", "psd", "blue", _PUBLISHED),
    "CSPCA-PSD (released)": ComparedMethod(
        "reproduction.released:ReleasedCSPCAPSD", "psd", "cornflowerblue", _PUBLISHED
    ),
    "AW-SPCA-PSD (published)": ComparedMethod(
        "selectors:AWSPCAPSD", "psd", "darkviolet", _PUBLISHED
    ),
    "SPCAFS": ComparedMethod("baselines.spcafs:SPCAFS", "comparison", "darkorange"),
    "CSPCA": ComparedMethod("baselines.cspca:CSPCA", "comparison", "teal"),
    "AW-SPCA": ComparedMethod("baselines.aw_spca:AWSPCA", "comparison", "hotpink"),
    "LapScore": ComparedMethod(
        "baselines.laplacian_score:LaplacianScore", "comparison", "saddlebrown"
    ),
    "UDFS": ComparedMethod("baselines.udfs:UDFS", "comparison", "olive"),
    "SOGFS": ComparedMethod("baselines.sogfs:SOGFS", "comparison", "green"),
    "RNE": ComparedMethod("baselines.rne:RNE", "comparison", "deepskyblue"),
    "CUR": ComparedMethod("baselines.cur:CUR", "further", "goldenrod", chooses=True),
    "FPS": ComparedMethod("baselines.fps:FPS", "further", "yellowgreen", chooses=True),
    "MCFS": ComparedMethod("baselines.mcfs:MCFS", "further", "mediumaquamarine", chooses=True),
    # Its default is the Laplacian score.
    "SPEC": ComparedMethod("baselines.spec:SPEC", "further", "sienna", {"criterion": "leading"}),
    "NDFS": ComparedMethod("baselines.ndfs:NDFS", "further", "plum"),
    "JELSR": ComparedMethod("baselines.jelsr:JELSR", "further", "slateblue"),
    "RUFS": ComparedMethod("baselines.rufs:RUFS", "further", "tomato"),
    "FSASL": ComparedMethod("baselines.fsasl:FSASL", "further", "darkcyan"),
    "All features": ComparedMethod("selectors.controls:AllFeatures", "control", "black"),
    "Highest variance": ComparedMethod("selectors.controls:MaxVariance", "control", "dimgrey"),
    "Random subset": ComparedMethod("selectors.controls:RandomFeatures", "control", "darkgrey"),
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
    selector: Selector = getattr(import_module(f"sparsecone.{module}"), name)()
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
