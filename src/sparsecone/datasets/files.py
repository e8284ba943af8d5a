"""A data set from a file of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from sparsecone.datasets.contents import from_columns, from_variables
from sparsecone.datasets.dataset import DataFileError, Dataset
from sparsecone.datasets.matlab_files import read_matlab
from sparsecone.datasets.numpy_files import read_numpy
from sparsecone.datasets.tables import read_table

READERS: dict[str, Callable[[Path], Mapping[str, Any]]] = {
    ".npz": read_numpy,
    ".npy": read_numpy,
    ".mat": read_matlab,
    ".parquet": read_table,
    ".csv": read_table,
}


def load_file(
    path: str | PathLike[str], *, label: str | None = None, name: str | None = None
) -> Dataset:
    """Load a data set from a .npz, .npy, .mat, .csv or .parquet file.

    - In a .csv or .parquet file every column is a feature, except the label. Reading it needs
      polars; a .csv file without a line of names has the features column_0, column_1, ...
    - In a .npz or .mat file the data are the variable X, fea, data or features, or else the only
      matrix. Samples stand in rows, unless only the columns are as many as the labels. Files of
      MATLAB 7.3 need h5py.
    - A .npy file holds the data alone. Pickled objects are refused.

    Parameters
    ----------
    path : str or path-like
        The file.
    label : str, default=None
        Name of the column or variable with the classes. None takes the one called y, gnd, label,
        labels, class or target, in capitals or not, if there is one.
    name : str, default=None
        Name of the data set; None takes the name of the file without its ending.

    Returns
    -------
    Dataset
        The data as float64, and the classes if there are any.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    DataFileError
        If the file holds no usable data; a ValueError.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import numpy as np
    >>> with TemporaryDirectory() as folder:
    ...     np.savez(Path(folder) / "tiny.npz", X=[[1, 2], [3, 4]], y=[0, 1])
    ...     load_file(Path(folder) / "tiny.npz")
    Dataset(name='tiny', X=array([[1., 2.], [3., 4.]]), y=array([0, 1]), feature_names=None)
    """
    path = Path(path)
    contents = _read(path)
    build = from_columns if READERS[path.suffix.lower()] is read_table else from_variables
    return build(contents, path=path, label=label, name=name or path.stem)


def _read(path: Path) -> Mapping[str, Any]:
    """Return what the file holds, by name."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file '{path}': check its name and folder.")
    reader = READERS.get(path.suffix.lower())
    if reader is None or not path.is_file():
        raise DataFileError(
            path, "is no data file", remedy=f"Give a file that ends in {', '.join(READERS)}"
        )
    if path.stat().st_size == 0:
        raise DataFileError(path, "is empty", remedy="Download or save it again")
    try:
        return reader(path)
    except (DataFileError, ImportError):
        raise
    # The readers of damaged files raise whatever comes up: EOFError, KeyError, zlib.error, ...
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        raise DataFileError(
            path,
            f"cannot be read as {path.suffix} ({reason})",
            remedy="It may be truncated or of another kind: download or save it again",
        ) from error
