"""A selection against the classes of its samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..metrics import evaluate_selection
from .console import working
from .fitting import warnings_as_remarks


@dataclass(frozen=True)
class Evaluation:
    """How well k-means on the selected features finds the classes, in percent."""

    name: str
    acc: float
    acc_std: float
    nmi: float

    def __str__(self) -> str:
        return f"ACC {self.acc:.1f} ± {self.acc_std:.1f} %, NMI {self.nmi:.1f} %"


def evaluate(X: Any, y: Any, selected: Any, *, name: str) -> Evaluation:
    """Cluster the samples by the selected features, by the paper's protocol of 30 runs."""
    with working(f"k-means on the selection of {name}"), warnings_as_remarks():
        (score,) = evaluate_selection(X, y, selected, n_features=[len(selected)], random_state=0)
    return Evaluation(name, score.acc_mean, score.acc_std, score.nmi_mean)
