"""One cell of a plan: what is run on which data with which settings, and the name this gives it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

#: A result: the settings of a cell and what came out, as plain JSON values.
Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The settings of one run."""

    dataset: str
    method: str  #: Name of the method, as the tables show it.
    #: Parameters of the selector, beyond those that every cell of a method has.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0  #: Seeds synthetic data, the selector and k-means.
    #: Whether image sets are used as "stored" or, "grey", with levels between 0 and 1.
    scaling: str = "stored"
    #: Amplitude of the strongest noise feature of synthetic data; None for the generator's.
    noise: float | None = None
    #: Numbers of features to evaluate; None for the paper's.
    n_features: tuple[int, ...] | None = None
    n_runs: int = 30  #: Number of k-means runs; 0 leaves the evaluation out.
    #: What to keep besides: "history" (objective values), "selected" (the first 100 features).
    keep: tuple[str, ...] = ()
    #: How a file of one's own is read, and its checksum; empty for a data set by name.
    read: Mapping[str, Any] = field(default_factory=dict)
    #: How many times the fit is repeated for its time, which is their median: above 1 for cells
    #: that are there for their times alone.
    repeats: int = 1
    #: Largest CPU time of a fit; beyond it the cell has failed. No part of the settings.
    max_seconds: float | None = None

    @property
    def is_timing(self) -> bool:
        """Whether the cell is there for its time, and has to run while nothing else does."""
        return self.repeats > 1

    def settings(self) -> Row:
        """Return the settings as JSON values: the first part of the row."""
        return {
            "dataset": self.dataset,
            "method": self.method,
            "parameters": dict(sorted(self.parameters.items())),
            "seed": self.seed,
            "scaling": self.scaling,
            "noise": self.noise,
            "n_features": None if self.n_features is None else list(self.n_features),
            "n_runs": self.n_runs,
            "keep": list(self.keep),
            "repeats": self.repeats,
            **({"read": dict(sorted(self.read.items()))} if self.read else {}),
        }

    @cached_property
    def key(self) -> str:
        """Name of the cell: equal settings, and only they, have equal names.

        Examples
        --------
        >>> Cell(dataset="digits", method="UDFS").key == Cell(dataset="digits", method="UDFS").key
        True
        """
        text = json.dumps(self.settings(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
