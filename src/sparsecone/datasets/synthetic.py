"""The paper's three synthetic sets: two features that form a shape, seven that are noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from ..linalg.types import Array

Sample = tuple[Array, NDArray[np.intp]]
Seed = int | np.random.RandomState | None

#: Standard deviations of the noise features, in units of the smaller one of the shaped pair. The
#: paper says only that the noise varies in amplitude. At 0.9 the second moon feature, which is
#: correlated with the first (-0.4), already loses its place to noise in every other sample.
NOISE_AMPLITUDES = (0.8, 0.7, 0.6, 0.45, 0.3, 0.2, 0.1)


def make_two_moon(
    n_samples: int = 800,
    *,
    noise_amplitudes: Sequence[float] = NOISE_AMPLITUDES,
    jitter: float = 0.05,
    random_state: Seed = None,
) -> Sample:
    """Make two interleaved half circles in the first two features, noise in the others.

    Parameters
    ----------
    n_samples : int, default=800
        Number of samples, shared evenly among the classes.
    noise_amplitudes : sequence of float, default=NOISE_AMPLITUDES
        Standard deviation of each noise feature, in units of the smaller standard deviation of
        the two shaped features. Above 1 a method that goes by variance prefers the noise.
    jitter : float, default=0.05
        Standard deviation of the distance from the shape; its smallest radius is 1.
    random_state : int, RandomState instance or None, default=None
        Seeds the sample; an int makes it repeatable.

    Returns
    -------
    X : ndarray of shape (n_samples, 2 + n_noise)
        The data, in random order.
    y : ndarray of shape (n_samples,)
        Classes from 0.

    Examples
    --------
    >>> X, y = make_two_moon(random_state=0)
    >>> X.shape
    (800, 9)
    """
    rng = check_random_state(random_state)
    y = _balanced_classes(n_samples, n_classes=2)
    angle = rng.uniform(0.0, np.pi, size=n_samples)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1.0 - np.cos(angle), 0.5 - np.sin(angle)])
    shape = np.where(y[:, np.newaxis] == 0, upper, lower)
    return _with_noise(shape, y, amplitudes=noise_amplitudes, jitter=jitter, rng=rng)


def make_three_curve(
    n_samples: int = 900,
    *,
    noise_amplitudes: Sequence[float] = NOISE_AMPLITUDES,
    jitter: float = 0.05,
    random_state: Seed = None,
) -> Sample:
    """Make three stacked sine curves in the first two features, noise in the others.

    Parameters and returned values are those of `make_two_moon`, with three classes.

    Examples
    --------
    >>> X, y = make_three_curve(random_state=0)
    >>> X.shape
    (900, 9)
    """
    rng = check_random_state(random_state)
    y = _balanced_classes(n_samples, n_classes=3)
    along = rng.uniform(0.0, 2.0 * np.pi, size=n_samples)
    shape = np.column_stack([along, np.sin(along) + 2.0 * y])
    return _with_noise(shape, y, amplitudes=noise_amplitudes, jitter=jitter, rng=rng)


def make_three_ring(
    n_samples: int = 900,
    *,
    noise_amplitudes: Sequence[float] = NOISE_AMPLITUDES,
    jitter: float = 0.05,
    random_state: Seed = None,
) -> Sample:
    """Make three rings about one centre in the first two features, noise in the others.

    Parameters and returned values are those of `make_two_moon`, with three classes.

    Examples
    --------
    >>> X, y = make_three_ring(random_state=0)
    >>> X.shape
    (900, 9)
    """
    rng = check_random_state(random_state)
    y = _balanced_classes(n_samples, n_classes=3)
    angle = rng.uniform(0.0, 2.0 * np.pi, size=n_samples)
    shape = (1.0 + y)[:, np.newaxis] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _with_noise(shape, y, amplitudes=noise_amplitudes, jitter=jitter, rng=rng)


def _balanced_classes(n_samples: int, *, n_classes: int) -> NDArray[np.intp]:
    """Return sorted labels whose classes differ in size by at most one sample."""
    if n_samples < n_classes:
        raise ValueError(f"n_samples={n_samples} must be at least the {n_classes} classes.")
    return np.arange(n_samples) * n_classes // n_samples


def _with_noise(
    shape: Array,
    y: NDArray[np.intp],
    *,
    amplitudes: Sequence[float],
    jitter: float,
    rng: np.random.RandomState,
) -> Sample:
    """Return the jittered shape with noise features beside it, in random order."""
    deviations = np.asarray(amplitudes, dtype=np.float64)
    if deviations.ndim != 1 or not np.all(deviations >= 0.0) or not jitter >= 0.0:
        raise ValueError(
            f"noise_amplitudes={amplitudes!r} must be a sequence of numbers and none of them, "
            f"nor jitter={jitter!r}, negative."
        )
    shaped = shape + jitter * rng.standard_normal(shape.shape)
    unit = shaped.std(axis=0).min()
    noise = unit * deviations * rng.standard_normal((len(shaped), deviations.size))
    order = rng.permutation(len(shaped))
    return np.hstack([shaped, noise])[order], y[order]
