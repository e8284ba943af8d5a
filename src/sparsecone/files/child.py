"""The process that reads a file for another one: `python -m sparsecone.files.child`."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import IO, Any

import numpy as np
from scipy import sparse

from .parcel import send
from .wanted import Wanted


def main() -> None:
    """Read the file that stdin asks for, and write to stdout what it holds or what is wrong."""
    request = json.load(sys.stdin)
    # What libraries print must not come between the numbers.
    with os.fdopen(os.dup(1), "wb") as stream:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        _limit(request["memory"], request["seconds"])
        answer(request["wanted"], stream)


def answer(given: dict[str, Any], stream: IO[bytes]) -> None:
    """Read a file and send the data set, or the error."""
    from .reading import read

    try:
        dataset = read(_wanted(given))
    except (ValueError, ImportError, FileNotFoundError) as error:
        send(stream, {"error": type(error).__name__, "message": str(error)}, {})
        return
    values = {field.name: getattr(dataset, field.name) for field in fields(dataset)}
    arrays = {
        name: value
        for name, value in values.items()
        if isinstance(value, np.ndarray) or sparse.issparse(value)
    }
    plain = {name: value for name, value in values.items() if name not in arrays}
    send(stream, {"values": plain}, arrays)


def _wanted(given: dict[str, Any]) -> Wanted:
    """Return the request as it was before it was text."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in given.items()
    }
    return Wanted(**values | {"path": Path(given["path"])})


def _limit(memory: int, seconds: float) -> None:
    """Let the system end this process where it takes too much; Windows has no such limits."""
    with suppress(ImportError):
        import resource

        def lower(kind: int, limit: int) -> None:
            hard = resource.getrlimit(kind)[1]
            most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            # macOS refuses limits of memory that it does not keep.
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, hard))

        lower(resource.RLIMIT_AS, memory)
        lower(resource.RLIMIT_CORE, 0)
        # Whoever asked is the one to stop this process; should it be gone, the system does.
        lower(resource.RLIMIT_CPU, int(seconds + 1) * (os.cpu_count() or 1))


if __name__ == "__main__":
    main()
