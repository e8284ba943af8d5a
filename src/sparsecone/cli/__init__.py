"""The command `sparsecone`, one file a group of commands."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command, or say what to install."""
    try:
        from .app import app
    except KeyboardInterrupt:
        sys.exit(130)
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit(f"The command needs the package {error.name}: pip install 'sparsecone[cli]'.")
    app()
