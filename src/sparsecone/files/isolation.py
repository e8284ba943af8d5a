"""Reading a file in a process of its own, which may crash, hang or run out of memory.

The libraries that read .mat, HDF5 and Parquet files are native code: what a damaged file does to
them no `except` can catch. Results come back as plain numbers and text, never as pickles.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from threading import Timer
from typing import IO, Any

from .dataset import DataFileError, Dataset
from .limits import shown_size
from .parcel import received
from .wanted import Wanted

# Kinds of files whose readers are native code that damaged files can crash or hang.
NATIVE = (".mat", ".h5ad", ".parquet", ".feather", ".arrow")
# The libraries themselves, and how many times the contents a reader may hold.
_LIBRARIES = 2**31
_COPIES = 4
_SECONDS = 120.0
_BYTES_A_SECOND = 10**6

_ERRORS = {error.__name__: error for error in (FileNotFoundError, ImportError, ValueError)}


def read_isolated(wanted: Wanted, *, max_seconds: float | None = None) -> Dataset:
    """Return what a file holds, read by a process with limits of memory and time.

    It may take several times the memory that the contents may, and by default two minutes and one
    second a megabyte.
    """
    path, memory = wanted.path, _LIBRARIES + _COPIES * wanted.limit.most
    seconds = max_seconds or _SECONDS + path.stat().st_size / _BYTES_A_SECOND
    request = {"wanted": asdict(wanted), "memory": memory, "seconds": seconds}
    with subprocess.Popen(
        [sys.executable, "-P", "-m", f"{__package__}.child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
    ) as process:
        timer = Timer(seconds, process.kill)
        timer.start()
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            return _answer(process.stdin, process.stdout, json.dumps(request, default=str))
        except (EOFError, BrokenPipeError) as error:
            late = timer.finished.is_set()
            raise _failure(wanted, memory, seconds if late else None) from error
        finally:
            timer.cancel()
            process.kill()


def _answer(stdin: IO[bytes], stdout: IO[bytes], request: str) -> Dataset:
    """Send the request and return what comes back, or raise what was raised there."""
    stdin.write(request.encode())
    stdin.close()
    head, arrays = received(stdout)
    if "error" not in head:
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in head["values"].items()
        }
        return Dataset(**values, **arrays)
    if head["error"] == DataFileError.__name__:
        raise DataFileError.said(head["message"])
    raise _ERRORS.get(head["error"], ValueError)(head["message"])


def _failure(wanted: Wanted, memory: int, seconds: float | None) -> DataFileError:
    """Return the error of a process that ended without an answer."""
    if seconds is not None:
        return DataFileError(
            wanted.path,
            f"was not read within {seconds:.0f} seconds",
            remedy="It may be damaged; if it is only large, raise max_seconds= (--max-seconds)",
        )
    return DataFileError(
        wanted.path,
        "crashes the library that reads it, or needs more memory than the "
        f"{shown_size(memory)} it may take",
        remedy="It may be damaged: download or save it again; if it is only large, raise "
        "max_memory= (--max-memory)",
    )
