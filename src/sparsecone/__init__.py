"""Unsupervised feature selection by convex sparse PCA on the positive semidefinite cone."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import datasets as datasets
    from . import metrics as metrics
    from .baselines import (
        AWSPCA,
        CSPCA,
        CUR,
        FPS,
        FSASL,
        JELSR,
        MCFS,
        NDFS,
        RNE,
        RUFS,
        SOGFS,
        SPCAFS,
        SPEC,
        UDFS,
        LaplacianScore,
        laplacian_score,
    )
    from .certificate import InvalidCertificate
    from .data import from_blocks, from_counts, from_gram
    from .registry import methods, register
    from .selectors import (
        AWSPCAPSD,
        CSPCAPSD,
        SPCAPSD,
        AllFeatures,
        MaxVariance,
        RandomFeatures,
        variance_score,
    )
    from .selectors.limits import lambda_max
    from .solve import Progress, Record, Solution, Status
    from .stability import StableSelector

__all__ = [
    "AWSPCA",
    "AWSPCAPSD",
    "CSPCA",
    "CSPCAPSD",
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
    "SPCAPSD",
    "SPEC",
    "UDFS",
    "AllFeatures",
    "InvalidCertificate",
    "LaplacianScore",
    "MaxVariance",
    "Progress",
    "RandomFeatures",
    "Record",
    "Solution",
    "StableSelector",
    "Status",
    "from_blocks",
    "from_counts",
    "from_gram",
    "lambda_max",
    "laplacian_score",
    "methods",
    "register",
    "variance_score",
]

__version__ = "0.1.0"

_MODULES = {"datasets", "metrics"}
# Where a name lives if not in `selectors`.
_HOMES = {
    **dict.fromkeys(("Progress", "Record", "Solution", "Status"), "solve"),
    **dict.fromkeys(("from_blocks", "from_counts", "from_gram"), "data"),
    **dict.fromkeys(("AWSPCA", "CSPCA", "CUR", "FPS", "FSASL", "JELSR", "MCFS"), "baselines"),
    **dict.fromkeys(("NDFS", "RNE", "RUFS", "SOGFS", "SPCAFS", "SPEC", "UDFS"), "baselines"),
    **dict.fromkeys(("LaplacianScore", "laplacian_score"), "baselines"),
    "InvalidCertificate": "certificate",
    "lambda_max": "selectors.limits",
    **dict.fromkeys(("methods", "register"), "registry"),
    "StableSelector": "stability",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that the command starts at once."""
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES.get(name, 'selectors')}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})
