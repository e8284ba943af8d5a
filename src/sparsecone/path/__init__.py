"""The solutions over a grid of weights: some are solved, the others proven by their neighbours."""

from .grid import spca_psd_path
from .result import Path

__all__ = ["Path", "spca_psd_path"]
