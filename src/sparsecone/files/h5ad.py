"""Reading annotated matrices (.h5ad): X, the names of genes and cells, and columns of labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..linalg.types import Array
from .checks import NUMBER_KINDS, as_labels, as_matrix
from .csv_text import check_unique
from .dataset import DataFileError, Dataset
from .hdf5 import hdf5_file, is_array
from .variables import without_columns
from .wanted import Wanted

_SPARSE = {"csr_matrix": sparse.csr_matrix, "csc_matrix": sparse.csc_matrix}


def read_h5ad(wanted: Wanted) -> Dataset:
    """Return the matrix X of a file; a sparse one becomes CSR and is never made dense."""
    path = wanted.path
    with hdf5_file(path, kind="a .h5ad file") as file:
        if not {"X", "obs", "var"} <= file.keys() or any(is_array(file[k]) for k in ("obs", "var")):
            raise DataFileError(
                path,
                "has no X with the groups obs and var that anndata 0.7 and later write",
                remedy="Save it again with a recent anndata: adata.write_h5ad(...)",
            )
        X = as_matrix(_matrix(file["X"], path), path=path, name="X")
        genes, cells = _index(file["var"]), _index(file["obs"])
        id_name = wanted.id_among(list(file["obs"]))
        if id_name is not None:
            cells = tuple(map(str, _column(file["obs"][id_name])))
        # Only the label asked for: cells carry many columns, and none is the classes by custom.
        labels = None
        if wanted.label is not None:
            wanted.check_names([wanted.label], list(file["obs"]))
            labels = _column(file["obs"][wanted.label])
    if wanted.transpose:
        X, genes, cells = as_matrix(X.T, path=path, name="X"), cells, genes
    check_unique(path, list(genes), remedy="Rename them: adata.var_names_make_unique()")
    y = None if labels is None else as_labels(labels, n_samples=X.shape[0], path=path)
    return without_columns(Dataset(path.stem, X, y, genes, cells, wanted.label), wanted)


def _matrix(item: Any, path: Path) -> Any:
    """Return X as it is stored."""
    if is_array(item):
        return item[()]
    build = _SPARSE.get(str(item.attrs.get("encoding-type")))
    if build is None:
        raise DataFileError(
            path,
            f"stores X as {item.attrs.get('encoding-type', 'an unknown kind')}",
            remedy="Save X as an array or as a CSR or CSC matrix",
        )
    parts = (item["data"][()], item["indices"][()], item["indptr"][()])
    matrix = build(parts, shape=tuple(item.attrs["shape"]))
    matrix.check_format(full_check=True)
    return matrix


def _index(group: Any) -> tuple[str, ...]:
    """Return the names of the rows of obs or var."""
    return tuple(map(str, _column(group[group.attrs["_index"]])))


def _column(item: Any) -> Array:
    """Return a column of obs or var: an array, text, categories, or values under a mask."""
    if is_array(item):
        return _as_text(item)
    if "codes" in item:
        codes = item["codes"][()]
        return _with_gaps(_column(item["categories"])[codes], codes < 0)
    return _with_gaps(_as_text(item["values"]), item["mask"][()])


def _with_gaps(values: Array, absent: NDArray[np.bool_]) -> Array:
    """Return a column, with NaN where it has no value; text that has gaps is all gaps then."""
    if not absent.any():
        return values
    numbers = values if values.dtype.kind in NUMBER_KINDS else np.full(values.shape, np.nan)
    return np.where(absent, np.nan, numbers)


def _as_text(item: Any) -> Array:
    """Return an array, with text as text and not as bytes."""
    values = np.asarray(item[()])
    if values.dtype.kind not in "SO":
        return values
    return np.asarray([v.decode() if isinstance(v, bytes) else str(v) for v in values], dtype=str)
