"""Clustering accuracy under the best matching of clusters to classes."""

from __future__ import annotations

from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment
from sklearn.metrics.cluster import contingency_matrix
from sklearn.utils import check_consistent_length, column_or_1d


def clustering_accuracy(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Fraction of samples whose cluster is matched to their class.

    Every cluster is matched to at most one class and every class to at most one cluster, in the
    way that counts most samples (the Hungarian method on the contingency table). With more
    clusters than classes, or fewer, the surplus stays unmatched and its samples count as wrong.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Classes, of any type that can be sorted.
    y_pred : array-like of shape (n_samples,)
        Clusters; their names do not matter.

    Returns
    -------
    float
        Accuracy in (0, 1].

    Examples
    --------
    >>> clustering_accuracy(["a", "a", "b", "b"], [1, 1, 0, 0])
    1.0
    >>> clustering_accuracy([0, 0, 1, 1], [0, 0, 0, 0])
    0.5
    """
    classes = column_or_1d(y_true)
    clusters = column_or_1d(y_pred)
    check_consistent_length(classes, clusters)
    if classes.size == 0:
        raise ValueError("The accuracy of no samples is undefined: y_true and y_pred are empty.")
    counts = contingency_matrix(classes, clusters)
    rows, columns = linear_sum_assignment(counts, maximize=True)
    return float(counts[rows, columns].sum() / classes.size)
