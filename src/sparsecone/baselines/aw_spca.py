"""AW-SPCA: adaptive weighted sparse PCA with a learned offset, without the cone."""

from __future__ import annotations

from typing import Any, ClassVar

from ..data import as_rows
from ..linalg.types import Array
from ..selectors.constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE
from .base import Baseline
from .self_representation import irls_steps


class AWSPCA(Baseline):
    """Adaptive weighted sparse PCA (Yi et al., 2020), the original of AW-SPCA-PSD.

    It minimises over all d x d matrices W with columns `w_j` and all offsets v::

        sum_i |x_i - W x_i - v|  +  lam * sum_j |w_j|

    W need not be symmetric. Scores are the column norms.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group
        How many features, which in any case and never, and one or all of a group: see
        :class:`~sparsecone.selectors.controls.MaxVariance`.
    lam : float, default=10.0
        Weight of the column norms: the larger, the smaller most scores.
    max_iter, tol
        When to stop: see :class:`~sparsecone.CSPCA`.

    Attributes
    ----------
    scores_, ranking_, selected_, support_
        See :class:`~sparsecone.selectors.base.Selector`.
    objective_, n_iter_
        See :class:`~sparsecone.CSPCA`.

    See Also
    --------
    AWSPCAPSD : The same on the cone of positive semidefinite matrices, with a certificate.

    Notes
    -----
    The iteration, its derivation and its form for more features than samples are in
    `sparsecone.baselines.self_representation`; smoothing and cost are those of `CSPCA`, less the
    singular values.

    References
    ----------
    S. Yi, Z. He, X.-Y. Jing, Y. Li, Y.-M. Cheung, F. Nie: Adaptive Weighted Sparse Principal
    Component Analysis for Robust Unsupervised Feature Selection, IEEE TNNLS, 2020.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone.baselines.aw_spca import AWSPCA
    >>> X, _ = load_iris(return_X_y=True)
    >>> AWSPCA(n_features_to_select=2).fit(X).selected_
    array([2, 0])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "lam": NOT_NEGATIVE,
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
        max_iter: int = 500,
        tol: float = 1e-5,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol

    def _scores(self, X: Any) -> Array:
        rows = as_rows(X).centred_rows()
        return self._converge(irls_steps(rows, lam=self.lam, eta=0.0, recentre=True)).columns
