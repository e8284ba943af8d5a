"""SPCA-PSD: the squared loss."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import _fit_context
from sklearn.exceptions import NotFittedError

from ..data import LARGEST_GRAM, RunningMoments
from ..data.blocks import block_scale
from ..linalg.checked import checked_array
from ..linalg.threads import one_thread
from ..model.build import DTYPES
from ..solve.driver import Callback
from ..solve.phases import Phases
from .psd import PSDSelector


class SPCAPSD(PSDSelector):
    """Unsupervised feature selection by convex sparse PCA on the cone of PSD matrices.

    Minimises ``|X - X W|_F^2 + lam * sum_j |w_j| + eta * tr W`` over positive semidefinite W, X
    centred, and ranks the features by the column norms of the optimal W.

    Parameters
    ----------
    n_features_to_select : int, float, "auto" or None, default=None
        Number of features, or their fraction in (0, 1]; None selects half. "auto" selects as many
        as explain 90 % of the variance of the components that W keeps, see `curve_`; one of noise.
    keep, exclude : str, array-like or None, default=None
        Features that are selected in any case, and never: names, patterns such as `"MT-*"`,
        indices or a mask. What is kept counts among the selected.
    groups : array-like or None, default=None
        Lists of features, or a label for each feature, None for those of no group.
    per_group : {"one", "all"}, default="one"
        Whether at most one feature of a group is selected, or all or none of them: then as many
        whole groups as fit into `n_features_to_select`.
    selection : {"diverse", "explained", "scores", "both"}, default="diverse"
        "diverse": features are chosen one by one, each with a large part in W that those before
        it leave open and do not explain. "explained": each adds most to the variance of all
        features that is explained. In both, what repeats a chosen feature comes last. "scores":
        the paper's rule, the features with the largest scores, whatever they repeat. "both": these
        and the "diverse" ones in turn, which suits genes.
    eta : float, "auto" or "paper", default="auto"
        Weight of the trace: the larger, the lower the rank of W. "auto" keeps the components that
        explain more than uncorrelated features would (parallel analysis); "paper" is the middle of
        the paper's rule, 3.2 % of the loss at W = 0. `solution_.reason` says what was chosen.
    lam : float or "auto", default="auto"
        Weight of the column norms: the larger, the fewer features have a score. 0 is allowed.
        "auto" is 10 % of eta, or less where that would select nothing.
    units : {"relative", "absolute"}, default="relative"
        "relative": eta is a fraction of the total variation tr(X'X), lam a fraction of eta.
        "absolute": both are the paper's own lambda and eta.
    solver : {"auto", "factored", "admm", "published"}, default="auto"
        "factored" works on a low-rank factor and suits any width; "admm" on dense d x d matrices,
        for moderate d and high rank; "auto" predicts which is faster and falls over to the other.
        All three end with a certificate. "published" is the paper's algorithm, which does not
        reach the optimum.
    tol : float, default=1e-4
        Relative duality gap to reach.
    max_iter : int or None, default=None
        Largest number of iterations; None leaves it to the solver.
    max_time : float or None, default=None
        Largest number of seconds.
    random_state : int, RandomState instance or None, default=None
        Draws the start of the published algorithm; the other solvers are deterministic.
    callback : callable or None, default=None
        Called with a `Progress` (record, best factor and scores so far) after every iteration.
        An exception raised in it, or Ctrl-C, ends the fit and leaves the selector unfitted.
    verbose : int, default=0
        Print every `verbose`-th iteration.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Column norms of W, larger is better.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature in the order of choice; 1 is best. It does not depend on
        `n_features_to_select`: a smaller selection is the beginning of a larger one.
    selected_ : ndarray of shape (n_selected,)
        Indices of the selected features, best first.
    support_ : ndarray of shape (n_features,)
        Mask of the selected features.
    solution_ : Solution
        Factor of W, value, bound, gap, status, history; see `sparsecone.Solution`.
    curve_ : ExplainedCurve
        Variance explained by the first features, and the most that so many could explain.
    lam_, eta_ : float
        The weights in absolute units.
    n_iter_ : int
        Iterations of all solvers that ran.
    n_features_in_ : int
        Number of features seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, where X has string names.

    See Also
    --------
    CSPCAPSD : The same with a loss that is robust to outlying samples.
    AWSPCAPSD : The robust loss with a learned offset and no trace term.

    References
    ----------
    Zheng, Zhang, Liu, Jiang, Huo, Liu: Fast Sparse PCA via Positive Semidefinite Projection for
    Unsupervised Feature Selection.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sparsecone import SPCAPSD
    >>> X, _ = load_digits(return_X_y=True)
    >>> selector = SPCAPSD(n_features_to_select=10).fit(X)
    >>> selector.transform(X).shape
    (1797, 10)
    >>> selector.solution_.status
    <Status.CONVERGED: 'converged'>
    """

    _weighs = False

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
        self._set_solve(solver, tol, max_iter, max_time, random_state, callback, verbose)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Add a batch of samples; `solve` then selects, as if all batches had come at once.

        Only the moments of the data are kept. A batch that is refused leaves the others as they
        are; `fit` forgets them.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The batch, of one sample or more.
        y : Ignored
            There are no labels.

        Returns
        -------
        self
            The selector, to be solved.

        Examples
        --------
        >>> import numpy as np
        >>> from sparsecone import SPCAPSD
        >>> selector = SPCAPSD(n_features_to_select=1)
        >>> for batch in np.random.default_rng(0).normal(size=(3, 20, 2)) * [1, 2]:
        ...     selector = selector.partial_fit(batch)
        >>> selector.solve().selected_
        array([1])
        """
        batches: RunningMoments | None = self.__dict__.get("_batches")
        batch = checked_array(
            X, estimator=self, reset=batches is None, accept_sparse="csr", dtype=DTYPES
        )
        if batches is None:
            _check_width(batch.shape[1])
            batches = RunningMoments(batch.shape[1], scale=block_scale(batch))
        batches.add(batch if batches.scale == 1.0 else batch / batches.scale)
        for name in [name for name in vars(self) if _is_solved(name)]:
            delattr(self, name)
        self._batches = batches
        return self

    @one_thread()
    def solve(self) -> Self:
        """Score the features for all batches so far, and select the best.

        Returns
        -------
        self
            The fitted selector; further batches may follow.
        """
        batches: RunningMoments | None = self.__dict__.get("_batches")
        if batches is None or batches.n_samples < 2:
            seen = 0 if batches is None else batches.n_samples
            raise NotFittedError(
                f"partial_fit has seen {seen} sample(s), and two are needed: call it before solve."
            )
        phases = Phases()
        data = batches.moments()
        phases.end("reading")
        return self._fit_data(data, phases)


def _is_solved(name: str) -> bool:
    """Whether an attribute is an outcome of the solve."""
    known = ("n_features_in_", "feature_names_in_")
    return name.endswith("_") and not name.startswith("_") and name not in known


def _check_width(d: int) -> None:
    if d > LARGEST_GRAM:
        raise ValueError(
            f"partial_fit keeps a matrix of n_features x n_features; {d} features are more than "
            f"{LARGEST_GRAM}: use fit with sparsecone.from_blocks."
        )
