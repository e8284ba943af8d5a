"""Downloading the data sets that have a public address."""

from __future__ import annotations

from pathlib import Path

from ..optional import require
from .registry import dataset_info
from .stored import data_folder, find


def fetch(name: str) -> Path:
    """Download a data set into the data folder, unless it is there already.

    The files keep the terms of their origins: see `DatasetInfo.source`. Needs pooch.

    Parameters
    ----------
    name : str
        Name of the data set, one of those in `DATASETS`.

    Returns
    -------
    Path
        The file, which `load` finds from now on.

    Raises
    ------
    ValueError
        If no public address of the data set is known.
    ConnectionError
        If the download fails.
    """
    info = dataset_info(name)
    stored = find(info)
    if stored is not None:
        return stored
    folder = data_folder()
    if info.url is None:
        raise ValueError(
            f"No public address of {info.title} is known (source: {info.source}). Save it as "
            f"'{folder / info.name}.npz' with the arrays X and y."
        )
    pooch = require("pooch", purpose="Downloading a data set", extra="datasets")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        file = pooch.retrieve(info.url, known_hash=info.sha256, fname=info.file_name, path=folder)
    except OSError as error:
        raise ConnectionError(
            f"{info.title} could not be downloaded from {info.url} ({type(error).__name__}). "
            f"Check the network, or save the file by hand in '{folder}'."
        ) from error
    return Path(file)
