"""Symmetric solutions of the equation of Lyapunov (S + D) W + W (S + D) = 2 S, D > 0 diagonal.

With S + D = U diag(a) U' the solution is W = U [2 (U'SU)_kl / (a_k + a_l)] U'. It is the integral
of 2 exp(-tA) S exp(-tA) over t > 0, A = S + D, so it is positive semidefinite where S is.

Where S = YY' has a low rank n the same is done in a subspace. As (A + p)^-1 Y is (D + p)^-1 Y
times a small matrix, W is all but in the span of Y and of (D + p)^-1 Y for a few p between the
least and the largest of D: the square of what is left of the equation falls by
exp(-pi^2 / log(4 max D / min D)) with each, whatever S is. With Y itself in the span it is as small
beside D, and not only beside S.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg
from scipy.special import ellipj, ellipkm1

from .threads import large
from .types import Array

# Pivots below this fraction of the largest end a factorisation.
VANISHING = 1e-13
# What it may leave of a matrix, in the norm of Frobenius, beside the largest entry.
LEFT_OVER = 1e-11
# Below this ratio of the ends of an interval its best shifts are those of a geometric sequence.
ELLIPTIC = 1e-5
# The error is four times its rate, at first.
LEADING = 4.0


@dataclass(frozen=True)
class Symmetric:
    """W = Q T Q' with an orthonormal Q, or W = T where there is none.

    Attributes
    ----------
    core : ndarray of shape (rank, rank)
        T.
    complement : ndarray of shape (rank, rank)
        I - T, exact to its own last digits where W is all but I.
    basis : ndarray of shape (size, rank) or None
        Q.
    """

    core: Array
    complement: Array
    basis: Array | None = None

    def leave(self, x: Array) -> Array:
        """Return x - x W for rows that are in the span of Q."""
        if self.basis is None:
            return np.asarray(x @ self.complement)
        return np.asarray(((x @ self.basis) @ self.complement) @ self.basis.T)

    @cached_property
    def image(self) -> Array:
        """Q T."""
        return self.core if self.basis is None else self.basis @ self.core

    @property
    def squared_rows(self) -> Array:
        """Squared lengths of the rows of W."""
        return np.asarray(np.einsum("jk,jk->j", self.image, self.image))

    @property
    def diagonal(self) -> Array:
        """The diagonal of W."""
        if self.basis is None:
            return np.diag(self.core)
        return np.asarray(np.einsum("jk,jk->j", self.image, self.basis))

    @cached_property
    def signed_root(self) -> tuple[Array, Array]:
        """R and signs with R diag(signs) R' = W but for rounding.

        All signs are positive but where steep weights make eigenvalues that vanish come out
        negative: there a factorisation would end too early.
        """
        largest = float(np.diag(self.core).max(initial=0.0))
        triangle, pivots, rank, _ = scipy.linalg.lapack.dpstrf(
            self.core, tol=VANISHING * largest, lower=1
        )
        rows, signs = np.empty((len(self.core), rank)), np.ones(rank)
        rows[pivots - 1] = np.tril(triangle)[:, :rank]
        if np.linalg.norm(self.core - rows @ rows.T) > LEFT_OVER * largest:
            values, vectors = np.linalg.eigh(self.core)
            rows, signs = vectors * np.sqrt(np.abs(values)), np.sign(values)
        return rows if self.basis is None else self.basis @ rows, signs

    def root(self) -> Array:
        """Return L such that L L' is the part of W that is positive."""
        rows, signs = self.signed_root
        return rows if (signs > 0.0).all() else rows[:, signs > 0.0]


def solved(S: Array, D: Array) -> Symmetric:
    """Return the solution for a matrix S, which is overwritten."""
    S[np.diag_indices_from(S)] += D
    with large(float(len(S)) ** 3):
        values, vectors = np.linalg.eigh(S)
        damped = np.sqrt(D)[:, None] * vectors
        return _turned_back(damped.T @ damped, values, vectors, float(D.min()))


def solved_in_span(Y: Array, D: Array, error: float) -> Symmetric:
    """Return the solution for S = YY' in a subspace.

    Parameters
    ----------
    Y : ndarray of shape (size, n)
        A factor of S.
    D : ndarray of shape (size,)
        The diagonal.
    error : float
        The square of how far the equation may be off, as a part of D.
    """
    least = float(D.min())
    blocks = [Y, *(Y * (least / (D + p))[:, None] for p in shifts(D, error))]
    basis, triangle = scipy.linalg.qr(
        np.column_stack(blocks), mode="economic", overwrite_a=True, check_finite=False
    )
    inside = triangle[:, : Y.shape[1]]
    damped = np.sqrt(D)[:, None] * basis
    diagonal = damped.T @ damped
    matrix = inside @ inside.T + diagonal
    values, vectors = np.linalg.eigh(matrix)
    return _turned_back(vectors.T @ diagonal @ vectors, values, vectors, least, basis)


def shifts(D: Array, error: float) -> Array:
    """Return the best p for a diagonal and an error: Wachspress' shifts of its interval."""
    most, count = float(D.max()), n_shifts(D, error)
    ratio = float(D.min()) / most
    places = (np.arange(count) + 0.5) / count
    if ratio < ELLIPTIC:
        return np.asarray(most * ratio**places)
    quarter = ellipkm1(ratio**2)
    return np.asarray(most * ellipj(places * quarter, 1.0 - ratio**2)[2])


def n_shifts(D: Array, error: float) -> int:
    """Return how many of them it takes."""
    spread = float(np.log(4.0 * D.max() / D.min()))
    return int(np.ceil(np.log(LEADING / error) * spread / np.pi**2))


def _turned_back(
    turned: Array, values: Array, vectors: Array, least: float, basis: Array | None = None
) -> Symmetric:
    """Return the solution from U'DU: C = I - W solves (S + D) C + C (S + D) = 2 D.

    No eigenvalue is below the least of D, but for rounding.
    """
    values = np.maximum(values, least)
    turned *= 2.0 / np.add.outer(values, values)
    C = vectors @ turned @ vectors.T
    C = 0.5 * (C + C.T)
    return Symmetric(np.eye(len(C)) - C, C, basis)
