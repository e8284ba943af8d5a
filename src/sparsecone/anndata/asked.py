"""The arguments of `select_genes`, checked before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import get_tags

from ..registry import Method, methods
from ..selectors.psd import PSDSelector
from .source import Cells


def checked_method(
    name: str, cells: Cells, parameters: Mapping[str, Any], *, counts: str, scale: str
) -> Method:
    """Return the method of that name, or say which there are for such data and parameters."""
    _check_one_of("counts", counts, ("log", "raw"))
    _check_one_of("scale", scale, ("unit", "pareto", "none"))
    # Only a refusal looks at all methods: their modules take a while to import.
    method = {m.name: m for m in methods()}.get(name)
    if method is None or not _ranks(method):
        ranking = [m.name for m in methods() if _ranks(m)]
        raise ValueError(f"method={name!r} is unknown; it is one of {', '.join(ranking)}.")
    _check_known(method, parameters)
    if counts == "raw" and not has_certificate(method):
        raise ValueError(
            f'method={name!r} does not take residuals of counts: give counts="log" and '
            "logarithms, or one of the three models."
        )
    if cells.place != "memory" and not has_certificate(method):
        able = [m.name for m in methods() if _ranks(m) and has_certificate(m)]
        raise ValueError(
            f"method={name!r} needs a matrix in memory, and {cells.name} is not: read it with "
            f"adata = adata.to_memory(), or use one of {', '.join(able)}."
        )
    if cells.is_sparse and not _takes_sparse(method):
        able = [m.name for m in methods() if _ranks(m) and _takes_sparse(m)]
        raise ValueError(
            f"method={name!r} needs a dense matrix, and {cells.name} is sparse: make it dense "
            f"yourself if memory allows, or use one of {', '.join(able)}."
        )
    return method


def has_certificate(method: Method) -> bool:
    """Return whether a method is one of the three models: these read blocks, and prove."""
    return issubclass(method.selector, PSDSelector)


def _ranks(method: Method) -> bool:
    """Return whether a method ranks the features, and selects as many as are asked for."""
    return "n_features_to_select" in method.parameters


def _takes_sparse(method: Method) -> bool:
    return bool(get_tags(method.selector()).input_tags.sparse)


def _check_one_of(argument: str, given: Any, known: tuple[str, ...]) -> None:
    if given not in known:
        words = " or ".join(f'"{name}"' for name in known)
        raise ValueError(f"{argument}={given!r} must be {words}.")


def _check_known(method: Method, parameters: Mapping[str, Any]) -> None:
    known = [name for name in method.parameters if name != "n_features_to_select"]
    for name in parameters:
        if name not in known:
            raise TypeError(
                f"select_genes has no argument {name!r}, nor has method={method.name!r}, which "
                f"takes {', '.join(known)}."
            )


def checked_numbers(n_top_genes: Any, n_genes: int, method: Method) -> list[int] | str:
    """Return the numbers of genes asked for, or "auto"."""
    if isinstance(n_top_genes, str):
        if n_top_genes != "auto":
            raise ValueError(f'n_top_genes={n_top_genes!r} must be a number, a list, or "auto".')
        if not has_certificate(method):
            raise ValueError(f'n_top_genes="auto" needs a certificate, not {method.name!r}.')
        return n_top_genes
    several = isinstance(n_top_genes, list | tuple | range | np.ndarray)
    numbers = list(n_top_genes) if several else [n_top_genes]
    if not numbers:
        raise ValueError("n_top_genes is empty: give a number of genes.")
    for number in numbers:
        is_number = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not is_number or not 1 <= number <= n_genes:
            raise ValueError(
                f"n_top_genes={number!r} must be an integer between 1 and the number of genes, "
                f"{n_genes}."
            )
    return [int(number) for number in numbers]
