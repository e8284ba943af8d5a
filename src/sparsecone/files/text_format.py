"""How the text of a table is written."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

# The comma last: it also stands in numbers and in sentences.
DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}
UTF_8 = "utf-8-sig"
_LONGEST_ENTRY = 10_000_000


@dataclass(frozen=True, kw_only=True)
class TextFormat:
    """How a text is to be read."""

    encoding: str  #: Its encoding, as Python calls it.
    delimiter: str  #: What separates columns.
    n_skipped: int = 0  #: Lines before that of the names.
    #: Whether lines end in a carriage return alone, as on old Macintoshes.
    ends_in_returns: bool = False
    #: Whether every line begins with the name of a row, which has no name, as R writes it.
    names_rows: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the file can be read as it is, in UTF-8 from its first line on."""
        return self.encoding == UTF_8 and not self.n_skipped and not self.ends_in_returns

    @contextmanager
    def text_of(self, path: Path) -> Iterator[IO[str]]:
        """Open the table as text, unpacked, after the lines to skip."""
        with opened(path, "rt", encoding=self.encoding, newline="") as file:
            csv.field_size_limit(_LONGEST_ENTRY)
            for _ in range(self.n_skipped):
                file.readline()
            yield file


def opened(path: Path, mode: str, **options: Any) -> IO[Any]:
    """Open a file, unpacked."""
    opener: Any = gzip.open if path.suffix.lower() == ".gz" else open
    file: IO[Any] = opener(path, mode, **options)
    return file


def usual_delimiter(kind: str) -> str:
    """Return what separates columns in files of such an ending."""
    return "\t" if kind.startswith(".tsv") else ","
