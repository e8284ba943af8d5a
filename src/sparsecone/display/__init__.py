"""Pictures of results in scikit-learn's manner: data in, `plot(ax=None)` out."""

from .convergence import ConvergenceDisplay
from .path import PathDisplay
from .pixels import PixelMapDisplay
from .scores import ScoresDisplay

__all__ = ["ConvergenceDisplay", "PathDisplay", "PixelMapDisplay", "ScoresDisplay"]
