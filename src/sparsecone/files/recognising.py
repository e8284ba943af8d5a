"""Recognising how the text of a table is written, as a person sees it at once."""

from __future__ import annotations

import codecs
import csv
import re
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

from .csv_text import are_names
from .dataset import DataFileError, shown
from .text_format import DELIMITERS, UTF_8, TextFormat, opened

_WINDOWS = "cp1252"
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_CHUNK = 1 << 20
_START = 1 << 16
_ROWS, _ENTRIES = 50, 10_000
# Excel says so in a first line of its own.
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*')


def format_of(path: Path, *, encoding: str | None, delimiter: str | None) -> TextFormat:
    """Return how a text is written: what is given, and the rest as it looks."""
    encoding = _encoding_of(path) if encoding is None else _known_encoding(encoding)
    with opened(path, "rt", encoding=encoding, newline="") as file:
        start = file.read(_START)
    first = start.splitlines(keepends=True)[0] if start else ""
    said = _SEPARATOR_LINE.fullmatch(first)
    plain = TextFormat(
        encoding=encoding,
        delimiter=",",
        n_skipped=int(bool(said)),
        ends_in_returns="\r" in start and "\n" not in start,
    )
    if delimiter is None and said:
        delimiter = said[1]
    if delimiter is not None:
        given = replace(plain, delimiter=delimiter)
        return _below_a_title(given, _first_rows(path, given, clean=False)) or given
    signs = [sign for sign in (*DELIMITERS, " ") if sign == "," or sign in start]
    return _first_that_fits(path, [replace(plain, delimiter=sign) for sign in signs])


def _first_that_fits(path: Path, formats: list[TextFormat]) -> TextFormat:
    """Return the format that gives the first lines the same number of columns, two or more.

    One in which every quotation mark that opens an entry also ends it comes first. Then one that
    does so below some lines of a single entry, such as a title. Where none does, it is the one
    whose delimiter stands most often in the first line.
    """
    for clean in (True, False):
        tables = [_first_rows(path, how, clean=clean) for how in formats]
        for how, table in zip(formats, tables, strict=True):
            widths = {len(row) for _, row in table}
            if len(widths) == 1 and max(widths) > 1:
                return how
    for how, table in zip(formats, tables, strict=True):
        below = _below_a_title(how, table)
        if below is not None:
            return below
    counts = [
        (len(table[0][1]) if table else 1, how)
        for how, table in zip(formats, tables, strict=True)
        if how.delimiter != " "
    ]
    width, widest = max(reversed(counts), key=lambda found: found[0])
    if width > 1:
        return widest
    # A single column, in which commas may stand in the numbers.
    is_single = all(len(row) == 1 for _, row in tables[formats.index(widest)])
    return widest if is_single else replace(widest, delimiter=";")


def _below_a_title(how: TextFormat, table: list[tuple[int, list[str]]]) -> TextFormat | None:
    """Return the format of a table below lines of one entry, or below a name too few; or None."""
    title = list(takewhile(lambda found: len(found[1]) == 1, table))
    below = [row for _, row in table[len(title) :]]
    widths = [len(row) for row in below]
    if len(below) > 1 and widths[0] > 1 and len(set(widths)) == 1 and title:
        if are_names([entry.strip() for entry in below[0]]):
            return replace(how, n_skipped=how.n_skipped + title[-1][0])
    elif len(below) > 2 and set(widths[1:]) == {widths[0] + 1} and are_names(below[0]):
        firsts = [row[0] for row in below[1:]]
        if not title and len(set(firsts)) == len(firsts):
            return replace(how, names_rows=True)
    return None


def _first_rows(path: Path, how: TextFormat, *, clean: bool) -> list[tuple[int, list[str]]]:
    """Return the first rows that have an entry, each with the number of lines up to its end.

    Those that must be clean are none if something follows the quotation mark that ends an entry.
    """
    found: list[tuple[int, list[str]]] = []
    n_entries = 0
    with how.text_of(path) as file:
        rows = csv.reader(file, delimiter=how.delimiter, strict=clean)
        try:
            for row in rows:
                if row:
                    found.append((rows.line_num, row))
                    n_entries += len(row)
                if len(found) == _ROWS or (len(found) > 3 and n_entries > _ENTRIES):
                    break
        except csv.Error:
            if not clean:
                raise
            return []
    return found


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
