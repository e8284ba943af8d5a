"""Parquet files as blocks of rows, row group by row group; the one file that imports PyArrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..linalg.types import Array
from ..optional import require

# Bytes of a batch: a row group may be larger than memory.
BYTES = 2**25


@dataclass(frozen=True)
class ParquetFiles:
    """Files with the same columns, in the order of the first of them.

    Attributes
    ----------
    paths : tuple of str
        The files.
    columns : tuple of str
        The names of the features.
    block_rows : int or None
        Most rows of a block; None leaves it to the size.
    """

    paths: tuple[str, ...]
    columns: tuple[str, ...]
    block_rows: int | None

    def read(self) -> Iterator[tuple[str, Any]]:
        """Start a new pass over all row groups of all files."""
        rows = self.block_rows or max(1, BYTES // (8 * len(self.columns)))
        for path in self.paths:
            with _opened(path) as file:
                dtype = self._precision(path, file.schema_arrow)
                for group in range(file.num_row_groups):
                    batches = file.iter_batches(rows, row_groups=[group], columns=[*self.columns])
                    for batch in batches:
                        yield _label(path, group), self._block(batch, dtype)

    def groups(self) -> list[tuple[str, int]]:
        """Return path and number of every row group."""
        found = []
        for path in self.paths:
            with _opened(path) as file:
                found += [(path, group) for group in range(file.num_row_groups)]
        return found

    def n_rows(self) -> int:
        """Return the number of rows of all files, which their footers state."""
        total = 0
        for path in self.paths:
            with _opened(path) as file:
                total += file.metadata.num_rows
        return total

    def unfit(self) -> dict[str, str]:
        """Return the columns of the first file that cannot be features, with their types."""
        with _opened(self.paths[0]) as file:
            return self._unfit(file.schema_arrow)

    def read_group(self, path: str, group: int) -> tuple[str, Array]:
        """Return one row group as a block, with the words that say where it is from."""
        with _opened(path) as file:
            dtype = self._precision(path, file.schema_arrow)
            table = file.read_row_group(group, columns=[*self.columns])
            return _label(path, group), self._block(table, dtype)

    def _block(self, batch: Any, dtype: Any) -> Array:
        columns = np.empty((len(self.columns), batch.num_rows), dtype=dtype)
        for name, column in zip(self.columns, columns, strict=True):
            column[:] = np.asarray(batch.column(name))
        return columns.T

    def _precision(self, path: str, schema: Any) -> Any:
        """Return the precision of a file, or say how its columns differ from what they were."""
        missing = [name for name in self.columns if name not in schema.names]
        if missing:
            raise ValueError(
                f"{path} lacks {_listed(missing)}, which {self.paths[0]} has: the files must have "
                "the same columns."
            )
        bad = self._unfit(schema)
        if bad:
            raise ValueError(
                f"{path}: {_listed([*bad])} of type {next(iter(bad.values()))} cannot be a "
                "feature; choose the numeric columns."
            )
        types = _types()
        kinds = [schema.field(name).type for name in self.columns]
        single = all(types.is_float32(kind) or types.is_float16(kind) for kind in kinds)
        return np.float32 if single else np.float64

    def _unfit(self, schema: Any) -> dict[str, str]:
        types = _types()
        kinds = {name: schema.field(name).type for name in self.columns}
        return {
            name: str(kind)
            for name, kind in kinds.items()
            if not (types.is_floating(kind) or types.is_integer(kind) or types.is_boolean(kind))
        }


def parquet_files(
    paths: Sequence[str], block_rows: int | None, columns: Sequence[str] | None
) -> ParquetFiles:
    """Return the files, with the columns of the first of them where none are chosen."""
    if columns is None:
        with _opened(paths[0]) as file:
            columns = file.schema_arrow.names
    return ParquetFiles(tuple(paths), tuple(columns), block_rows)


def is_arrow_dataset(source: Any) -> bool:
    """Tell a dataset of PyArrow, without importing it."""
    return type(source).__module__.startswith("pyarrow") and hasattr(source, "files")


def _label(path: str, group: int) -> str:
    return f"row group {group} of {path}"


def _types() -> Any:
    return require("pyarrow", purpose="Reading Parquet files", extra="streaming").types


def _opened(path: str) -> Any:
    parquet = require("pyarrow.parquet", purpose="Reading Parquet files", extra="streaming")
    if not Path(path).exists():
        raise FileNotFoundError(f"There is no file {path}.")
    if not Path(path).is_file():
        raise ValueError(f"{path} is no regular file but a folder, a device or a pipe.")
    try:
        return parquet.ParquetFile(path)
    except Exception as error:
        raise ValueError(f"{path} is not a Parquet file: {error}") from error


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"column{'s' if len(names) > 1 else ''} {shown}{more}"
