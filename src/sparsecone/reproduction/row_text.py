"""Rows as lines of text: what many rows share is written once, names of scores not at all.

Several thousand rows are kept with the project, so that a line is shorter than its row: data set,
method, protocol and machine are a reference to an earlier line, and a score is the list of its
values.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from .cell import Row
from .machine import MOMENT

#: Entries that all rows of a method on a data set have in common, mostly.
SHARED = (
    *("dataset", "method", "scaling", "n_features", "n_runs", "keep", "read", "repeats"),
    *("solver", "timer", "shape"),
)
#: The entries of a score in the order in which a line has them.
SCORE = ("n_features", "acc_mean", "acc_std", "nmi_mean", "nmi_std", "n_runs", "features")


class RowWriter:
    """Turns rows into lines, given what the lines of earlier rows say."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._written = {_name(_shared(row)) for row in rows if "machine" in row}

    def text(self, row: Row) -> bytes:
        """Return the line of a row; before it, where it is new, that of what it shares."""
        if "machine" not in row:
            return _line(row)
        shared = _shared(row)
        name = _name(shared)
        own = {entry: value for entry, value in row.items() if entry not in SHARED}
        own["machine"] = [row["machine"].get(entry) for entry in MOMENT]
        if isinstance(row.get("scores"), list):
            own["scores"] = [[score.get(entry) for entry in SCORE] for score in row["scores"]]
        first = b"" if name in self._written else _line({"shared": name, "is": shared})
        self._written.add(name)
        return first + _line({"key": own.pop("key"), "shared": name, **own})


def rows_of(lines: Iterable[bytes]) -> Iterator[Row]:
    """Yield the rows of some lines."""
    shared: dict[str, Row] = {}
    for line in lines:
        row: Row = json.loads(line)
        if "is" in row:
            shared[row["shared"]] = row["is"]
        else:
            yield _whole(row, shared[row.pop("shared")]) if "shared" in row else row


def _whole(own: Row, shared: Row) -> Row:
    """Return a row from its line and what it shares with others."""
    moment = zip(MOMENT, own.pop("machine"), strict=True)
    row = {"key": own["key"], **shared, **own}
    row["machine"] = {**shared["machine"], **dict(moment)}
    if isinstance(row.get("scores"), list):
        row["scores"] = list(map(_score, row["scores"]))
    return row


def _score(values: list[Any]) -> Row:
    entries = zip(SCORE, values, strict=True)
    return {entry: value for entry, value in entries if value is not None}


def _shared(row: Row) -> Row:
    """Return what a row has in common with others: the machine without the moment, and more."""
    lasting = {name: value for name, value in row["machine"].items() if name not in MOMENT}
    return {**{name: row[name] for name in SHARED if name in row}, "machine": lasting}


def _name(shared: Row) -> str:
    text = json.dumps(shared, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _line(content: Row) -> bytes:
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"
