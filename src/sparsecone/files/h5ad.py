"""Reading annotated matrices (.h5ad): X, the names of genes and cells, and columns of labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..linalg.types import Array
from .checks import NUMBER_KINDS, as_labels, as_matrix
from .csv_text import check_unique
from .dataset import DataFileError, Dataset
from .hdf5 import array_of, hdf5_file, is_array, member
from .limits import Limit
from .sparse_parts import compressed
from .variables import without_columns
from .wanted import Wanted

_SPARSE = {"csr_matrix": "csr", "csc_matrix": "csc"}


@dataclass(frozen=True)
class _File:
    """An open file, and what must not be exceeded in reading it."""

    root: Any
    limit: Limit

    def item(self, group: Any, name: str) -> Any:
        """Return an item of a group, which must be in this file."""
        return member(group, name, path=self.limit.path)

    def array(self, item: Any) -> Array:
        """Return the contents of an array."""
        return array_of(item, self.limit)

    def matrix(self) -> Any:
        """Return X as it is stored."""
        X = self.item(self.root, "X")
        if is_array(X):
            return self.array(X)
        kind = _SPARSE.get(str(X.attrs.get("encoding-type")))
        if kind is None:
            raise DataFileError(
                self.limit.path,
                f"stores X as {X.attrs.get('encoding-type', 'an unknown kind')}",
                remedy="Save X as an array or as a CSR or CSC matrix",
            )
        parts = [self.array(self.item(X, name)) for name in ("data", "indices", "indptr")]
        return compressed(kind, *parts, shape=X.attrs["shape"], limit=self.limit)

    def index(self, name: str, length: int) -> tuple[str, ...]:
        """Return the names of the rows of obs or var, one for each row or column of X."""
        group = self.item(self.root, name)
        return self._names(self.column(group, group.attrs["_index"]), name, length)

    def cells(self, name: str, length: int) -> tuple[str, ...]:
        """Return a column of obs as the names of the rows of X."""
        values, absent = self._values(self.item(self.root, "obs"), name)
        return self._names(np.where(absent, "", values.astype(str)), "obs", length)

    def _names(self, column: Array, where: str, length: int) -> tuple[str, ...]:
        if column.shape != (length,):
            raise DataFileError(
                self.limit.path,
                f"has {column.size} names in {where} for {length} {_AXES[where]} of X",
                remedy="Save it again with anndata: adata.write_h5ad(...)",
            )
        return tuple(map(str, column))

    def column(self, group: Any, name: str) -> Array:
        """Return a column of obs or var, with NaN where it has no value."""
        return _with_gaps(*self._values(group, name))

    def _values(self, group: Any, name: str) -> tuple[Array, NDArray[np.bool_]]:
        """Return a column, an array, text, categories or values, and where it has no value."""
        item = self.item(group, name)
        if is_array(item):
            values = _as_text(self.array(item))
            return values, np.zeros(values.shape, dtype=bool)
        if "codes" in item:
            codes = self.array(self.item(item, "codes"))
            return self.column(item, "categories")[codes], codes < 0
        values = _as_text(self.array(self.item(item, "values")))
        return values, self.array(self.item(item, "mask"))


_AXES = {"obs": "rows", "var": "columns"}


def read_h5ad(wanted: Wanted) -> Dataset:
    """Return the matrix X of a file; a sparse one becomes CSR and is never made dense."""
    path = wanted.path
    with hdf5_file(path, kind="a .h5ad file") as root:
        file = _File(root, wanted.limit)
        _check_parts(file)
        X = as_matrix(file.matrix(), path=path, name="X")
        cells, genes = (file.index(*axis) for axis in zip(("obs", "var"), X.shape, strict=True))
        obs = file.item(root, "obs")
        id_name = wanted.id_among(list(obs))
        if id_name is not None:
            cells = file.cells(id_name, len(cells))
        # Only the label asked for: cells carry many columns, and none is the classes by custom.
        if wanted.label is not None:
            wanted.check_names([wanted.label], list(obs))
        labels = None if wanted.label is None else file.column(obs, wanted.label)
    if wanted.transpose:
        X, genes, cells = as_matrix(X.T, path=path, name="X"), cells, genes
    check_unique(path, list(genes), remedy="Rename them: adata.var_names_make_unique()")
    y = None if labels is None else as_labels(labels, n_samples=X.shape[0], path=path)
    return without_columns(Dataset(path.stem, X, y, genes, cells, wanted.label), wanted)


def _check_parts(file: _File) -> None:
    """Complain about a file that lacks what every recent version of anndata writes."""
    names = {"X", "obs", "var"}
    if not names <= file.root.keys() or any(
        is_array(file.item(file.root, name)) for name in ("obs", "var")
    ):
        raise DataFileError(
            file.limit.path,
            "has no X with the groups obs and var that anndata 0.7 and later write",
            remedy="Save it again with a recent anndata: adata.write_h5ad(...)",
        )


def _with_gaps(values: Array, absent: NDArray[np.bool_]) -> Array:
    """Return a column, with NaN where it has no value; text that has gaps is all gaps then."""
    if not absent.any():
        return values
    numbers = values if values.dtype.kind in NUMBER_KINDS else np.full(values.shape, np.nan)
    return np.where(absent, np.nan, numbers)


def _as_text(values: Array) -> Array:
    """Return an array, with text as text and not as bytes."""
    if values.dtype.kind not in "SO":
        return values
    return np.asarray([v.decode() if isinstance(v, bytes) else str(v) for v in values], dtype=str)
