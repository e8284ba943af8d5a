"""A data set from a file of the user's own: the one way to read any file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Literal
from zipfile import is_zipfile

from .checks import Missing, without_gaps
from .columns import from_columns
from .dataset import DataFileError, Dataset
from .h5ad import read_h5ad
from .isolation import read_isolated
from .matlab import read_matlab
from .numpy_files import read_numpy
from .tables import ARROW, EXCEL, read_table
from .variables import from_variables
from .wanted import Wanted, kind_of


def _table(wanted: Wanted) -> Dataset:
    table = read_table(wanted)
    return from_columns(table.frame, replace(wanted, decimal=table.decimal), table.notes)


READERS: dict[str, Callable[[Wanted], Dataset]] = {
    ".npz": lambda wanted: from_variables(read_numpy(wanted), wanted),
    ".npy": lambda wanted: from_variables(read_numpy(wanted), wanted),
    ".mat": lambda wanted: from_variables(read_matlab(wanted), wanted),
    ".h5ad": read_h5ad,
    **dict.fromkeys((".csv", ".tsv", ".csv.gz", ".tsv.gz", ".parquet", *ARROW, *EXCEL), _table),
}


# Kinds of files that are archives, or may be; elsewhere the signs of one are chance.
_MAYBE_ZIPPED = (".npz", *EXCEL)


def load_file(
    path: str | PathLike[str],
    *,
    label: str | None = None,
    find_label: bool = True,
    sample_names: str | Sequence[str] | None = None,
    find_id: bool = True,
    drop: Sequence[str] = (),
    drop_text: bool = False,
    only: Sequence[str] | None = None,
    missing: Missing = "error",
    transpose: bool = False,
    delimiter: str | None = None,
    decimal: Literal[",", "."] | None = None,
    encoding: str | None = None,
    gaps: Sequence[str] = (),
    name: str | None = None,
    isolated: bool = False,
    max_memory: int | None = None,
    max_seconds: float | None = None,
) -> Dataset:
    """Load a data set from a table, an array file or a file of single cells.

    - In a .csv or .tsv file (also packed: .csv.gz), an Excel file (.xlsx, .xls, .ods: the first
      sheet), a .parquet or a .feather file every column is a feature, except those named otherwise.
      Reading it needs polars, Excel files fastexcel too. A text without a line of names has the
      features column_0, column_1, ...; its encoding, delimiter and decimal commas are recognised,
      two columns of one name are numbered, and two entries such as yes and no are 1 and 0.
    - In a .npz or .mat file the data are the variable X, fea, data or features, or else the only
      matrix. Samples stand in rows, unless only the columns are as many as the labels. Files of
      MATLAB 7.3 need h5py.
    - A .npy file holds the data alone, a .npz file may hold a sparse matrix saved by SciPy.
      Pickled objects are refused.
    - In a .h5ad file the data are X, the features are called after the index of var, and the
      samples after that of obs. Reading it needs h5py. Sparse data stay sparse.

    Parameters
    ----------
    path : str or path-like
        The file.
    label : str, default=None
        Name of the column or variable with the classes; in a .h5ad file a column of obs.
    find_label : bool, default=True
        Whether, where `label` is None, to take the column or variable called y, gnd, label, labels,
        class or target, in capitals or not, if there is one. Not in a .h5ad file.
    sample_names : str or sequence of str, default=None
        Name of the column with the names of the rows, or several of which the first that is there
        is taken; None takes a first column without a name, if there is one.
    find_id : bool, default=True
        Whether to leave columns of a table out of the features that are called id, index, name,
        sample, patient_id or the like and have another whole number or text in every row. The
        first names the rows, where `sample_names` does not.
    drop : sequence of str, default=()
        Names of columns to leave out. One that is not there may be several with commas between.
    drop_text : bool, default=False
        Whether to leave out the columns of a table that are text, or dates, and no numbers.
    only : sequence of str, default=None
        Names of the features to take, in this order; None takes all.
    missing : {"error", "drop-rows", "median", "keep"}, default="error"
        What to do about missing values: complain, leave out the samples that have any, put the
        median of the feature in their place (dense data only), or keep them as NaN.
    transpose : bool, default=False
        Whether the file has features in rows and samples in columns. The features are then called
        after `sample_names`, which names the rows of the file.
    delimiter : str, default=None
        What separates the columns of a text file; None recognises commas, semicolons, tabs, bars.
    decimal : {",", "."}, default=None
        What separates the fraction of a number in text; None recognises both.
    encoding : str, default=None
        Encoding of a text file; None recognises UTF-8, UTF-16 and cp1252.
    gaps : sequence of str, default=()
        What stands for a missing value in text, besides nothing, NA, null, ? and the like.
    name : str, default=None
        Name of the data set; None takes the name of the file without its ending.
    isolated : bool, default=False
        Whether to read in a process of its own, for files of unknown origin: the native libraries
        behind .mat, .h5ad and .parquet files can crash or hang on damaged ones.
    max_memory : int, default=None
        Bytes that the contents may take in memory; None is 2^30, or 20 times the size of the file
        where that is more. An isolated process may take four times that and 2 GiB.
    max_seconds : float, default=None
        Seconds that an isolated process may take; None is 120 and one a megabyte of the file.

    Returns
    -------
    Dataset
        The data as float64, dense or CSR, and the classes if there are any.

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
    Dataset('tiny': 2 samples, 2 features, 2 classes)
    """
    file = Path(path)
    wanted = Wanted(
        path=file,
        label=label,
        find_label=find_label,
        sample_names=sample_names if isinstance(sample_names, str | None) else tuple(sample_names),
        find_id=find_id,
        drop=tuple(drop),
        drop_text=drop_text,
        only=None if only is None else tuple(only),
        delimiter=delimiter,
        decimal=decimal,
        encoding=encoding,
        gaps=tuple(gaps),
        transpose=transpose,
        max_memory=max_memory,
    )
    _reader(file)
    raw = read_isolated(wanted, max_seconds=max_seconds) if isolated else read(wanted)
    dataset = without_gaps(raw, path=file, missing=missing)
    return replace(dataset, name=name or file.name[: -len(kind_of(file))])


def read(wanted: Wanted) -> Dataset:
    """Return what the file holds, gaps and all."""
    path = wanted.path
    try:
        reader = _reader(path)
        if path.suffix.lower() == ".gz":
            wanted.limit.check_gzip()
        elif kind_of(path) in _MAYBE_ZIPPED and is_zipfile(path):
            wanted.limit.check_zip()
        return reader(wanted)
    except (DataFileError, FileNotFoundError, ImportError, MemoryError):
        raise
    except PermissionError as error:
        raise DataFileError(
            path, "may not be read by you", remedy="Ask its owner for permission, or copy it"
        ) from error
    except UnicodeDecodeError as error:
        raise DataFileError(
            path,
            f"is no text in {error.encoding}",
            remedy="Leave out encoding= (--encoding), or say what it is, such as cp1252 or utf-16",
        ) from error
    # The readers of damaged files raise whatever comes up: EOFError, KeyError, zlib.error, ...
    except BaseException as error:
        # Where code in Rust gives up, what it raises is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
        raise DataFileError(
            path,
            f"cannot be read as {kind_of(path)} ({reason})",
            remedy="It may be truncated or of another kind: download or save it again",
        ) from error


def _reader(path: Path) -> Callable[[Wanted], Dataset]:
    """Return what reads a file of this kind, or say why nothing does."""
    if not path.exists():
        raise FileNotFoundError(f"There is no file '{path}': check its name and folder.")
    if path.is_dir():
        raise DataFileError(path, "is a folder", remedy="Give one file within it")
    if not path.is_file():
        raise DataFileError(
            path, "is no regular file but a device or a pipe", remedy="Save what it gives first"
        )
    reader = READERS.get(kind_of(path))
    if reader is None:
        raise DataFileError(
            path, "is no data file", remedy=f"Give a file that ends in {', '.join(READERS)}"
        )
    if path.stat().st_size == 0:
        raise DataFileError(path, "is empty", remedy="Download or save it again")
    return reader
