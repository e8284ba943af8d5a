"""How often each feature is selected when the samples change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import _num_features, _num_samples

from ..charts.box import box, heads, table_row
from ..linalg.types import Array
from ..metrics import jaccard_stability, kuncheva_stability
from .subsamples import frequencies_of, selections_on

# Features in the table of a notebook.
MOST_SHOWN = 10


@dataclass(frozen=True, repr=False)
class Stability:
    """Selections over random subsamples, summed up.

    Attributes
    ----------
    frequencies : ndarray of shape (n_features,)
        In which share of the subsamples each feature was selected.
    kuncheva : float
        Mean agreement of two selections beyond chance, at most 1; that of random selections is 0.
        nan where all features, or different numbers of them, were selected.
    jaccard : float
        Mean share of common features of two selections, in [0, 1].
    n_resamples : int
        Number of subsamples.
    """

    frequencies: Array
    kuncheva: float
    jaccard: float
    n_resamples: int

    def __repr__(self) -> str:
        always = int(np.count_nonzero(self.frequencies >= 1.0))
        ever = int(np.count_nonzero(self.frequencies))
        return (
            f"Stability(Kuncheva {self.kuncheva:.2f}, Jaccard {self.jaccard:.2f} over "
            f"{self.n_resamples} subsamples: {always} of {self.frequencies.size} features always "
            f"selected, {ever} ever)"
        )

    def _repr_html_(self) -> str:
        best = np.argsort(-self.frequencies, kind="stable")[:MOST_SHOWN].tolist()
        rows = [heads("feature", "selected in")]
        rows += [table_row(str(j), f"{100.0 * self.frequencies[j]:.0f} %") for j in best]
        return box("Stability", repr(self), rows)


def selection_stability(
    selector: Any,
    X: Any,
    *,
    n_resamples: int = 20,
    fraction: float = 0.5,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
) -> Stability:
    """Select on random subsamples and count how often each feature is chosen.

    Parameters
    ----------
    selector : Selector or Pipeline
        Any selector of this library or of scikit-learn, or a Pipeline that ends with one and keeps
        the features before that; it is not changed. The three models start from their fit to all
        samples, which is made where there is none.
    X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
        The samples.
    n_resamples : int, default=20
        Number of subsamples, at least 2.
    fraction : float, default=0.5
        Share of the samples in each, drawn without replacement.
    random_state : int, RandomState instance or None, default=None
        Draws the subsamples; an int makes them repeatable.
    n_jobs : int or None, default=None
        Number of parallel processes, as in joblib.

    Returns
    -------
    Stability
        Frequencies and agreement.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone import SPCAPSD
    >>> from sparsecone.stability import selection_stability
    >>> X, _ = load_digits(return_X_y=True)
    >>> stability = selection_stability(
    ...     SPCAPSD(n_features_to_select=16), X, n_resamples=5, random_state=0
    ... )
    >>> stability.kuncheva > 0.5
    True
    """
    if n_resamples < 2:
        raise ValueError(f"n_resamples={n_resamples} must be at least 2, to compare selections.")
    n_samples = _num_samples(X)
    size = int(fraction * n_samples)
    if not 0.0 < fraction < 1.0 or size < 2:
        raise ValueError(
            f"fraction={fraction} must lie in (0, 1) and leave at least 2 of {n_samples} samples."
        )
    rng = check_random_state(random_state)
    draws = [np.sort(rng.permutation(n_samples)[:size]) for _ in range(n_resamples)]
    selections, n_features = selections_on(selector, X, draws, n_jobs), _num_features(X)
    sizes = {selection.size for selection in selections}
    comparable = len(sizes) == 1 and 0 < min(sizes) < n_features
    return Stability(
        frequencies=frequencies_of(selections, n_features),
        kuncheva=kuncheva_stability(selections, n_features=n_features)
        if comparable
        else float("nan"),
        jaccard=jaccard_stability(selections),
        n_resamples=n_resamples,
    )
