"""The application that all commands belong to."""

from __future__ import annotations

import typer

from .reproduce import reproduce

app = typer.Typer(
    help="Unsupervised feature selection by convex sparse PCA.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(reproduce)


@app.callback()
def sparsecone() -> None:
    """Unsupervised feature selection by convex sparse PCA."""
