"""Axes: where a value lies between two ends, and which values are written beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..linalg.types import Array

SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Axis:
    """A linear or logarithmic axis."""

    #: The ends; low < high.
    low: float
    high: float
    ticks: tuple[float, ...]  #: The values that are written.
    labels: tuple[str, ...]  #: What is written there.
    log: bool = False  #: Whether equal distances are equal ratios.

    def fraction(self, values: ArrayLike) -> Array:
        """Return where values lie, 0 at the low end and 1 at the high one."""
        x = np.asarray(values, dtype=np.float64)
        if self.log:
            low, high = math.log10(self.low), math.log10(self.high)
            x = np.log10(np.clip(x, self.low, None))
        else:
            low, high = self.low, self.high
        return np.asarray((x - low) / (high - low))


def linear_axis(low: float, high: float, *, n_ticks: int = 5) -> Axis:
    """Return an axis from low to high with round ticks inside.

    Examples
    --------
    >>> linear_axis(0.0, 1.0).labels
    ('0', '0.2', '0.4', '0.6', '0.8', '1.0')
    >>> linear_axis(0.0, 7129.0, n_ticks=4).labels
    ('0', '2,000', '4,000', '6,000')
    """
    low, high = _apart(low, high)
    step = _round_step((high - low) / n_ticks)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    ticks = tuple(k * step for k in range(first, last + 1))
    return Axis(low, high, ticks, tuple(_label(tick, step) for tick in ticks))


def count_axis(low: float, high: float) -> Axis:
    """Return an axis of what is counted: only whole numbers are written.

    Examples
    --------
    >>> count_axis(1.0, 3.0).labels
    ('1', '2', '3')
    """
    axis = linear_axis(low, high)
    ticks = tuple(tick for tick in axis.ticks if tick == round(tick))
    return Axis(axis.low, axis.high, ticks, tuple(f"{tick:,.0f}" for tick in ticks))


def score_axis(values: Array, high: float, *, n_ticks: int = 5) -> Axis:
    """Return an axis that holds zero, all values, and `high`."""
    low, high = min(0.0, float(values.min())), max(0.0, high)
    return linear_axis(low, high if high > low else low + 1.0, n_ticks=n_ticks)


def log_axis(low: float, high: float, *, n_ticks: int = 6) -> Axis:
    """Return an axis over whole powers of ten that holds low and high, both positive.

    Examples
    --------
    >>> log_axis(0.003, 0.4).labels
    ('10⁻³', '10⁻²', '0.1', '1')
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    last = max(last, first + 1)
    step = -(-(last - first) // n_ticks)
    powers = range(first, last + 1, step)
    return Axis(
        10.0**first, 10.0**last, tuple(10.0**p for p in powers), tuple(map(_power, powers)), True
    )


def _apart(low: float, high: float) -> tuple[float, float]:
    """Return the ends, moved apart where they are equal up to rounding."""
    margin = max(abs(low), abs(high)) * 1e-9
    if high - low > margin:
        return low, high
    half = 0.5 * abs(high) if high else 0.5
    return low - half, high + half


def _round_step(rough: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at least as large."""
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(m * unit for m in (1.0, 2.0, 5.0, 10.0) if m * unit >= rough * (1 - 1e-9))


def _label(tick: float, step: float) -> str:
    if tick == 0.0:
        return "0"
    if not 1e-4 <= abs(tick) < 1e10:
        return f"{tick:.3g}"
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{tick:,.{min(decimals, 8)}f}"


def _power(exponent: int) -> str:
    plain = {-1: "0.1", 0: "1", 1: "10", 2: "100", 3: "1,000"}
    return plain.get(exponent, "10" + str(exponent).translate(SUPERSCRIPT))
