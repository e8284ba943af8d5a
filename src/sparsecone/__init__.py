"""Unsupervised feature selection by convex sparse PCA on the positive semidefinite cone."""

from .samples import from_gram
from .selectors import AWSPCAPSD, CSPCAPSD, SPCAPSD
from .selectors.limits import lambda_max
from .solution import Progress, Record, Solution, Status

__all__ = [
    "AWSPCAPSD",
    "CSPCAPSD",
    "SPCAPSD",
    "Progress",
    "Record",
    "Solution",
    "Status",
    "from_gram",
    "lambda_max",
]

__version__ = "0.1.0"
