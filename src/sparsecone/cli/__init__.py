"""The command `sparsecone`, one file a group of commands."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command, or say what to install."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that does not know a character shows another one.
            stream.reconfigure(errors="replace")
    signal.signal(signal.SIGTERM, _end)
    try:
        from .app import app
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit(f"The command needs the package {error.name}: pip install 'sparsecone[cli]'.")
    app()


def _end(number: int, _: object) -> None:
    """Leave by the usual way when asked to end, so that no drafts stay; at once the second time."""
    signal.signal(number, signal.SIG_DFL)
    sys.exit(128 + number)
