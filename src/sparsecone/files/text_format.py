"""How the text of a table is written: its encoding and what separates its columns."""

from __future__ import annotations

import codecs
import csv
import gzip
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from .dataset import DataFileError, shown

# The comma last: it also stands in numbers and in sentences.
DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}
UTF_8 = "utf-8-sig"
_WINDOWS = "cp1252"
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_CHUNK = 1 << 20
_ROWS = 50
_LONGEST_ENTRY = 10_000_000
# Excel says so in a first line of its own.
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*')


@dataclass(frozen=True, kw_only=True)
class TextFormat:
    """How a text is to be read.

    Attributes
    ----------
    encoding : str
        Its encoding, as Python calls it.
    delimiter : str
        What separates columns.
    n_skipped : int
        Lines before that of the names.
    """

    encoding: str
    delimiter: str
    n_skipped: int = 0

    @contextmanager
    def text_of(self, path: Path) -> Iterator[IO[str]]:
        """Open the table as text, unpacked, after the lines to skip."""
        with opened(path, "rt", encoding=self.encoding, newline="") as file:
            csv.field_size_limit(_LONGEST_ENTRY)
            for _ in range(self.n_skipped):
                file.readline()
            yield file

    def remarks(self, usual_delimiter: str) -> list[str]:
        """Return what is unusual about it, in words."""
        told = []
        if self.encoding != UTF_8:
            told.append(f"in {self.encoding}")
        if self.delimiter != usual_delimiter:
            told.append(f"with {DELIMITERS.get(self.delimiter, self.delimiter)} between columns")
        return told


def opened(path: Path, mode: str, **options: Any) -> IO[Any]:
    """Open a file, unpacked."""
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    file: IO[Any] = opener(path, mode, **options)
    return file


def format_of(path: Path, *, encoding: str | None, delimiter: str | None) -> TextFormat:
    """Return how a text is written: what is given, and the rest as it looks."""
    encoding = _encoding_of(path) if encoding is None else _known_encoding(encoding)
    with opened(path, "rt", encoding=encoding, newline="") as file:
        said = _SEPARATOR_LINE.fullmatch(file.readline(100))
    plain = TextFormat(encoding=encoding, delimiter=delimiter or ",", n_skipped=int(bool(said)))
    if delimiter is not None:
        return plain
    found = said[1] if said else _delimiter_of(path, plain)
    return TextFormat(encoding=encoding, delimiter=found, n_skipped=plain.n_skipped)


def usual_delimiter(kind: str) -> str:
    """Return what separates columns in files of such an ending."""
    return "\t" if kind.startswith(".tsv") else ","


def _known_encoding(given: str) -> str:
    try:
        return UTF_8 if codecs.lookup(given).name == "utf-8" else given
    except LookupError:
        raise ValueError(
            f"There is no encoding {shown(given)}: give one that Python knows, such as utf-8, "
            "utf-16 or cp1252 (--encoding)."
        ) from None


def _encoding_of(path: Path) -> str:
    """Return UTF-8, UTF-16 by its mark, or else that of Windows in Western Europe."""
    with opened(path, "rb") as file:
        start = file.read(4096)
    for mark, encoding in _MARKS.items():
        if start.startswith(mark):
            return encoding
    if b"\0" in start:
        raise DataFileError(
            path,
            "holds bytes that are no text",
            remedy="Give it the ending of its kind, or say encoding='utf-16-le' "
            "(--encoding utf-16-le) if it is text",
        )
    for encoding in (UTF_8, _WINDOWS):
        if _is_text(path, encoding):
            return encoding
    raise DataFileError(
        path,
        "is no text in UTF-8, UTF-16 or cp1252",
        remedy="Say what it is: encoding= (--encoding), such as cp1250, latin-1 or shift_jis",
    )


def _is_text(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with opened(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _delimiter_of(path: Path, plain: TextFormat) -> str:
    """Return the delimiter that gives the first lines the same number of columns, two or more.

    Where none does, it is the one that stands most often in the first line.
    """
    widths = {}
    for delimiter in DELIMITERS:
        with plain.text_of(path) as file:
            rows = (row for row in csv.reader(file, delimiter=delimiter) if row)
            widths[delimiter] = [len(row) for row in islice(rows, _ROWS)]
    for delimiter, found in widths.items():
        if found and found[0] > 1 and len(set(found)) == 1:
            return delimiter
    by_width = sorted(widths, key=lambda delimiter: widths[delimiter][:1])
    return by_width[-1]
