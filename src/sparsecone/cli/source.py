"""From the options about the file to the data of a fit."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .console import remark, working

if TYPE_CHECKING:
    from ..datasets import Dataset
    from .options import Missing, Scale


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """A file and how to read it; the fields are the options."""

    file: Path
    drop: Sequence[str]
    label: str | None
    no_label: bool
    id: str | None
    scale: Scale
    missing: Missing
    transpose: bool
    delimiter: str | None

    def load(self) -> Dataset:
        """Return the data as the file has them; say if a label was found without being named."""
        from ..datasets import load_file

        with working(f"Reading {self.file.name}"):
            dataset = load_file(
                self.file,
                label=self.label,
                find_label=not self.no_label,
                sample_names=self.id,
                drop=self.drop,
                missing=self.missing.value,
                transpose=self.transpose,
                delimiter=delimiter_of(self.delimiter),
            )
        if self.label is None and dataset.label_name is not None:
            remark(
                f"'{dataset.label_name}' is taken for the classes and left out of the features: "
                f"--label {dataset.label_name} evaluates the selection with it, --no-label makes "
                "it a feature."
            )
        if self.label is not None and dataset.y is not None and dataset.y.dtype.kind == "f":
            raise ValueError(
                f"--label '{self.label}' holds measurements such as {dataset.y[0]}, not classes: "
                "choose another column, or leave it out with --drop."
            )
        return dataset

    @property
    def preparation(self) -> dict[str, Any]:
        """What was done to the data, for the record."""
        return {
            "file": self.file.name,
            "drop": list(self.drop),
            "label": self.label,
            "id": self.id,
            "scale": str(self.scale),
            "missing": str(self.missing),
            "transpose": self.transpose,
        }


def delimiter_of(given: str | None) -> str | None:
    r"""Return one character from an option, where a tab may be written \t."""
    if given is None:
        return None
    character = "\t" if given == "\\t" else given
    if len(character) != 1:
        raise ValueError(f"--delimiter must be one character, such as ';' or '\\t', got {given!r}.")
    return character


def split_names(given: Sequence[str] | None) -> list[str]:
    """Return names that were given in several options, or in one with commas between.

    Examples
    --------
    >>> split_names(["a,b", '"c,d"'])
    ['a', 'b', 'c,d']
    """
    rows = csv.reader(given or (), skipinitialspace=True)
    return [name for row in rows for name in row if name]


def names_of(dataset: Dataset) -> tuple[str, ...]:
    """Return the names of the features, made of their positions where the file has none."""
    from ..files.variables import column_names

    return dataset.feature_names or column_names(dataset.X.shape[1])
