"""The data behind the few questions that the mathematics asks: `Data` is the list of them."""

from .blocks import Blocks, from_blocks
from .centring import as_rows, as_samples
from .counts import Counts, from_counts
from .distributed import DaskBlocks, connected, from_dask, is_dask, on_dask
from .moments import Moments, from_gram
from .pairs import Eigenvalues, Spectrum
from .protocol import Data, answers
from .rows import LARGEST_GRAM, Rows
from .running import RunningMoments
from .spectrum import Remembers, is_decomposed, most_vectors, smaller_side
from .terms import Terms

__all__ = [
    "LARGEST_GRAM",
    "Blocks",
    "Counts",
    "DaskBlocks",
    "Data",
    "Eigenvalues",
    "Moments",
    "Remembers",
    "Rows",
    "RunningMoments",
    "Spectrum",
    "Terms",
    "answers",
    "as_rows",
    "as_samples",
    "connected",
    "from_blocks",
    "from_counts",
    "from_dask",
    "from_gram",
    "is_dask",
    "is_decomposed",
    "most_vectors",
    "on_dask",
    "smaller_side",
]
