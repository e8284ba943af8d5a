"""How often each feature is selected when the samples change, and choosing by it."""

from .agreement import Stability, selection_stability
from .error_bound import error_bound
from .selector import StableSelector

__all__ = ["Stability", "StableSelector", "error_bound", "selection_stability"]
