"""The application that all commands belong to."""

from __future__ import annotations

from typing import Annotated

import typer

from .apply import apply
from .compare import compare
from .datasets import datasets
from .demo import demo
from .exits import EPILOG, one_line_errors
from .methods import methods
from .reproduce import reproduce
from .select import select

app = typer.Typer(epilog=EPILOG, no_args_is_help=True, pretty_exceptions_enable=False)


def _paragraphs(docstring: str | None) -> str:
    """Return a docstring without the line breaks within its paragraphs."""
    return "\n\n".join(" ".join(part.split()) for part in (docstring or "").split("\n\n"))


for command in (select, apply, compare, methods, demo, reproduce):
    guarded = one_line_errors(command)
    app.command(epilog=EPILOG, help=_paragraphs(command.__doc__))(guarded)
app.add_typer(datasets, name="datasets")


def _show_version(wanted: bool) -> None:
    if wanted:
        from .. import __version__

        typer.echo(f"sparsecone {__version__}")
        raise typer.Exit


@app.callback()
def sparsecone(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Unsupervised feature selection by convex sparse PCA, with certificates.

    sparsecone select data.csv -k 50 --report report.html
    """
