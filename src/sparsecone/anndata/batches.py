"""Which cells are used, and to which batch each of them belongs."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .source import Rows


def used_cells(adata: Any, mask_obs: Any) -> Rows:
    """Return the cells that a mask, or the column of `adata.obs` of that name, lets through."""
    if mask_obs is None:
        return np.arange(adata.n_obs)
    if isinstance(mask_obs, str):
        mask, name = _column(adata, mask_obs, "mask_obs").to_numpy(), f"adata.obs[{mask_obs!r}]"
    else:
        mask, name = np.asarray(mask_obs), "mask_obs"
    if mask.dtype != bool or mask.shape != (adata.n_obs,):
        raise ValueError(
            f"{name} must be true or false for each of the {adata.n_obs} cells, and it has "
            f"{mask.dtype} values of shape {mask.shape}."
        )
    if np.count_nonzero(mask) < 2:
        raise ValueError(f"{name} leaves {np.count_nonzero(mask)} cell(s); at least 2 are needed.")
    return np.flatnonzero(mask)


def batches_of(adata: Any, batch_key: str | None, used: Rows, min_cells: int) -> dict[str, Rows]:
    """Return the cells of each batch, without batches that are too small: these are named."""
    if batch_key is None:
        return {"": used}
    batch = _column(adata, batch_key, "batch_key").iloc[used]
    if batch.isna().any():
        raise ValueError(
            f"adata.obs[{batch_key!r}] is missing for {int(batch.isna().sum())} cells: give them a "
            "batch or leave them out."
        )
    cells = {
        str(name): used[np.flatnonzero(batch == name)] for name in sorted(batch.unique(), key=str)
    }
    large = {name: rows for name, rows in cells.items() if rows.size >= max(min_cells, 2)}
    small = [f"{name!r} ({cells[name].size})" for name in cells if name not in large]
    if not large:
        raise ValueError(
            f"No batch of adata.obs[{batch_key!r}] has min_cells={min_cells} cells: "
            f"{_listed(small)}. Lower min_cells, merge batches, or leave batch_key out."
        )
    if small:
        warnings.warn(
            f"Left out, as they have fewer than min_cells={min_cells} cells: {_listed(small)} of "
            f"adata.obs[{batch_key!r}].",
            UserWarning,
            stacklevel=3,
        )
    return large


def _column(adata: Any, key: str, argument: str) -> Any:
    """Return a column of the annotation of cells, or say which there are."""
    if key not in adata.obs:
        known = ", ".join(map(repr, adata.obs.columns)) or "none"
        raise ValueError(f"{argument}={key!r} is not in adata.obs, which has: {known}.")
    return adata.obs[key]


def _listed(names: list[str]) -> str:
    """Return the first of many names, and how many more there are."""
    more = len(names) - 10
    return ", ".join(names[:10]) + (f" and {more} more" if more > 0 else "")
