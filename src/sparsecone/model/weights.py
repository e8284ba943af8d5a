"""Weights of the penalties without labels: what uncorrelated columns would explain sets eta.

If the columns of X had their variances but no correlation, X' diag(omega) X would still have
eigenvalues above its mean. The largest of them, the edge of the noise, is that of random matrices
whose columns have the variances t_j (as sums of squares) over m degrees of freedom,

    edge = min over alpha > max_j t_j of  alpha + (1/m) sum_j t_j alpha / (alpha - t_j):

parallel analysis without permutations (Dobriban and Owen, Deterministic parallel analysis, 2019).
With eta at the edge, the components that W keeps at lam = 0 are those above the noise.

A strong component raises the variances, and with them the edge, above weak ones. So components
above the edge are taken away and the edge of the rest is found, until no component exceeds it:
that is the floor of the noise, where there is one. Data whose noise is correlated have none, the
components go on and on, nor have data without noise, whose features depend on each other exactly;
there the edge of all the data stands.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..data import is_decomposed
from ..linalg.types import Array
from .closed_form import leading_ratio
from .problem import Problem

# The paper's rule is an eta of 1 to 10 % of the loss at W = 0: the middle of it.
PAPER_ETA = 10.0**-1.5
# lam as a fraction of eta, the upper end of the paper's rule.
LAM_OF_ETA = 0.1
# lam as a fraction of the loss at W = 0 where there is no trace term.
LAM_OF_LOSS = 2e-4
# Steps to the edge at most, and the last of them beside where it is: the next would be its square.
MOST_STEPS = 50
CLOSE = 1e-9
# Components among which the floor of the noise is sought, also as a part of all where they are at
# hand, and entries of their vectors.
MOST_COMPONENTS = 50
PART_OF_COMPONENTS = 0.04
LARGEST_VECTORS = 20_000_000
# A floor that only the last of these components reach is none: they would have gone on.
FLOOR_WITHIN = 0.75
# How many times their rounding the floor of the noise of the samples exceeds, or it is none.
HIDDEN = 1e5
# What a lower lam is for, which is no advice where all features have a score.
MORE_SCORES = ": lower it to give more features a score"
# The largest fraction of the lam that would select nothing.
LAM_OF_LIMIT = 0.5


def noise_edge(sums_of_squares: Array, n_samples: int) -> float:
    """Return the largest eigenvalue of X'X that uncorrelated columns would still have.

    Parameters
    ----------
    sums_of_squares : ndarray of shape (n_features,)
        The diagonal of X'X, X centred.
    n_samples : int
        Number of rows of X.

    Returns
    -------
    float
        The edge of the noise; 0 for constant columns.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).standard_normal((500, 100))
    >>> X -= X.mean(axis=0)
    >>> edge = noise_edge((X**2).sum(axis=0), 500)
    >>> print(f"{edge / np.linalg.norm(X, 2) ** 2:.2f}")
    1.05
    """
    t = sums_of_squares[sums_of_squares > 0.0]
    if t.size == 0:
        return 0.0
    m = max(n_samples - 1, 1)
    largest = float(t.max())
    t = t / largest
    # At the least, g = sum (t_j / (alpha - t_j))^2 is m. The largest column alone makes it larger
    # at the left end. Newton's iteration on 1 / sqrt(g), which is concave, comes from there.
    alpha = 1.0 + 1.0 / math.sqrt(m)
    for _ in range(MOST_STEPS):
        rest = alpha - t
        ratios = t / rest
        square = float(ratios @ ratios)
        step = square * (math.sqrt(square / m) - 1.0) / float(ratios @ (ratios / rest))
        alpha += max(step, 0.0)
        if step <= CLOSE * alpha:
            break
    return largest * alpha * (1.0 + float(np.sum(t / (alpha - t))) / m)


@dataclass(frozen=True)
class Noise:
    """The level of the noise in the data term.

    Attributes
    ----------
    edge : float
        No component of the noise is larger.
    rank : int
        Number of components above it.
    is_floor : bool
        Whether what is left without those components looks uncorrelated.
    half_mean : float
        Half of the mean of the components.
    """

    edge: float
    rank: int
    is_floor: bool
    half_mean: float


def noise_of(problem: Problem) -> Noise:
    """Return the level of the noise in X' diag(omega) X, with the weights omega at W = 0."""
    samples, zero = problem.samples, problem.zero
    scale = zero.data.curvature / samples.trace
    squares, n, d = scale * samples.variances, samples.n_samples, samples.n_features
    part = int(PART_OF_COMPONENTS * min(n, d)) if is_decomposed(samples) else 0
    most = max(1, min(min(n, d) // 4, max(MOST_COMPONENTS, part), LARGEST_VECTORS // d))
    spectrum = zero.curvature_spectrum(0.0, most=most)
    values = spectrum.values
    first = edge = noise_edge(squares, n)
    rank, left = 0, squares.copy()
    while rank < values.size and values[rank] > edge:
        left = np.maximum(left - values[rank] * spectrum.vectors[:, rank] ** 2, 0.0)
        rank += 1
        # What is left has lost a dimension of the samples and one of the features. One feature
        # alone is below its edge, and of more not all are looked at: some are left.
        edge = noise_edge(left, n) / ((1.0 - rank / n) * (1.0 - rank / d))
    half_mean = 0.5 * float(squares.sum()) / min(max(n - 1, 1), d)
    if rank <= FLOOR_WITHIN * most and edge > HIDDEN * scale * samples.gram_error:
        return Noise(edge, rank, True, half_mean)
    return Noise(first, int(np.count_nonzero(values > first)), False, half_mean)


def automatic_eta(problem: Problem) -> tuple[float, str]:
    """Return eta at the edge of the noise, or below the leading component, and the reason."""
    samples = problem.samples
    if samples.trace == 0.0:
        return 0.0, "eta is 0, because no feature varies."
    noise = noise_of(problem)
    if noise.rank == 0:
        return noise.half_mean, (
            f"{_share(problem, noise.half_mean)}, half of a mean component: none explains more "
            "than uncorrelated features would (parallel analysis). The selection rests on the "
            "variances alone, or on noise: more samples may tell, or other scales of the features."
        )
    components = f"{noise.rank} component{'' if noise.rank == 1 else 's'}"
    if noise.is_floor:
        return noise.edge, (
            f"{_share(problem, noise.edge)}: that keeps {components}, beyond which the features "
            "look uncorrelated (parallel analysis)."
        )
    return noise.edge, (
        f"{_share(problem, noise.edge)}: that keeps {components}, and none of uncorrelated "
        f"features in {samples.n_samples} samples (parallel analysis). Lower eta to keep weaker "
        "ones."
    )


def automatic_lam(problem: Problem) -> tuple[float, str]:
    """Return lam for a problem whose eta is set, small enough to select something."""
    has_trace = problem.eta > 0.0
    unit, of = (problem.eta, "eta") if has_trace else (problem.zero.value, _whole(problem))
    if unit == 0.0:
        return 0.0, "lam is 0, because nothing is left to explain."
    lam = unit * (LAM_OF_ETA if has_trace else LAM_OF_LOSS)
    usual = f"lam is {_percent(lam, unit)} of {of}{MORE_SCORES}."
    if lam <= LAM_OF_LIMIT * _ratio_at_identity(problem):
        return lam, usual
    ratio = leading_ratio(problem)
    if ratio is None:
        return lam, usual
    limit = LAM_OF_LIMIT * ratio
    if lam <= limit:
        return lam, usual
    return limit, f"lam is {_percent(limit, unit)} of {of}: twice that would select nothing."


def paper_eta(problem: Problem) -> tuple[float, str]:
    """Return the middle of the paper's rule for eta, and the reason."""
    eta = PAPER_ETA * problem.zero.value
    return eta, f"{_share(problem, eta)}, the middle of the paper's rule."


def _share(problem: Problem, eta: float) -> str:
    """Return how large eta is, in words."""
    return f"eta is {_percent(eta, problem.zero.value)} of {_whole(problem)}"


def _whole(problem: Problem) -> str:
    """Return what the loss at W = 0 is, in words."""
    return "the loss at W = 0" if problem.loss.needs_rows else "the total variance"


def _percent(part: float, whole: float) -> str:
    """Return a part of a whole, with two digits or more."""
    share = 100.0 * part / whole
    return f"{share:.0f} %" if share >= 10.0 else f"{share:.2g} %"


def _ratio_at_identity(problem: Problem) -> float:
    """Return the ratio that `lambda_max` is the largest of at W = I, where it takes no product."""
    data, v, d = problem.zero.data, problem.zero.v, problem.samples.n_features
    along = 0.0 if v is None or data.h is None else float(v @ data.h)
    return (data.curvature - along) / d - problem.eta
