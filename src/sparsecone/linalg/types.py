"""The one name for an array of numbers in signatures; docstrings say shapes."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
