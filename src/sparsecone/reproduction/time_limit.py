"""An end to what takes too long."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Raise a TimeoutError in a block that takes more CPU time; None sets no limit.

    It is raised between two steps of Python, so that a single long call into a library may take
    more. Only in the main thread, and not on Windows, which has no such signal.
    """
    if seconds is None or not hasattr(signal, "SIGPROF"):
        yield
        return

    def stop(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise TimeoutError(f"not done within {seconds:g} seconds of CPU time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
