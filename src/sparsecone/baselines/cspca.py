"""CSPCA: convex sparse PCA with a nuclear norm, without the cone."""

from __future__ import annotations

from typing import Any, ClassVar

from ..data import as_rows
from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE
from .base import Baseline
from .self_representation import irls_steps


class CSPCA(Baseline):
    """Convex sparse PCA (Chang et al., 2016), the original of CSPCA-PSD.

    With X centred, it minimises over all d x d matrices W with columns `w_j`::

        sum_i |x_i - W x_i|  +  lam * sum_j |w_j|  +  eta * |W|_*

    where the last term is the nuclear norm. W need not be symmetric. Scores are the column norms.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    lam : float, default=10.0
        Weight of the column norms: the larger, the smaller most scores.
    eta : float, default=10.0
        Weight of the nuclear norm: the larger, the lower the rank of W.
    max_iter : int, default=500
        Largest number of updates of W.
    tol : float, default=1e-5
        Stop when the objective changes by at most this much (or only by rounding).

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.
    objective_ : ndarray of shape (n_iter_,)
        The objective after each update, without the smoothing, as in the paper. The smoothed one
        never rises; this one may, a little, where residuals come near zero.
    n_iter_ : int
        Number of updates.

    See Also
    --------
    CSPCAPSD : The same on the cone of positive semidefinite matrices, with a certificate.

    Notes
    -----
    The iteration, its derivation and its form for more features than samples are in
    `sparsecone.baselines.self_representation`. It minimises a smoothed objective, 1e-3 inside every
    root and a ridge of 1e-3 as in the paper: no score is exactly zero unless the feature is
    constant.
    An update costs O(nd^2 + d^3), or O(dn^2) when d > n, singular values included.

    References
    ----------
    X. Chang, F. Nie, Y. Yang, C. Zhang, H. Huang: Convex Sparse PCA for Unsupervised Feature
    Learning, ACM TKDD, 2016.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.cspca import CSPCA
    >>> X, _ = load_iris(return_X_y=True)
    >>> CSPCA(n_features_to_select=2).fit(X).selected_
    array([2, 0])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "lam": NOT_NEGATIVE,
        "eta": NOT_NEGATIVE,
        "max_iter": AT_LEAST_ONE,
        "tol": NOT_NEGATIVE,
    }

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
        lam: float = 10.0,
        eta: float = 10.0,
        max_iter: int = 500,
        tol: float = 1e-5,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.lam = lam
        self.eta = eta
        self.max_iter = max_iter
        self.tol = tol

    def _scores(self, X: Any) -> Array:
        rows = as_rows(X).centred_rows()
        return self._converge(irls_steps(rows, lam=self.lam, eta=self.eta, recentre=False)).columns
