"""Data that come in blocks of rows, read again for every pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils.validation import _get_feature_names

from ..linalg.checked import checked_array
from ..linalg.types import Array
from .centring import checked_scale, safe_scale
from .protocol import Data
from .rows import LARGEST_GRAM
from .running import RunningMoments
from .sources import Source, open_source, rows_of
from .streamed import Streamed

# Largest entries of a first block between this and its inverse need no scaling.
SMALLEST = 1e-30


class Blocks:
    """Blocks of rows that `fit` takes in the place of X; made by `from_blocks`."""

    def __init__(self, source: Source, names: Array | None) -> None:
        self.source = source
        self.names = names
        self.width: int | None = None

    def samples(self, *, weighed: bool, dtypes: tuple[type, ...]) -> Data:
        """Return the data behind the questions of the mathematics.

        Parameters
        ----------
        weighed : bool
            Whether the loss weighs every sample, so that moments are not enough.
        dtypes : tuple of type
            Precisions to compute in; what is none of them is converted to the first.
        """
        running: RunningMoments | None = None
        for block in regrouped(self.checked(dtypes)):
            if running is None:
                scale = block_scale(block)
                diagonal = self._several(weighed)
                running = RunningMoments(block.shape[1], diagonal=diagonal, scale=scale)
            running.add(block if running.scale == 1.0 else block / running.scale)
        running = enough(running)
        if not running.diagonal:
            return running.moments(self.names, last=True)
        read = partial(self.checked, dtypes, again=True)
        return Streamed(lambda: regrouped(read()), running, self.names)

    def _several(self, weighed: bool) -> bool:
        """Whether the solve takes several passes: for moments one is enough."""
        assert self.width is not None
        return weighed or self.width > LARGEST_GRAM

    def checked(self, dtypes: tuple[type, ...], *, again: bool = False) -> Iterator[Any]:
        """Yield the blocks as float arrays or CSR matrices, or name the one that is wrong."""
        for label, block in self.source.read():
            checked = checked_block(label, block, dtypes, finite=not again)
            self._check_columns(label, block, checked.shape[1])
            if checked.shape[0]:
                yield checked

    def _check_columns(self, label: str, block: Any, width: int) -> None:
        if self.width is None:
            self.width = width
            self.names = _get_feature_names(block) if self.names is None else self.names
        if width != self.width:
            raise ValueError(
                f"In {label}: {width} features, while the blocks before have {self.width}."
            )
        names = _get_feature_names(block)
        if names is not None and list(names) != list(self.names if self.names is not None else ()):
            raise ValueError(f"In {label}: the feature names differ from those before.")


def block_scale(block: Any) -> float:
    """Return 1, or the power of two that keeps the squares of the first block from overflowing."""
    scale = safe_scale(block)
    return 1.0 if SMALLEST <= scale <= 1.0 / SMALLEST else checked_scale(scale)


def enough(running: RunningMoments | None) -> RunningMoments:
    """Return the moments of all blocks if they rest on enough samples."""
    if running is None or running.n_samples < 2:
        found = 0 if running is None else running.n_samples
        raise ValueError(f"The blocks have {found} sample(s), while a minimum of 2 is required.")
    if not np.isfinite(running.variances.sum()):
        raise ValueError("The squares of the values overflow: divide X by its largest value first.")
    return running


def checked_block(label: str, block: Any, dtypes: tuple[type, ...], *, finite: bool) -> Any:
    """Return a block as a float array or CSR matrix, or name it where it is wrong."""
    try:
        return checked_array(
            block,
            accept_sparse="csr",
            dtype=dtypes,
            ensure_all_finite=finite,
            ensure_min_samples=0,
        )
    except (TypeError, ValueError) as error:
        raise ValueError(f"In {label}: {error}") from error


def regrouped(blocks: Iterator[Any]) -> Iterator[Any]:
    """Join small blocks and cut large ones, so that products are neither slow nor large."""
    waiting: list[Any] = []
    rows = 0
    for block in blocks:
        most = rows_of(block.shape[1])
        joins = waiting and _kind(waiting[0]) == _kind(block) and rows + block.shape[0] <= most
        if waiting and not joins:
            yield _joined(waiting)
            waiting, rows = [], 0
        if block.shape[0] <= most or sp.issparse(block):
            waiting.append(block)
            rows += block.shape[0]
            continue
        for start in range(0, block.shape[0], most):
            yield block[start : start + most]
    if waiting:
        yield _joined(waiting)


def _kind(block: Any) -> tuple[bool, Any]:
    return sp.issparse(block), block.dtype


def _joined(parts: list[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    return sp.vstack(parts, format="csr") if sp.issparse(parts[0]) else np.concatenate(parts)


def from_blocks(
    source: Any, *, block_rows: int | None = None, columns: Sequence[str] | None = None
) -> Blocks:
    """Return what `fit` takes in the place of X when the rows come in blocks.

    SPCAPSD reads the blocks once, as long as the number of features allows a d x d matrix (8000).
    Beyond that, and for the robust models, every evaluation of the objective is a pass over them.
    At most one block is in memory at a time.

    Parameters
    ----------
    source : str, Path, array, dataset, sequence, callable or iterator
        - a path: a ``.npy`` file (memory-mapped), a ``.zarr`` array, a Parquet file, a folder of
          Parquet files or a pattern such as ``"lake/*.parquet"``;
        - a list of paths of Parquet files, or a `pyarrow.dataset.Dataset` of such files;
        - anything with a two-dimensional shape whose rows can be sliced: a memory map, a Zarr
          array, an HDF5 dataset, a CSR matrix, a DataFrame;
        - a sequence of blocks: arrays, CSR matrices or DataFrames of the same width, or empty;
        - a function without arguments that returns a new iterator of blocks at each call;
        - an iterator of blocks, where one pass is enough.
    block_rows : int or None, default=None
        Rows read at once from a file or an array; None takes about 32 MB.
    columns : sequence of str or None, default=None
        Columns of Parquet files that are features; None takes all.

    Returns
    -------
    Blocks
        The data for `fit`. An error names the block that caused it.

    Examples
    --------
    >>> import numpy as np
    >>> from sparsecone import SPCAPSD, from_blocks
    >>> X = np.random.default_rng(0).normal(size=(50, 4)) * [3, 2, 1, 1]
    >>> blocks = from_blocks(lambda: (X[start : start + 7] for start in range(0, 50, 7)))
    >>> SPCAPSD(n_features_to_select=2).fit(blocks).selected_
    array([0, 1])
    """
    opened = open_source(source, block_rows=block_rows, columns=columns)
    names = getattr(opened, "columns", None)
    return Blocks(opened, None if names is None else np.asarray(names, dtype=object))
