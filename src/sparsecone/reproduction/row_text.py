"""Rows as lines of text: what most rows share is written once, names of scores not at all.

Several thousand rows are kept with the project, so that a line is shorter than its row: the machine
is a reference to an earlier line, but for the moment, and a score is the list of its values.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from .cell import Row
from .machine import MOMENT

#: The entries of a score in the order in which a line has them.
SCORE = ("n_features", "acc_mean", "acc_std", "nmi_mean", "nmi_std", "n_runs", "features")


class RowWriter:
    """Turns rows into lines, given the machines that earlier lines describe.

    Parameters
    ----------
    rows : iterable of Row
        The rows that there are already.
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._machines = {_split(row)[0] for row in rows if "machine" in row}

    def text(self, row: Row) -> bytes:
        """Return the line of a row; that of a machine before it, where it is a new one."""
        if "machine" not in row:
            return _line(row)
        name, lasting, moment = _split(row)
        written = {**row, "machine": [name, moment]}
        if isinstance(row.get("scores"), list):
            written["scores"] = [[score.get(entry) for entry in SCORE] for score in row["scores"]]
        is_new = name not in self._machines
        self._machines.add(name)
        return (_line({"machine": name, "is": lasting}) if is_new else b"") + _line(written)


def rows_of(lines: Iterable[bytes]) -> Iterator[Row]:
    """Yield the rows of some lines."""
    machines: dict[str, Row] = {}
    for line in lines:
        row: Row = json.loads(line)
        if "is" in row:
            machines[row["machine"]] = row["is"]
            continue
        if isinstance(row.get("machine"), list):
            name, moment = row["machine"]
            row["machine"] = {**machines[name], **moment}
            if isinstance(row.get("scores"), list):
                row["scores"] = list(map(_score, row["scores"]))
        yield row


def _score(values: list[Any]) -> Row:
    entries = zip(SCORE, values, strict=True)
    return {entry: value for entry, value in entries if value is not None}


def _split(row: Row) -> tuple[str, Row, Row]:
    """Return a name for the machine of a row, what lasts of it, and the moment."""
    machine = row["machine"]
    lasting = {name: value for name, value in machine.items() if name not in MOMENT}
    moment = {name: value for name, value in machine.items() if name in MOMENT}
    text = json.dumps(lasting, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8], lasting, moment


def _line(content: Row) -> bytes:
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"
