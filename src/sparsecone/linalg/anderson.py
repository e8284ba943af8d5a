"""Anderson's acceleration of a fixed point z = g(z), whose numbers may live elsewhere.

The next z is the mixture of the last images g_k whose weights, which add up to one, make the same
mixture of the residuals f_k = g_k - z_k shortest. Nothing but inner products of residuals decides,
so that parts of z may be kept in several places: each keeps a history of its own.
"""

from __future__ import annotations

import numpy as np

from .types import Array

# Images that are mixed, at most.
MEMORY = 9
# What is added to the diagonal of the normal equations, relative to their trace.
RIDGE = 1e-10
# How far a logarithm that is mixed may be from its last image.
REACH = 10.0


def extended(history: Array | None, before: Array, after: Array) -> tuple[Array, Array]:
    """Return a history with one more image in it, and the inner products of its residual.

    Parameters
    ----------
    history : ndarray of shape (size, k, 2) or None
        The last images and their residuals.
    before, after : ndarray of shape (size,)
        z and g(z).
    """
    residual = after - before
    entry = np.stack([after, residual], axis=1)[:, None]
    if history is not None:
        entry = np.concatenate([history[:, 1 - MEMORY :], entry], axis=1)
    return entry, entry[:, :, 1].T @ residual


def mixed(history: Array, mixture: Array) -> Array:
    """Return the mixture of the images in a history of logarithms, as numbers."""
    last = history[:, -1, 0]
    logs = history[:, :, 0] @ mixture
    return np.asarray(np.exp(np.clip(logs, last - REACH, last + REACH)))


class Anderson:
    """The weights of the mixture, from inner products of residuals."""

    def __init__(self) -> None:
        self.gram = np.zeros((0, 0))

    def add(self, products: Array) -> None:
        """Take in the inner products of the last residual with those kept, and with itself."""
        size = min(len(self.gram) + 1, MEMORY)
        gram = np.empty((size, size))
        gram[:-1, :-1] = self.gram[len(self.gram) + 1 - size :, len(self.gram) + 1 - size :]
        gram[-1] = gram[:, -1] = products[-size:]
        self.gram = gram

    def forget(self) -> None:
        """Keep nothing but the last residual: the mixture is its image."""
        self.gram = self.gram[-1:, -1:]

    def mixture(self, length: int) -> Array:
        """Return the weights of the images in a history of some length."""
        size = len(self.gram)
        steps = np.diff(np.eye(size), axis=0)
        normal = steps @ self.gram @ steps.T
        normal[np.diag_indices_from(normal)] += max(RIDGE * float(np.trace(normal)), 1e-300)
        weights = np.eye(size)[-1]
        weights -= steps.T @ np.linalg.solve(normal, steps @ self.gram[-1])
        return np.concatenate([np.zeros(length - size), weights])
