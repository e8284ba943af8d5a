"""From the options about the file, its memory and time included, to the data of a fit."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from . import options
from .console import remark, working

if TYPE_CHECKING:
    from ..datasets import Dataset


@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """A file and how to read it; the fields are the options."""

    file: options.DataFile
    drop: Annotated[
        list[str] | None,
        options.file_option("--drop", help="Columns to leave out: a,b or repeated."),
    ] = None
    drop_text: Annotated[
        bool, options.file_option("--drop-text", help="Leave out the columns of text and dates.")
    ] = False
    label: Annotated[
        str | None,
        options.file_option(
            "--label",
            help="The column with classes; k-means on the selection is compared with them, "
            "the selection never sees them.",
        ),
    ] = None
    no_label: Annotated[
        bool,
        options.file_option(
            "--no-label",
            help="Take a column called y, label, class ... as a feature like any other.",
        ),
    ] = False
    id_column: options.Id = None
    no_id: Annotated[
        bool,
        options.file_option("--no-id", help="Take a column called id, index ... as a feature."),
    ] = False
    scale: Annotated[
        options.Scale, options.file_option("--scale", help="Scale the features for the fit.")
    ] = options.Scale.NONE
    missing: Annotated[
        options.Missing, options.file_option("--missing", help="What to do about gaps.")
    ] = options.Missing.ERROR
    gap: options.Gap = None
    transpose: options.Transpose = False
    delimiter: options.Delimiter = None
    decimal: options.DecimalSign = None
    encoding: options.Encoding = None
    max_memory: options.MaxMemory = None
    max_seconds: options.MaxSeconds = None

    def __post_init__(self) -> None:
        # What is no size is said at once, and of streamed files too.
        limits_of(self.file, self.max_memory, self.max_seconds)

    def load(self) -> Dataset:
        """Return the data as the file has them; say what was decided without being asked for."""
        from ..datasets import load_file
        from .scales import scale_note

        limits = limits_of(self.file, self.max_memory, self.max_seconds)
        with working(f"Reading {self.file.name}"):
            dataset = load_file(self.file, **self.reading, **limits)
        label = self.label
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
            "label": self.label,
            "find_label": not self.no_label,
            "sample_names": self.id_column,
            "find_id": not self.no_id,
            "drop": tuple(self.drop or ()),
            "drop_text": self.drop_text,
            "missing": self.missing.value,
            "gaps": tuple(self.gap or ()),
            "transpose": self.transpose,
            "delimiter": delimiter_of(self.delimiter),
            "decimal": self.decimal and self.decimal.value,
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
            "drop": list(self.drop or ()),
            "label": self.label,
            "id": self.id_column,
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


def limits_of(file: Path, max_memory: str | None, max_seconds: float | None) -> dict[str, Any]:
    """Return parameters of `load_file`; native readers always have a process of their own."""
    from ..files.isolation import NATIVE
    from ..files.wanted import kind_of

    return {
        "isolated": kind_of(file) in NATIVE,
        "max_memory": bytes_of(max_memory),
        "max_seconds": max_seconds,
    }


def bytes_of(given: str | None) -> int | None:
    """Return a size from its text.

    Examples
    --------
    >>> [bytes_of(text) for text in ("16GB", "1.5 MB", "512")]
    [16000000000, 1500000, 512]
    """
    if given is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(|[kMGT])B?", given.strip())
    if found is None:
        raise ValueError(f"--max-memory must be a size such as 16GB, got {given!r}.")
    number, unit = found.groups()
    return int(float(number) * 1000 ** " kMGT".index(unit or " "))
