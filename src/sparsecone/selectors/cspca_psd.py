"""CSPCA-PSD: the robust loss."""

from __future__ import annotations

from typing import Any, ClassVar

from ..solve.driver import Callback
from .psd import DELTA_CONSTRAINT, PSDSelector


class CSPCAPSD(PSDSelector):
    """Robust unsupervised feature selection by convex sparse PCA on the cone of PSD matrices.

    Minimises ``sum_i sqrt(|x_i - W x_i|^2 + delta) + lam * sum_j |w_j| + eta * tr W`` over positive
    semidefinite W, X centred. The residuals are not squared, so outlying samples weigh less. The
    certificate is that of this smoothed objective.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group, selection, eta, lam
        See :class:`~sparsecone.SPCAPSD`.
    units : {"relative", "absolute"}, default="relative"
        "relative": eta is a fraction of the loss at W = 0, lam a fraction of eta.
        "absolute": both are the paper's own lambda and eta.
    delta : float or None, default=None
        Smoothing of the residual norms in the objective, sqrt(t^2 + delta): in relative units a
        fraction of the mean squared norm of the centred samples, in absolute units itself. None or
        0 is the norm itself; what solvers smooth by themselves is inside the gap.
    solver : {"auto", "factored", "admm", "reweighted", "published"}, default="auto"
        "factored" works on a low-rank factor and suits any width; "admm" on dense d x d matrices,
        for moderate d and high rank; "reweighted" on d x d moments of the weighted samples, for
        rows that do not fit into memory; "auto" predicts which is faster and falls over to another.
        All of them end with a certificate. "published" is the paper's algorithm, which does not
        reach the optimum.
    tol, max_iter, max_time, random_state, callback, verbose
        See :class:`~sparsecone.SPCAPSD`.

    Attributes
    ----------
    scores_, ranking_, selected_, support_, solution_, curve_, lam_, eta_, n_iter_
        See :class:`~sparsecone.SPCAPSD`.

    See Also
    --------
    SPCAPSD : The same with the squared loss.
    AWSPCAPSD : The robust loss with a learned offset and no trace term.

    References
    ----------
    Zheng, Zhang, Liu, Jiang, Huo, Liu: Fast Sparse PCA via Positive Semidefinite Projection for
    Unsupervised Feature Selection.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone import CSPCAPSD
    >>> X, _ = load_digits(return_X_y=True)
    >>> selector = CSPCAPSD(n_features_to_select=10).fit(X)
    >>> selector.transform(X).shape
    (1797, 10)
    >>> selector.solution_.status
    <Status.CONVERGED: 'converged'>
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **PSDSelector._parameter_constraints,
        "delta": DELTA_CONSTRAINT,
    }

    _model: ClassVar[str] = "cspca-psd"

    def __init__(
        self,
        *,
        n_features_to_select: int | float | str | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
        selection: str = "diverse",
        eta: float | str = "auto",
        lam: float | str = "auto",
        units: str = "relative",
        delta: float | None = None,
        solver: str = "auto",
        tol: float = 1e-4,
        max_iter: int | None = None,
        max_time: float | None = None,
        random_state: Any = None,
        callback: Callback | None = None,
        verbose: int = 0,
    ) -> None:
        self._set_choice(n_features_to_select, keep, exclude, groups, per_group)
        self.selection = selection
        self.eta = eta
        self.lam = lam
        self.units = units
        self.delta = delta
        self._set_solve(solver, tol, max_iter, max_time, random_state, callback, verbose)
