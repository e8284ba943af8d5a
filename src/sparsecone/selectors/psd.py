"""What the three models of the SPCA-PSD family share as selectors."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import validate_data

from ..data import Blocks, DaskBlocks, Moments, Samples, as_samples, from_dask, is_dask
from ..model.lambda_max import ROUGHLY, largest_useful_lam
from ..model.losses import Loss, Robust
from ..model.problem import Problem
from ..model.weights import PAPER_ETA, automatic_eta, automatic_lam
from ..solve.driver import Callback, solve
from ..solve.solution import Solution
from ..solvers import Plan, make_plan
from .base import Selector
from .diverse import diverse_order
from .explained import MOST_FEATURES, explained_curve

SOLVERS = {"auto", "factored", "admm", "reweighted", "published"}


DELTA_CONSTRAINT = [None, Interval(Real, 0, None, closed="neither")]


def robust_loss(
    samples: Samples, delta: float | None, units: str, *, recenter: bool = False
) -> Robust:
    """Return the robust loss with its smoothing in absolute units."""
    if units == "absolute":
        return Robust(1e-3 if delta is None else float(delta), recenter)
    share = 1e-5 if delta is None else float(delta)
    mean_square = samples.trace / samples.n_samples
    return Robust(max(share * mean_square, np.finfo(float).tiny), recenter)


class PSDSelector(Selector):
    """Base of SPCAPSD, CSPCAPSD and AWSPCAPSD: validate, build the problem, solve, keep scores."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [None, Integral, Real, StrOptions({"auto"})],
        "selection": [StrOptions({"diverse", "scores"})],
        "eta": [Interval(Real, 0, None, closed="left"), StrOptions({"auto", "paper"})],
        "lam": [Interval(Real, 0, None, closed="left"), StrOptions({"auto"})],
        "units": [StrOptions({"relative", "absolute"})],
        "solver": [StrOptions(SOLVERS)],
        "tol": [Interval(Real, 0, None, closed="left")],
        "max_iter": [None, Interval(Integral, 1, None, closed="left")],
        "max_time": [None, Interval(Real, 0, None, closed="neither")],
        "random_state": ["random_state"],
        "callback": [None, callable],
        "verbose": ["verbose"],
    }

    selection: str
    eta: float | str
    # Products in single precision are exact enough for the squared loss; the residual norms of the
    # robust one come from differences of squares, which are not.
    _dtypes: ClassVar[tuple[type, ...]] = (np.float64, np.float32)

    # Whether the loss weighs every sample, so that the moments of the data are not enough.
    _weighed: ClassVar[bool] = False

    lam: float | str
    units: str
    solver: str
    tol: float
    max_iter: int | None
    max_time: float | None
    random_state: Any
    callback: Callback | None
    verbose: int

    @abstractmethod
    def _loss(self, samples: Samples) -> Loss:
        """Return the loss of the model on these samples."""

    def _eta(self, free: Problem) -> tuple[float, str]:
        """Return eta in absolute units for a problem without penalties, and why."""
        loss = free.zero.value
        if self.eta == "auto":
            return automatic_eta(free)
        if self.eta == "paper":
            return (
                PAPER_ETA * loss,
                f"eta = {PAPER_ETA:.3g} of the loss at W = 0: the paper's rule.",
            )
        assert not isinstance(self.eta, str)
        return float(self.eta) * (1.0 if self.units == "absolute" else loss), ""

    def _lam(self, weighed: Problem) -> tuple[float, str]:
        """Return lam in absolute units for a problem whose eta is set, and why."""
        if self.lam == "auto":
            return automatic_lam(weighed)
        assert not isinstance(self.lam, str)
        return float(self.lam) * (1.0 if self.units == "absolute" else self._lam_unit(weighed)), ""

    def _lam_unit(self, weighed: Problem) -> float:
        """Return what a relative lam is a fraction of."""
        return weighed.eta

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Score the features and select the best.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The samples. Sparse data are centred implicitly. Data beyond memory come as the
            result of `sparsecone.from_blocks` or as an array or dataframe of Dask; SPCAPSD also
            takes the result of `sparsecone.from_gram`.
        y : Ignored
            There are no labels.

        Returns
        -------
        self
            The fitted selector.
        """
        self.__dict__.pop("_stream", None)
        return self._fit_samples(self._samples(X))

    def _fit_samples(self, samples: Samples) -> Self:
        """Solve the problem of some samples and choose the features."""
        if self.n_features_to_select != "auto":
            self._n_selected(samples.n_features)
        problem, reason = self._problem(samples)
        solution = solve(
            problem,
            self._plan(problem),
            tol=self.tol,
            max_iter=self.max_iter,
            max_time=self.max_time,
            callback=self.callback,
            verbose=int(self.verbose),
        )
        self.lam_, self.eta_ = problem.lam, problem.eta
        self.solution_ = replace(solution, reason=reason)
        self.n_iter_ = solution.n_iter
        self._learn(samples, solution)
        self._warn(problem, solution)
        return self._choose(samples, solution)

    def _choose(self, samples: Samples, solution: Solution) -> Self:
        """Order the features, and keep as many as are asked for or enough."""
        automatic = self.n_features_to_select == "auto"
        count = MOST_FEATURES if automatic else self._n_selected(samples.n_features)
        order = None
        if self.selection == "diverse":
            order = diverse_order(solution.factor, solution.scores, count)
        if automatic:
            by_score = np.argsort(-solution.scores, kind="stable")
            self.curve_ = explained_curve(samples, by_score if order is None else order, self.eta_)
        return self._keep(solution.scores, order)

    def _n_selected(self, n_features: int) -> int:
        if self.n_features_to_select == "auto":
            return self.curve_.chosen
        return super()._n_selected(n_features)

    def _samples(self, X: Any) -> Samples:
        if is_dask(X):
            X = from_dask(X)
        if isinstance(X, Blocks | DaskBlocks):
            samples: Samples = X.samples(weighed=self._weighed, dtypes=self._dtypes)
        elif isinstance(X, Moments):
            samples = X
        else:
            checked = validate_data(
                self, X, accept_sparse=("csr", "csc"), dtype=self._dtypes, ensure_min_samples=2
            )
            return as_samples(checked, weighed=self._weighed)
        self.n_features_in_ = samples.n_features
        self.__dict__.pop("feature_names_in_", None)
        if samples.names is not None:
            self.feature_names_in_ = samples.names
        return samples

    def _problem(self, samples: Samples) -> tuple[Problem, str]:
        """Return the problem, and why its weights are what they are."""
        loss = self._loss(samples)
        if loss.needs_rows and isinstance(samples, Moments):
            raise TypeError(
                f"{type(self).__name__} weighs every sample and needs X itself; a Gram matrix is "
                "enough for SPCAPSD only."
            )
        free = Problem(samples, loss, lam=0.0, eta=0.0)
        eta, why_eta = self._eta(free)
        lam, why_lam = self._lam(replace(free, eta=eta))
        return Problem(samples, loss, lam, eta), f"{why_eta} {why_lam}".strip()

    def _plan(self, problem: Problem) -> Plan:
        return make_plan(problem, self.solver, self.random_state)

    def _learn(self, samples: Samples, solution: Solution) -> None:
        """Keep what only some models have."""

    def _warn(self, problem: Problem, solution: Solution) -> None:
        """Say what the user must know of a result that is not what was asked for."""
        if solution.gap > self.tol:
            advice = (
                "The published algorithm does not reach the optimum; solver='auto' does."
                if solution.solver == "published"
                else "Raise max_iter or max_time, or tol."
            )
            warnings.warn(
                f"{type(self).__name__} ended ({solution.status}) with a relative duality gap of "
                f"{solution.gap:.1e}, above tol={self.tol:g}. {advice}",
                ConvergenceWarning,
                stacklevel=4,
            )
        if not solution.scores.any():
            warnings.warn(self._why_nothing(problem), UserWarning, stacklevel=4)

    def _why_nothing(self, problem: Problem) -> str:
        if problem.samples.trace == 0.0:
            return "All features are constant: every score is zero, the first features are kept."
        limit = largest_useful_lam(problem, ROUGHLY)
        text = "W = 0 is optimal: every score is zero, the first features are kept. "
        if limit <= 0.0:
            return text + "eta exceeds what any direction of the data explains: lower eta."
        given = limit if self.units == "absolute" else limit / self._lam_unit(problem)
        return text + f"Something is selected for lam below {given:.4g}."

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
