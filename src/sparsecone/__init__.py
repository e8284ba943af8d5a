"""Unsupervised feature selection by convex sparse PCA on the positive semidefinite cone."""

from .registry import methods
from .samples import from_blocks, from_gram
from .selectors import (
    AWSPCA,
    AWSPCAPSD,
    CSPCA,
    CSPCAPSD,
    RNE,
    SOGFS,
    SPCAFS,
    SPCAPSD,
    UDFS,
    AllFeatures,
    LaplacianScore,
    MaxVariance,
    RandomFeatures,
    laplacian_score,
    variance_score,
)
from .selectors.limits import lambda_max
from .solution import Progress, Record, Solution, Status

__all__ = [
    "AWSPCA",
    "AWSPCAPSD",
    "CSPCA",
    "CSPCAPSD",
    "RNE",
    "SOGFS",
    "SPCAFS",
    "SPCAPSD",
    "UDFS",
    "AllFeatures",
    "LaplacianScore",
    "MaxVariance",
    "Progress",
    "RandomFeatures",
    "Record",
    "Solution",
    "Status",
    "from_blocks",
    "from_gram",
    "lambda_max",
    "laplacian_score",
    "methods",
    "variance_score",
]

__version__ = "0.1.0"
