"""Pictures of results in scikit-learn's manner: data in, `plot(ax=None)` out."""

from .convergence import ConvergenceDisplay
from .correlation import CorrelationDisplay
from .curve import ExplainedCurveDisplay
from .path import PathDisplay
from .pixels import PixelMapDisplay
from .scores import ScoresDisplay
from .stability import StabilityDisplay

__all__ = [
    "ConvergenceDisplay",
    "CorrelationDisplay",
    "ExplainedCurveDisplay",
    "PathDisplay",
    "PixelMapDisplay",
    "ScoresDisplay",
    "StabilityDisplay",
]
