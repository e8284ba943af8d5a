"""Reading .csv and .tsv files as they are."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .csv_text import GAPS, are_names, are_years, blank_lines, check_rows, first_row, numbered
from .dataset import DataFileError
from .number_text import THOUSANDS, bare, has_decimal_commas
from .recognising import format_of
from .text_format import DELIMITERS, UTF_8, TextFormat, usual_delimiter
from .variables import column_names
from .wanted import Wanted, kind_of

if TYPE_CHECKING:
    import polars as pl

# Types are guessed from so many lines; all are read where the guess fails.
_GUESSED_FROM = 1000


@dataclass(frozen=True)
class RawTable:
    """A table as the file has it."""

    frame: pl.DataFrame  #: Its columns, with gaps as nulls.
    notes: list[str] = field(default_factory=list)  #: What there is to say about it.
    decimal: str | None = None  #: What separates fractions in its text, as far as it is known.


def read_text(wanted: Wanted, polars: Any) -> RawTable:
    """Return the columns of a text.

    A file with numbers in its first line has no names: its columns are called column_0, column_1
    and so on, after their indices.
    """
    path = wanted.path
    how = format_of(path, encoding=wanted.encoding, delimiter=wanted.delimiter)
    first = first_row(path, how)
    named = are_names(first)
    names, notes = numbered(first) if named else (list(column_names(len(first))), [])
    if how.names_rows:
        how, named, names = replace(how, n_skipped=how.n_skipped + 1), False, ["", *names]
        notes.append("Lines have an entry more than there are names: the first names the row.")
    if named and are_years(first):
        notes.append(f"The years in the first line of '{path.name}' are taken for names.")
    settings: dict[str, Any] = {
        "has_header": named,
        "separator": how.delimiter,
        "null_values": [*GAPS, *wanted.gaps],
    }
    frame = _typed(path, how, polars, settings)
    if frame.width != len(names) or frame[:, -1].null_count() > 0:
        # polars fills up short lines; each of them lacks its last entry.
        check_rows(path, how)
    frame.columns = names
    frame, has_commas = _with_thousands(frame, wanted, how, polars, settings)
    frame = _without_blank(frame, path, how, polars, n_skipped=int(named))
    if frame.height == 0:
        raise DataFileError(
            path, "has a line of names but no rows", remedy="Add a line a sample, or save it again"
        )
    told = _told(how, wanted) + (["with decimal commas"] if has_commas else [])
    if told:
        notes.insert(0, f"'{path.name}' is read {', '.join(told)}, as it looks.")
    frame = without_empty(frame, first if named else names)
    return RawTable(frame, notes, "," if has_commas else wanted.decimal)


def _told(how: TextFormat, wanted: Wanted) -> list[str]:
    """Return what is unusual about a text and was not said by the caller, in words."""
    told = []
    if wanted.encoding is None and how.encoding != UTF_8:
        told.append(f"in {how.encoding}")
    if wanted.delimiter is None and how.delimiter != usual_delimiter(kind_of(wanted.path)):
        told.append(f"with {DELIMITERS.get(how.delimiter, 'spaces')} between columns")
    if how.n_skipped > int(how.names_rows):
        told.append(f"from line {how.n_skipped + 1 - int(how.names_rows)} on")
    return told


def _source(path: Path, how: TextFormat) -> Path | BytesIO:
    """Return what polars reads, which is UTF-8."""
    if how.is_plain:
        return path
    with how.text_of(path) as file:
        text = file.read()
    return BytesIO((text.replace("\r", "\n") if how.ends_in_returns else text).encode())


def _typed(path: Path, how: TextFormat, polars: Any, settings: dict[str, Any]) -> pl.DataFrame:
    """Read with types guessed from some lines or, where that fails, from all."""
    for lines in (_GUESSED_FROM, None):
        try:
            frame: pl.DataFrame = polars.read_csv(
                _source(path, how), infer_schema_length=lines, **settings
            )
        except polars.exceptions.ComputeError:
            continue
        return frame
    check_rows(path, how)
    raise _unreadable(path)


def _unreadable(path: Path) -> DataFileError:
    return DataFileError(
        path,
        f"cannot be read as {path.suffix}: entries and types do not fit together",
        remedy="Look for a quotation mark that is not closed",
    )


def _without_blank(
    frame: pl.DataFrame, path: Path, how: TextFormat, polars: Any, *, n_skipped: int
) -> pl.DataFrame:
    """Return the table less lines without any entry, which are no samples; gaps alone are one."""
    # A first column without gaps spares the look at all others.
    if frame.height and not (
        frame[:, 0].null_count()
        and frame.select(polars.all_horizontal(polars.all().is_null())).to_series().any()
    ):
        return frame
    blank = blank_lines(path, how)[n_skipped:]
    if len(blank) != frame.height:
        raise _unreadable(path)
    return frame.filter(~polars.Series(blank, dtype=polars.Boolean))


def _with_thousands(
    frame: pl.DataFrame, wanted: Wanted, how: TextFormat, polars: Any, settings: dict[str, Any]
) -> tuple[pl.DataFrame, bool]:
    """Return the table, and whether it has decimal commas: a point is then none.

    Beside decimal commas 12.500 are thousands, which were taken for fractions.
    """
    names = [name for name, kind in frame.schema.items() if kind == polars.String]
    texts = [bare(frame[name], polars) for name in names]
    recognised = wanted.decimal is None and has_decimal_commas(texts)
    if not (recognised or wanted.decimal == ","):
        return frame, False
    fractions = [place for place, kind in enumerate(frame.dtypes) if kind == polars.Float64]
    if fractions:
        raw = polars.read_csv(
            _source(wanted.path, how), infer_schema=False, columns=fractions, **settings
        )
        raw.columns = [frame.columns[place] for place in fractions]
        known = [bare(column, polars).drop_nulls() for column in raw]
        grouped = [column.name for column in known if column.str.contains(THOUSANDS).all()]
        frame = frame.with_columns(raw.select(grouped))
    return frame, recognised


def without_empty(frame: pl.DataFrame, given: list[str]) -> pl.DataFrame:
    """Return a table less the columns with neither name nor entry, as a last comma makes them."""
    empty = [
        name
        for name, text in zip(frame.columns, given, strict=True)
        if text == "" and frame[name].null_count() == frame.height
    ]
    return frame.drop(empty) if len(empty) < frame.width else frame
