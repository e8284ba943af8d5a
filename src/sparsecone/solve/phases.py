"""How long the phases of a fit take."""

from __future__ import annotations

import time
from collections.abc import Mapping


class Phases:
    """Notes the seconds of one phase after the other."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._began = time.perf_counter()

    def end(self, name: str) -> None:
        """Note that a phase is over, and the next one begins."""
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._began
        self._began = now

    @property
    def total(self) -> float:
        """The seconds of all phases so far."""
        return sum(self.seconds.values())


def in_words(seconds: Mapping[str, float]) -> str:
    """Return the phases that take any time to speak of, in their order.

    Examples
    --------
    >>> in_words({"reading": 1.25, "weights": 0.001, "solving": 0.5})
    'reading 1.25 s, solving 0.50 s'
    """
    return ", ".join(f"{name} {taken:.2f} s" for name, taken in seconds.items() if taken >= 0.005)
