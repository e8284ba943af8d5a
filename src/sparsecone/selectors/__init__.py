"""The three models, the choice of features, and the controls."""

from .aw_spca_psd import AWSPCAPSD
from .controls import AllFeatures, MaxVariance, RandomFeatures, variance_score
from .cspca_psd import CSPCAPSD
from .spca_psd import SPCAPSD

__all__ = [
    "AWSPCAPSD",
    "CSPCAPSD",
    "SPCAPSD",
    "AllFeatures",
    "MaxVariance",
    "RandomFeatures",
    "variance_score",
]
