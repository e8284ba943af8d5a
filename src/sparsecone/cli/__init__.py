"""The command `sparsecone`, one file a group of commands."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command, or say what to install."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that does not know a character shows another one.
            stream.reconfigure(errors="replace")
    try:
        from .app import app
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit(f"The command needs the package {error.name}: pip install 'sparsecone[cli]'.")
    app()
