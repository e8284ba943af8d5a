"""The paper's evaluation of a selection: k-means on the first features, many times."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import KMeans, kmeans_plusplus
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, check_X_y

from ..charts.box import box, heads, table_row
from ..linalg.threads import pools
from ..linalg.types import Array
from .accuracy import clustering_accuracy
from .information import normalized_mutual_information
from .selection import check_selection


@dataclass(frozen=True, repr=False)
class ClusteringScore:
    """Mean and standard deviation over k-means runs on the first features of a ranking.

    Attributes
    ----------
    n_features : int
        How many features were used.
    acc_mean, acc_std : float
        Clustering accuracy in percent.
    nmi_mean, nmi_std : float
        Normalised mutual information in percent.
    """

    n_features: int
    acc_mean: float
    acc_std: float
    nmi_mean: float
    nmi_std: float

    def __repr__(self) -> str:
        number = f"{self.n_features} feature{'s' if self.n_features != 1 else ''}"
        return (
            f"ClusteringScore({number}: ACC {self.acc_mean:.1f} ± "
            f"{self.acc_std:.1f} %, NMI {self.nmi_mean:.1f} ± {self.nmi_std:.1f} %)"
        )

    def _repr_html_(self) -> str:
        rows = [
            heads("", "mean", "standard deviation"),
            table_row("accuracy", f"{self.acc_mean:.1f} %", f"{self.acc_std:.1f} %"),
            table_row("NMI", f"{self.nmi_mean:.1f} %", f"{self.nmi_std:.1f} %"),
        ]
        return box("Clustering", f"k-means on the first {self.n_features} features.", rows)


def evaluate_selection(
    X: ArrayLike,
    y: ArrayLike,
    ranking: ArrayLike,
    *,
    n_features: Sequence[int] | None = None,
    n_runs: int = 30,
    random_state: int | np.random.RandomState | None = None,
    n_jobs: int | None = None,
) -> list[ClusteringScore]:
    """Cluster the samples by the best features only and compare with the classes.

    As in the paper: k-means with as many clusters as classes, one start a run, plain k-means++
    seeding (one candidate a centre). Runs are seeded alike for every number of features, and one
    run uses one thread, so a row depends neither on the other rows nor on `n_jobs`.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
        The data, scaled as k-means shall see them.
    y : array-like of shape (n_samples,)
        Classes; used for their number and for the comparison only.
    ranking : array-like of shape (n_ranked,)
        Feature indices, best first: `selector.selected_`, or all features in order of score.
    n_features : sequence of int, default=None
        How many of the first features to use. None takes the paper's numbers, as far as
        `ranking` reaches: 50, 100, ..., 300 if X has more than 300 features, else 10, 30, ..., 110.
    n_runs : int, default=30
        Number of k-means runs a row.
    random_state : int, RandomState instance or None, default=None
        Seeds the runs; an int makes them repeatable.
    n_jobs : int, default=None
        Number of parallel processes, as in joblib.

    Returns
    -------
    list of ClusteringScore
        One row for each of `n_features`. The standard deviations are those of the sample
        (divisor n_runs - 1), 0 for a single run.

    Examples
    --------
    >>> X = [[0.0, 5.0], [0.1, 1.0], [9.0, 5.1], [9.1, 1.1]]
    >>> evaluate_selection(X, [0, 0, 1, 1], [0, 1], n_features=[1], n_runs=3, random_state=0)
    [ClusteringScore(1 feature: ACC 100.0 ± 0.0 %, NMI 100.0 ± 0.0 %)]
    """
    data, classes = check_X_y(X, y, accept_sparse="csr", dtype=np.float64)
    order = check_selection(ranking, n_features=data.shape[1])
    counts = _feature_counts(n_features, n_ranked=order.size, width=data.shape[1])
    if n_runs < 1:
        raise ValueError(f"n_runs must be at least 1, got {n_runs}.")
    seeds = check_random_state(random_state).randint(np.iinfo(np.int32).max, size=n_runs)
    scores = Parallel(n_jobs=n_jobs)(
        delayed(_score_one_run)(data, classes, order[:count], seed=int(seed))
        for count in counts
        for seed in seeds
    )
    by_count = 100.0 * np.reshape(scores, (len(counts), n_runs, 2))
    return [_summarise(count, runs) for count, runs in zip(counts, by_count, strict=True)]


def papers_counts(width: int, *, n_ranked: int | None = None) -> list[int]:
    """Return the numbers of features at which the paper evaluates data of a width.

    Those beyond `n_ranked`, or beyond the width where that is None, are left out.

    Examples
    --------
    >>> papers_counts(617)
    [50, 100, 150, 200, 250, 300]
    >>> papers_counts(64)
    [10, 30, 50]
    """
    most = width if n_ranked is None else n_ranked
    papers = range(50, 301, 50) if width > 300 else range(10, 111, 20)
    return [count for count in papers if count <= most] or [most]


def _feature_counts(wanted: Sequence[int] | None, *, n_ranked: int, width: int) -> list[int]:
    """Return the numbers of features to use, each within the ranking."""
    if wanted is None:
        return papers_counts(width, n_ranked=n_ranked)
    for count in wanted:
        if not 1 <= count <= n_ranked or count != int(count):
            raise ValueError(
                f"n_features={count!r} must be an integer between 1 and the length of the "
                f"ranking, {n_ranked}."
            )
    return [int(count) for count in wanted]


def _score_one_run(
    X: Any, classes: Array, columns: NDArray[np.intp], *, seed: int
) -> tuple[float, float]:
    """Return ACC and NMI of one k-means run on some columns."""
    selected = X[:, columns]
    n_clusters = np.unique(classes).size
    # Threads would change the order of sums, hence the result, and crowd the parallel processes.
    with pools().limit(limits=1), warnings.catch_warnings():
        # Fewer distinct rows than clusters leave clusters empty, which both scores allow for.
        warnings.simplefilter("ignore", ConvergenceWarning)
        centres, _ = kmeans_plusplus(selected, n_clusters, random_state=seed, n_local_trials=1)
        clusters = KMeans(n_clusters, init=centres, n_init=1).fit_predict(selected)
    return (
        clustering_accuracy(classes, clusters),
        normalized_mutual_information(classes, clusters),
    )


def _summarise(count: int, runs: Array) -> ClusteringScore:
    """Return the row of one number of features from its (ACC, NMI) pairs."""
    acc_mean, nmi_mean = runs.mean(axis=0).tolist()
    spread = runs.std(axis=0, ddof=1) if len(runs) > 1 else np.zeros(2)
    acc_std, nmi_std = spread.tolist()
    return ClusteringScore(count, acc_mean, acc_std, nmi_mean, nmi_std)
