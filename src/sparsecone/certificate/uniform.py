"""The bound of multipliers for equal weights of the features, from a decomposition of the samples.

For D = delta I the equation of Lyapunov is solved by W = S (S + delta I)^-1, S = Y'Y with rows
sqrt(omega_i) (x_i - m), and the dual point of `certificate.skew` has B = -delta W. As W <= I no
column of it is longer than delta: delta <= lam is all that is asked for. With K = YY' of the
eigenvalues k and eigenvectors U

    |a_i|^2 = omega_i sum_k u_ik^2 delta^2 k / (k + delta)^2,
    <A, X'> = sum_k delta k / (k + delta),

so that no matrix has the size of the features. An error E of K moves the first by at most
3 omega_i E / (1 - E / delta)^2, and the second by n E.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..data import Rows
from ..linalg.rounding import eigen_error, norm, sum_error
from ..linalg.threads import large
from ..linalg.types import Array
from ..model.problem import Problem
from .dual_point import NOTHING, Bound, Excess, Lengths, Multipliers


class Inner(NamedTuple):
    """The eigenpairs of K for some weights, the mean, and how far K may be off.

    Attributes
    ----------
    values, vectors : ndarray
        The eigenpairs, no value negative.
    omega : ndarray of shape (n_samples,)
        The weights.
    mean : ndarray of shape (n_features,)
        The weighted mean of the samples, or 0 where no offset is learned.
    error : float
        What the matrix of these pairs is off by, in the spectral norm.
    """

    values: Array
    vectors: Array
    omega: Array
    mean: Array
    error: float


def inner_products(problem: Problem, omega: Array, gram: Array) -> Inner:
    """Return the decomposition for weights of the samples, from X X' as it is."""
    samples = problem.samples
    assert isinstance(samples, Rows)
    mean = np.zeros(samples.n_features)
    if problem.loss.recenter:
        mean = samples.backproject(omega[:, None])[:, 0] / omega.sum()
    along, root = samples.project(mean[:, None])[:, 0], np.sqrt(omega)
    K = gram - np.add.outer(along, along) + mean @ mean
    K *= np.multiply.outer(root, root)
    n = len(K)
    with large(float(n) ** 3):
        values, vectors = np.linalg.eigh(K)
    total = float(omega @ samples.sizes) + float(omega.sum()) * float(mean @ mean)
    error = 4.0 * samples.relative_error * total + eigen_error(n, float(np.abs(values).max()))
    # Those that rounding makes negative are within the error.
    return Inner(np.maximum(values, 0.0), vectors, omega, mean, 2.0 * error)


def uniform_bound(problem: Problem, inner: Inner) -> Bound:
    """Return the bound for delta = lam."""
    samples, delta = problem.samples, problem.lam
    assert isinstance(samples, Rows)
    n, d = samples.n_samples, samples.n_features
    if not inner.error < 0.5 * delta:
        return NOTHING
    shrunk = inner.values / (inner.values + delta)
    squares = inner.omega * (inner.vectors**2 @ (delta * shrunk * (1.0 - shrunk)))
    error = 3.0 * inner.error / (1.0 - inner.error / delta) ** 2 + eigen_error(n, delta)
    squares = (1.0 + sum_error(n)) * squares + inner.omega * error
    # About the mean of all a_i, which is what sums leave of nothing.
    centre = sum_error(n + d) * float(inner.omega @ np.sqrt(samples.sizes)) / n
    lengths = np.sqrt(squares) + centre
    off = 2.0 * float(np.sqrt(n)) * norm(lengths) * samples.centre_error
    total = delta * float(shrunk.sum())
    point = Multipliers(
        inner=total,
        quadratic=0.0,
        inner_rounding=n * inner.error + sum_error(n) * total + off,
        quadratic_rounding=0.0,
        lengths=Lengths.of(samples, lengths**2),
        squared_columns=np.full(d, delta**2),
        diagonal=np.full(d, -delta),
        projections=np.zeros((d, 0)),
    )
    return point.bound(problem, Excess(np.zeros(0), np.zeros((d, 0)), off))
