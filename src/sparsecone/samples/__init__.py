"""The data behind the few questions the mathematics asks."""

from __future__ import annotations

from .rows import Rows

Samples = Rows
