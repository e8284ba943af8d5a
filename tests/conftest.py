"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples on every run, and no verdict by the clock of a busy machine.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
