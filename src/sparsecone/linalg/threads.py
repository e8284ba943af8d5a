"""Threads of BLAS: one for small products, as many as the user lets it have for large ones.

A fit is made of many small products. Several threads have hardly anything to share there, and wait
for each other: on a machine that does something else besides, for most of the time. So a fit takes
one thread, but for its largest products. A user who allows one thread only has one.

BLAS has one number of threads for the whole process. Of several fits at a time the first takes the
others away, and gives them back at its end: what one thread of Python changed, no other changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock, local

from threadpoolctl import ThreadpoolController

# Multiplications from which on a product is large: about a tenth of a second on one thread.
LARGE = 1e9


@cache
def pools() -> ThreadpoolController:
    """Return the thread pools of this process; finding them takes milliseconds."""
    return ThreadpoolController()


class _Fits:
    """How many fits run, and which of them took threads away."""

    def __init__(self) -> None:
        self.lock, self.running = Lock(), 0
        # Whether one runs in this thread of Python.
        self.own = local()

    @property
    def is_first(self) -> bool:
        """Whether the fit of this thread took threads away."""
        return getattr(self.own, "taken", None) is not None

    def take(self) -> None:
        self.own.taken = pools().limit(limits=1, user_api="blas")

    def give_back(self) -> None:
        self.own.taken.restore_original_limits()


_fits = _Fits()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let BLAS have one thread, but for what is `large`."""
    if getattr(_fits.own, "is_running", False):
        yield
        return
    with _fits.lock:
        _fits.running += 1
        if _fits.running == 1:
            _fits.take()
    _fits.own.is_running = True
    try:
        yield
    finally:
        _fits.own.is_running = False
        with _fits.lock:
            _fits.running -= 1
            if _fits.is_first:
                _fits.give_back()
                _fits.own.taken = None


@contextmanager
def large(multiplications: float) -> Iterator[None]:
    """Let BLAS have the threads of the user for a product, if it is large and no other fit runs."""
    if multiplications < LARGE or _fits.running != 1 or not _fits.is_first:
        yield
        return
    _fits.give_back()
    try:
        yield
    finally:
        _fits.take()
