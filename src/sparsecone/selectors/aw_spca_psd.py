"""AW-SPCA-PSD: the robust loss with a learned offset, without the trace term."""

from __future__ import annotations

from typing import Any, ClassVar

from ..data import Data
from ..solve.driver import Callback
from ..solve.solution import Solution
from .psd import DELTA_CONSTRAINT, PSDSelector


class AWSPCAPSD(PSDSelector):
    """Robust convex sparse PCA with a learned centre and without a trace term.

    Minimises ``sum_i sqrt(|x_i - W x_i - v|^2 + delta) + lam * sum_j |w_j|`` over positive
    semidefinite W and offsets v. Without the trace term W has nearly full rank, and fits take
    longer than those of the other two models. The certificate is that of this smoothed objective.

    Parameters
    ----------
    n_features_to_select, keep, exclude, groups, per_group, selection
        See :class:`~sparsecone.SPCAPSD`.
    lam : float or "auto", default="auto"
        Weight of the column norms: the larger, the fewer features have a score. 0 is allowed.
        "auto" is 2e-4 of the loss at W = 0, or less where that would select nothing.
    units : {"relative", "absolute"}, default="relative"
        "relative": lam is a fraction of the loss at W = 0, with the best offset.
        "absolute": it is the paper's own lambda.
    delta : float or None, default=None
        Smoothing of the residual norms: see :class:`~sparsecone.CSPCAPSD`.
    solver : {"auto", "lyapunov", "factored", "admm", "reweighted", "published"}, default="auto"
        "lyapunov" solves an equation of Lyapunov a step and needs no projection, in one pass over
        the rows: up to 2500 features, or with few samples. "factored" works on a low-rank factor
        and suits any width; "admm" on dense d x d matrices; "reweighted" on d x d moments of the
        weighted samples. "auto" takes the first where it can, and falls over to another. All of
        them end with a certificate. "published" is the paper's algorithm, which does not
        reach the optimum.
    tol, max_iter, max_time, random_state, callback, verbose
        See :class:`~sparsecone.SPCAPSD`.

    Attributes
    ----------
    scores_, ranking_, selected_, support_, solution_, curve_, lam_, eta_, n_iter_
        See :class:`~sparsecone.SPCAPSD`; eta_ is 0.
    offset_ : ndarray of shape (n_features,)
        The learned offset: ``X @ W + offset_`` reconstructs X.

    See Also
    --------
    SPCAPSD : The same with the squared loss.
    CSPCAPSD : The robust loss with a trace term.

    References
    ----------
    Zheng, Zhang, Liu, Jiang, Huo, Liu: Fast Sparse PCA via Positive Semidefinite Projection for
    Unsupervised Feature Selection.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone import AWSPCAPSD
    >>> X, _ = load_digits(return_X_y=True)
    >>> selector = AWSPCAPSD(n_features_to_select=10).fit(X)
    >>> selector.transform(X).shape
    (1797, 10)
    >>> selector.solution_.status
    <Status.CONVERGED: 'converged'>
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **{k: v for k, v in PSDSelector._parameter_constraints.items() if k != "eta"},
        "delta": DELTA_CONSTRAINT,
    }

    _model: ClassVar[str] = "aw-spca-psd"

    def __init__(
        self,
        *,
        n_features_to_select: int | float | str | None = None,
        keep: Any = None,
        exclude: Any = None,
        groups: Any = None,
        per_group: str = "one",
        selection: str = "diverse",
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
        self.lam = lam
        self.units = units
        self.delta = delta
        self._set_solve(solver, tol, max_iter, max_time, random_state, callback, verbose)

    def _learn(self, data: Data, solution: Solution) -> None:
        factor, offset = solution.factor, solution.offset
        assert offset is not None
        self.offset_ = data.mean - factor @ (factor.T @ data.mean) + offset
