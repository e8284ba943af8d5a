"""How a command ends: its exit code, and an error as one line."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from functools import wraps

import typer

from . import written
from .console import complain

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130

EPILOG = (
    "Exit codes: 0 done; 1 could not finish; 2 the call or a file is wrong; "
    "130 interrupted by Ctrl-C. Results go to stdout, messages to stderr."
)
_TRACEBACK_VARIABLE = "SPARSECONE_TRACEBACK"


def one_line_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that turns what goes wrong into a line on stderr and an exit code."""

    @wraps(command)
    def guarded(*args: object, **options: object) -> None:
        written.start()
        try:
            command(*args, **options)
        except (typer.Exit, typer.Abort, typer.BadParameter, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            complain(f"Interrupted: {written.told()}.")
            raise typer.Exit(INTERRUPTED) from None
        except Exception as error:
            if os.environ.get(_TRACEBACK_VARIABLE):
                traceback.print_exc()
            complain(_line(error).replace("\n", " "))
            raise typer.Exit(_code(error)) from error

    return guarded


def _code(error: Exception) -> int:
    """Return the exit code of an error: wrong values and files are the caller's to put right."""
    if isinstance(error, ConnectionError):
        return FAILED
    return BAD_INPUT if isinstance(error, ValueError | OSError) else FAILED


def _line(error: Exception) -> str:
    """Return what went wrong, in one line."""
    if isinstance(error, OSError) and error.strerror:
        place = f"'{error.filename}': " if error.filename else ""
        told = written.told()
        return (
            f"{place}{error.strerror}. {told[0].upper()}{told[1:]}: check the disk and the folder."
        )
    if isinstance(error, ValueError | OSError | ImportError):
        return str(error)
    if isinstance(error, MemoryError):
        return "Out of memory: give fewer columns or rows, or a sparse file."
    return f"{type(error).__name__}: {error} (set {_TRACEBACK_VARIABLE}=1 to see where)"
