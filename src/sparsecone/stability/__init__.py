"""How often each feature is selected when the samples change."""

from .agreement import Stability, selection_stability

__all__ = ["Stability", "selection_stability"]
