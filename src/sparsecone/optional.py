"""Packages that only some users need."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def require(
    package: str, *, purpose: str, extra: str | None = None, install: str | None = None
) -> Any:
    """Import an optional package, or say what to install.

    Parameters
    ----------
    package : str
        Name of the package.
    purpose : str
        What needs it, as the subject of a sentence.
    extra : str or None
        The extra of this library that installs it, where there is one.
    install : str or None
        What to install where there is none.

    Returns
    -------
    module
        The package.

    Examples
    --------
    >>> require("nowhere_to_be_found", purpose="Reading a .xyz file", extra="datasets")
    Traceback (most recent call last):
        ...
    ImportError: Reading a .xyz file needs the package nowhere_to_be_found: pip install
    'sparsecone[datasets]'.
    """
    try:
        return import_module(package)
    except ImportError as error:
        wanted = f"'sparsecone[{extra}]'" if install is None else install
        raise ImportError(
            f"{purpose} needs the package {package}: pip install {wanted}."
        ) from error
