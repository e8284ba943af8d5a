"""What a report is made from, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from ..charts.image import check_image_shape
from ..charts.names import shortened
from ..data import Rows, as_rows
from ..linalg.types import Array
from ..registry import methods
from ..selectors.base import Selector
from ..solve.solution import Solution
from .cuts import Cuts, n_tried

if TYPE_CHECKING:
    from ..path import Path
    from ..stability import Stability

#: Characters of a name in the text.
LONGEST_NAME = 60


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """A fitted selector, its data, and what else is known.

    The attributes are the parameters of `write_report`; X is an array or a CSR matrix.
    """

    selector: Selector
    X: Any
    title: str
    feature_names: Sequence[str] | None = None
    source: str | None = None
    command: str | None = None
    preparation: str | None = None
    labels: Array | None = None
    evaluation: Sequence[tuple[str, float, float, float]] | None = None
    image_shape: tuple[int, int] | None = None
    stability: Stability | None = None
    lam_path: Path | None = None
    timings: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        check_is_fitted(self.selector, "selected_")
        n_features = self.selector.scores_.size
        if self.X.ndim != 2 or self.X.shape[1] != n_features:
            raise ValueError(
                f"X has shape {self.X.shape}, but the selector was fitted on {n_features} "
                "features: give the data it was fitted on."
            )
        if self.feature_names is not None and len(self.feature_names) != n_features:
            raise ValueError(
                f"There are {len(self.feature_names)} feature names for {n_features} features."
            )
        if self.labels is not None and len(self.labels) != self.n_samples:
            raise ValueError(f"There are {len(self.labels)} labels for {self.n_samples} samples.")
        if self.image_shape is not None:
            check_image_shape(self.image_shape, n_features=n_features)
        if self.stability is not None and self.stability.frequencies.shape != (n_features,):
            raise ValueError(
                f"stability.frequencies has shape {self.stability.frequencies.shape}, not "
                f"({n_features},): one frequency a feature."
            )
        if self.lam_path is not None and self.lam_path.scores.shape[2] != n_features:
            raise ValueError(
                f"lam_path has {self.lam_path.scores.shape[2]} features, and the selector "
                f"{n_features}: give the path of the same data."
            )

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    @property
    def selected(self) -> Array:
        """Indices of the selected features, best first."""
        return self.selector.selected_

    @property
    def solution(self) -> Solution | None:
        """The certified solution, where the method has one."""
        return getattr(self.selector, "solution_", None)

    @cached_property
    def method(self) -> str:
        """The name of the method."""
        kind = type(self.selector)
        return next((m.label for m in methods() if m.selector is kind), kind.__name__)

    @cached_property
    def drawn_scores(self) -> Array:
        """The scores as charts draw them: features that have none with the lowest of the others."""
        scores = self.selector.scores_
        finite = np.isfinite(scores)
        return scores if finite.all() else np.where(finite, scores, scores[finite].min(initial=0.0))

    @cached_property
    def order(self) -> Array:
        """All features, best first."""
        return np.argsort(self.selector.ranking_, kind="stable")

    @cached_property
    def rows(self) -> Rows:
        """The data, centred."""
        return as_rows(check_array(self.X, accept_sparse="csr", dtype=(np.float64, np.float32)))

    @cached_property
    def cuts(self) -> Cuts:
        """What every number of features explains, as far as that is affordable."""
        n_entries = self.X.nnz if sp.issparse(self.X) else None
        most = n_tried(self.rows, self.selected.size, n_entries=n_entries)
        return Cuts(self.rows, self.order[:most])

    def name(self, feature: int, longest: int = LONGEST_NAME) -> str:
        """Return the name of a feature as it is shown."""
        if self.feature_names is None:
            return f"feature {feature}"
        return shortened(str(self.feature_names[feature]), longest)

    def names(self, features: Array) -> list[str]:
        """Return the names of some features as they are shown."""
        return [self.name(feature) for feature in features.tolist()]

    def columns(self, features: Array) -> Any:
        """Return some columns of the data in double precision, sparse ones as CSR."""
        return check_array(self.X[:, features], accept_sparse="csr", dtype=np.float64)


def inputs_of(content: Mapping[str, Any]) -> Inputs:
    """Return the checked inputs; names come with a table, or from the fit, where none are given."""
    X, selector = content["X"], content["selector"]
    names = content.get("feature_names")
    if names is None:
        names = getattr(X, "columns", getattr(selector, "feature_names_in_", None))
    plain = X.tocsr() if sp.issparse(X) else np.asarray(X)
    known = None if names is None else list(names)
    return Inputs(**{**content, "X": plain, "feature_names": known})
