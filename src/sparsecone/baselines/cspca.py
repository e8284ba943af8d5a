"""CSPCA: convex sparse PCA with a nuclear norm, without the cone."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from ..data import as_samples
from ..selectors.base import Selector
from .iteration import converge
from .self_representation import irls_steps


class CSPCA(Selector):
    """Convex sparse PCA (Chang et al., 2016), the original of CSPCA-PSD.

    With X centred, it minimises over all d x d matrices W with columns `w_j`::

        sum_i |x_i - W x_i|  +  lam * sum_j |w_j|  +  eta * |W|_*

    where the last term is the nuclear norm. W need not be symmetric. Scores are the column norms.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        A number of features, a fraction of them, or None for half.
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
        "n_features_to_select": [None, Integral, Real],
        "lam": [Interval(Real, 0, None, closed="left")],
        "eta": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        n_features_to_select: int | float | None = None,
        lam: float = 10.0,
        eta: float = 10.0,
        max_iter: int = 500,
        tol: float = 1e-5,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.lam = lam
        self.eta = eta
        self.max_iter = max_iter
        self.tol = tol

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Score the features and select the best.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            The samples.
        y : Ignored
            There are no labels.

        Returns
        -------
        self
            The fitted selector.
        """
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self._n_selected(X.shape[1])
        steps = irls_steps(as_samples(X).centred_rows(), lam=self.lam, eta=self.eta, recentre=False)
        matrix, self.objective_ = converge(steps, max_iter=self.max_iter, tol=self.tol)
        self.n_iter_ = self.objective_.size
        return self._keep(matrix.columns)
