"""Feature selectors, one method a file."""

from .aw_spca import AWSPCA
from .aw_spca_psd import AWSPCAPSD
from .controls import AllFeatures, MaxVariance, RandomFeatures, variance_score
from .cspca import CSPCA
from .cspca_psd import CSPCAPSD
from .laplacian_score import LaplacianScore, laplacian_score
from .rne import RNE
from .sogfs import SOGFS
from .spca_psd import SPCAPSD
from .spcafs import SPCAFS
from .udfs import UDFS

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
    "RandomFeatures",
    "laplacian_score",
    "variance_score",
]
