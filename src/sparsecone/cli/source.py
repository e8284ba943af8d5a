"""From the options about the file to the data of a fit."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .console import remark, working
from .limits import ReadingLimits
from .scales import scale_note

if TYPE_CHECKING:
    from ..datasets import Dataset
    from .options import Decimal, Missing, Scale


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns of a file are no features; the fields are the options."""

    drop: Sequence[str]
    drop_text: bool
    label: str | None
    no_label: bool
    id: str | None
    no_id: bool


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """A file and how to read it; the fields are the options."""

    file: Path
    columns: ColumnOptions
    scale: Scale
    missing: Missing
    gaps: Sequence[str]
    transpose: bool
    delimiter: str | None
    decimal: Decimal | None
    encoding: str | None
    limits: ReadingLimits

    def load(self) -> Dataset:
        """Return the data as the file has them; say what was decided without being asked for."""
        from ..datasets import load_file

        with working(f"Reading {self.file.name}"):
            dataset = load_file(self.file, **self.reading, **self.limits.options)
        label = self.columns.label
        for note in dataset.notes:
            remark(note)
        if label is None and dataset.label_name is not None:
            remark(
                f"'{dataset.label_name}' is taken for the classes and left out of the features: "
                f"--label {dataset.label_name} evaluates the selection with it, --no-label makes "
                "it a feature."
            )
        if label is not None and dataset.y is not None and dataset.y.dtype.kind == "f":
            raise ValueError(
                f"--label '{label}' holds measurements such as {dataset.y[0]}, not classes: "
                "choose another column, or leave it out with --drop."
            )
        if self.scale == "none":
            warning = scale_note(dataset.X, names_of(dataset))
            if warning is not None:
                remark(warning, style="yellow")
        return dataset

    @property
    def reading(self) -> dict[str, Any]:
        """How the file is read: the parameters of `load_file`."""
        return {
            "label": self.columns.label,
            "find_label": not self.columns.no_label,
            "sample_names": self.columns.id,
            "find_id": not self.columns.no_id,
            "drop": tuple(self.columns.drop),
            "drop_text": self.columns.drop_text,
            "missing": self.missing.value,
            "gaps": tuple(self.gaps),
            "transpose": self.transpose,
            "delimiter": delimiter_of(self.delimiter),
            "decimal": None if self.decimal is None else self.decimal.value,
            "encoding": self.encoding,
        }

    @property
    def recipe(self) -> str:
        """The same in Python: lines that make X, scaling and filling included."""
        from ..datasets import load_file

        known = inspect.signature(load_file).parameters
        given = [
            f", {name}={value!r}"
            for name, value in self.reading.items()
            if value != known[name].default
        ]
        call = f"load_file({str(self.file)!r}{''.join(given)}).X"
        if self.scale == "none":
            return f"from sparsecone.datasets import load_file\nX = {call}"
        return (
            "from sparsecone.datasets import load_file, scaled\n"
            f"X = scaled({call}, {self.scale.value!r})"
        )

    @property
    def preparation(self) -> dict[str, Any]:
        """What was done to the data, for the record."""
        return {
            "file": self.file.name,
            "drop": list(self.columns.drop),
            "label": self.columns.label,
            "id": self.columns.id,
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


def names_of(dataset: Dataset) -> tuple[str, ...]:
    """Return the names of the features, made of their positions where the file has none."""
    from ..files.variables import column_names

    return dataset.feature_names or column_names(dataset.X.shape[1])
