"""A data set in memory, what is known about a public one, the error of a file without one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Literal, Self

from scipy import sparse

from ..charts.box import box, heads, table_row
from ..linalg.types import Array

# Names in the table of a notebook.
FIRST_NAMES = 8


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Samples, their classes and the names of their features.

    Attributes
    ----------
    name : str
        Name of the data set.
    X : ndarray or CSR matrix of shape (n_samples, n_features)
        The data, finite numbers; sparse where the file holds them so.
    y : ndarray of shape (n_samples,) or None
        Classes, for evaluation only; None where the file has none.
    feature_names : tuple of str or None
        Names of the columns of X; None where the file has none.
    sample_names : tuple of str or None
        Names of the rows of X; None where the file has none.
    label_name : str or None
        Under which name the file has the classes.
    id_name : str or None
        Under which name the file has the names of the rows.
    notes : tuple of str
        What the reader decided by itself, a sentence each.
    """

    name: str
    X: Array | sparse.csr_matrix
    y: Array | None = None
    feature_names: tuple[str, ...] | None = None
    sample_names: tuple[str, ...] | None = None
    label_name: str | None = None
    id_name: str | None = field(default=None, repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        n_samples, n_features = self.X.shape
        kind = "sparse " if sparse.issparse(self.X) else ""
        classes = "no classes" if self.y is None else f"{len(set(self.y.tolist()))} classes"
        return (
            f"Dataset({self.name!r}: {n_samples} samples, {n_features} {kind}features, {classes})"
        )

    def _repr_html_(self) -> str:
        names = self.feature_names or ()
        first = [table_row(str(k), name) for k, name in enumerate(names[:FIRST_NAMES])]
        return box("Data set", repr(self), [heads("column", "feature"), *first] if first else [])


@dataclass(frozen=True, kw_only=True)
class DatasetInfo:
    """What is known about a public data set.

    Attributes
    ----------
    name : str
        Name by which it is loaded, and the stem of its file in the data folder.
    title : str
        Name as the paper writes it.
    n_samples, n_features, n_classes : int
        Its size.
    kind : str
        What the samples are.
    source : str
        Where it comes from.
    file_name : str or None
        Name of the public file; None where there is no single file.
    url : str or None
        Public address of that file; None where none is known.
    sha256 : str or None
        Checksum of that file; None where it was never computed from that address.
    preprocessing : {"grey", "none"}
        The paper's: grey levels of image sets between 0 and 1, others as they are stored.
    image_shape : tuple of int or None
        Rows and columns of an image set.
    image_order : {"C", "F"} or None
        Whether pixels run along rows (C) or columns (F); None where there is no image to look at.
    log10_trace : float or None
        The paper's log10 Tr(XX^T) of the centred data, where it states it.
    in_paper : bool
        Whether the paper uses it.
    """

    name: str
    title: str
    n_samples: int
    n_features: int
    n_classes: int
    kind: str
    source: str
    file_name: str | None = None
    url: str | None = None
    sha256: str | None = None
    preprocessing: Literal["grey", "none"] = "none"
    image_shape: tuple[int, int] | None = None
    image_order: Literal["C", "F"] | None = None
    log10_trace: float | None = None
    in_paper: bool = True


class DataFileError(ValueError):
    """A file that cannot be used; the message names the file, the fault and the remedy.

    Parameters
    ----------
    path : Path
        The file.
    fault : str
        What is wrong with it, as the rest of a sentence that starts with the file.
    remedy : str
        What to do, as a sentence without its full stop, or as a question.
    """

    def __init__(self, path: Path, fault: str, *, remedy: str) -> None:
        super().__init__(f"'{path}' {fault}. {remedy}{'' if remedy.endswith('?') else '.'}")

    @classmethod
    def said(cls, message: str) -> Self:
        """Return the error with a message that another process has put together."""
        error = cls.__new__(cls)
        error.args = (message,)
        return error


def shown(name: str) -> str:
    r"""Return a name as it may stand in a message: on one line, in quotes, not too long.

    Examples
    --------
    >>> print(shown("two\nlines"), shown("x" * 1000))
    'two\nlines' 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'
    """
    return repr(name if len(name) <= 50 else f"{name[:49]}...")


def listed(names: Iterable[str]) -> str:
    """Return the first few of some names as a list for a message."""
    first = [shown(name) for name in islice(names, 11)]
    return ", ".join(first[:10]) + (", ..." if len(first) > 10 else "") or "none"
