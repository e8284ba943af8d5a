"""What the three models of the SPCA-PSD family share as selectors."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any, ClassVar, Self

from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags
from sklearn.utils._param_validation import StrOptions

from ..data import Data, as_samples
from ..linalg.checked import checked_array
from ..linalg.threads import one_thread
from ..model.build import DTYPES, as_data, lam_unit, loss_of, weighted
from ..model.losses import Loss
from ..model.problem import Problem
from ..solve import Callback, Solution, Status, solve
from ..solve.phases import Phases
from ..solvers import Plan, make_plan
from ..solvers.largest_lam import ROUGHLY, largest_useful_lam
from .base import Selector, has_own_form
from .constraints import AT_LEAST_ONE, CHOICE, NOT_NEGATIVE, NUMBER_OR_FRACTION, POSITIVE
from .curve import explained_curve
from .frequencies import repeated
from .order import SELECTIONS, followed_order
from .reasons import fillers_of, weights_of
from .wishes import Wishes

SOLVERS = {"auto", "factored", "admm", "lyapunov", "reweighted", "published"}
# A fit that ended so says nothing of W = 0.
UNFINISHED = (Status.MAX_TIME, Status.MAX_ITER)
DELTA_CONSTRAINT = [None, *NOT_NEGATIVE]


class PSDSelector(Selector):
    """Base of SPCAPSD, CSPCAPSD and AWSPCAPSD: validate, build the problem, solve, keep scores."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **CHOICE,
        "n_features_to_select": [*NUMBER_OR_FRACTION, StrOptions({"auto"})],
        "selection": [StrOptions(set(SELECTIONS))],
        "eta": [*NOT_NEGATIVE, StrOptions({"auto", "paper"})],
        "lam": [*NOT_NEGATIVE, StrOptions({"auto"})],
        "units": [StrOptions({"relative", "absolute"})],
        "solver": [StrOptions(SOLVERS)],
        "tol": NOT_NEGATIVE,
        "max_iter": [None, *AT_LEAST_ONE],
        "max_time": [None, *POSITIVE],
        "random_state": ["random_state"],
        "callback": [None, callable],
        "verbose": ["verbose"],
    }

    # The model's name, and whether its loss weighs every sample: then moments are not enough.
    _model: ClassVar[str] = "spca-psd"
    _weighs: ClassVar[bool] = True

    selection: str
    lam: float | str
    units: str

    def _set_solve(
        self,
        solver: str,
        tol: float,
        max_iter: int | None,
        max_time: float | None,
        random_state: Any,
        callback: Callback | None,
        verbose: int,
    ) -> None:
        """Keep the parameters about the solve, which all three have."""
        self.solver, self.tol = solver, tol
        self.max_iter, self.max_time = max_iter, max_time
        self.random_state, self.callback, self.verbose = random_state, callback, verbose

    def _loss(self, data: Data) -> Loss:
        """Return the loss of the model on these samples."""
        delta = getattr(self, "delta", None)
        return loss_of(data, self._model, delta=delta, units=self.units)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Score the features and select the best.

        Parameters
        ----------
        X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
            The samples. Sparse data are centred implicitly. Data beyond memory come as the
            result of `sparsecone.from_blocks` or as an array or dataframe of Dask; SPCAPSD also
            takes the result of `sparsecone.from_gram`.
        y : Ignored
            There are no labels.
        sample_weight : array-like of shape (n_samples,), number or None, default=None
            How often each sample counts, in whole numbers: the fit is that of repeated rows, and
            costs as much. Only for samples in memory.

        Returns
        -------
        self
            The fitted selector.
        """
        # Batches of an earlier partial_fit are forgotten.
        self.__dict__.pop("_batches", None)
        phases = Phases()
        with one_thread():
            data = self._data(X, sample_weight)
            phases.end("reading")
            return self._fit_data(data, phases)

    def _fit_data(self, data: Data, phases: Phases) -> Self:
        """Solve the problem of some samples and choose the features."""
        Wishes.of(self, data.n_features)
        if self.n_features_to_select != "auto":
            self._n_selected(data.n_features)
        problem = self._problem(data)
        phases.end("weights")
        plan = self._plan(problem)
        phases.end("start")
        # What it took to get here counts.
        left = None if self.max_time is None else self.max_time - phases.total
        solution = solve(
            problem,
            plan,
            tol=self.tol,
            max_iter=self.max_iter,
            max_time=left,
            callback=self.callback,
            verbose=int(self.verbose),
        )
        self.lam_, self.eta_ = problem.unit * problem.lam, problem.unit * problem.eta
        self.solution_ = replace(solution, reason=weights_of(problem, solution))
        self.n_iter_ = solution.n_iter
        self._learn(data, solution)
        self._warn(problem, solution)
        phases.end("solving")
        self._choose(problem, solution)
        phases.end("choosing")
        spent = phases.seconds
        self.solution_ = replace(self.solution_, elapsed=phases.total, phases=spent)
        return self

    def _choose(self, problem: Problem, solution: Solution) -> Self:
        """Order the features, and keep as many as are asked for or enough."""
        data = problem.samples
        wishes = Wishes.of(self, data.n_features)
        order, side = followed_order(
            data,
            selection=self.selection,
            factor=solution.factor,
            scores=solution.scores,
            wishes=wishes,
        )
        order = wishes.arranged(order)[0]
        self.curve_ = explained_curve(data, order, problem.kept_level, side)
        self._keep(solution.scores, order)
        if fillers := fillers_of(self):
            warnings.warn(fillers, UserWarning, stacklevel=5)
        return self

    def _n_selected(self, n_features: int) -> int:
        if self.n_features_to_select == "auto":
            return self.curve_.chosen
        return super()._n_selected(n_features)

    def _data(self, X: Any, sample_weight: Any = None) -> Data:
        """Return the data of whatever `fit` takes, and keep the names of the features."""
        if not has_own_form(X):
            dtypes = DTYPES[:1] if self._weighs else DTYPES
            checked = checked_array(
                X, estimator=self, accept_sparse=("csr", "csc"), dtype=dtypes, ensure_min_samples=2
            )
            return as_samples(repeated(checked, sample_weight), weighed=self._weighs)
        if sample_weight is not None:
            raise TypeError("sample_weight needs samples in memory: X itself.")
        data = as_data(X, weighs=self._weighs)
        self.n_features_in_ = data.n_features
        self.__dict__.pop("feature_names_in_", None)
        if data.names is not None:
            self.feature_names_in_ = data.names
        return data

    def _problem(self, data: Data) -> Problem:
        """Return the problem with its weights."""
        eta = getattr(self, "eta", 0.0)
        return weighted(data, self._loss(data), lam=self.lam, eta=eta, units=self.units)

    def _plan(self, problem: Problem) -> Plan:
        return make_plan(problem, self.solver, self.random_state)

    def _learn(self, data: Data, solution: Solution) -> None:
        """Keep what only some models have."""

    def _warn(self, problem: Problem, solution: Solution) -> None:
        """Say what the user must know of a result that is not what was asked for."""
        if solution.gap > self.tol:
            rounding = 2.0 * solution.rounding
            if solution.solver == "published":
                advice = "The published algorithm does not reach the optimum; solver='auto' does."
            elif solution.value <= 0.0:
                advice = "The objective is zero but for rounding: give lam or eta a weight."
            elif rounding > self.tol * solution.value:
                advice = f"Rounding alone may be {rounding / solution.value:.1e}: raise tol."
            else:
                nothing = "" if solution.scores.any() else "Nothing better than W = 0 was found. "
                advice = f"{nothing}Raise max_iter or max_time, or tol."
            warnings.warn(
                f"{type(self).__name__} ended ({solution.status}) with a relative duality gap of "
                f"{solution.gap:.1e}, above tol={self.tol:g}. {advice}",
                ConvergenceWarning,
                stacklevel=5,
            )
        if not solution.scores.any() and solution.status not in UNFINISHED:
            warnings.warn(self._why_nothing(problem), UserWarning, stacklevel=5)

    def _why_nothing(self, problem: Problem) -> str:
        if problem.samples.trace == 0.0:
            return "All features are constant: every score is zero, the first features are kept."
        limit = largest_useful_lam(problem, ROUGHLY)
        text = "W = 0 is optimal: every score is zero, the features that explain most are kept. "
        if limit <= 0.0:
            return text + "eta exceeds what any direction of the data explains: lower eta."
        given = limit * problem.unit if self.units == "absolute" else limit / lam_unit(problem)
        return text + f"Something is selected for lam below {given:.4g}."

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
