"""What features are worth by the rule of a choice, and the best of them."""

from __future__ import annotations

from typing import NamedTuple

from ..linalg.types import Array
from .gains import Gains

# Correlation from which on a feature is near enough to a chosen one to wait for all others.
NEAR = 0.85
# Relative difference up to which two features are equally good: rounding does not decide.
TIE = 1e-9


class Rule(NamedTuple):
    """What features are worth.

    Attributes
    ----------
    weight : float
        What the variance that is shared counts beside the part in W; 0 where gains alone count.
    near : float
        Squared correlation with a chosen feature from which on others wait.
    """

    weight: float
    near: float

    def worth(self, gains: Gains, parts: Array, shut: Array) -> Array:
        """Return what features are worth; nothing where they may not come any more."""
        if self.weight == 0.0:
            worth = gains.gains()
        else:
            worth = self.weight * gains.shared() + (1.0 - gains.closest) * parts
        worth[shut | (gains.closest > self.near)] = 0.0
        return worth


def best_of(merit: Array) -> tuple[float, int]:
    """Return the largest merit and the first feature that has it, but for rounding."""
    best = float(merit[merit.argmax()])
    return best, int((merit >= (1.0 - TIE) * best).argmax())
