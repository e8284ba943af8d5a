"""The methods of others, from their papers' formulas, one a file."""

from .aw_spca import AWSPCA
from .cspca import CSPCA
from .cur import CUR
from .fps import FPS
from .fsasl import FSASL
from .jelsr import JELSR
from .laplacian_score import LaplacianScore, laplacian_score
from .mcfs import MCFS
from .ndfs import NDFS
from .rne import RNE
from .rufs import RUFS
from .sogfs import SOGFS
from .spcafs import SPCAFS
from .spec import SPEC
from .udfs import UDFS

__all__ = [
    "AWSPCA",
    "CSPCA",
    "CUR",
    "FPS",
    "FSASL",
    "JELSR",
    "MCFS",
    "NDFS",
    "RNE",
    "RUFS",
    "SOGFS",
    "SPCAFS",
    "SPEC",
    "UDFS",
    "LaplacianScore",
    "laplacian_score",
]
