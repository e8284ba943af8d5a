"""Settings of all tests."""

from __future__ import annotations

import sys

from hypothesis import settings

# Signals, limits, pipes and permissions as POSIX has them.
if sys.platform == "win32":
    collect_ignore = [
        "baselines/test_spcafs.py",
        "cli/test_app.py",
        "cli/test_bad_files.py",
        "cli/test_hostile_files.py",
        "cli/test_select.py",
        "cli/test_written.py",
        "files/test_hostile.py",
        "files/test_whole_file.py",
        "fuzzing",
        "test_model_file.py",
    ]

# The same examples on every run, and no verdict by the clock of a busy machine.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
