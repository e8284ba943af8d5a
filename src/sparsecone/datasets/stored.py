"""The paper's data sets from the user's data folder."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ..files.dataset import Dataset, DatasetInfo
from ..files.reading import READERS, load_file
from ..linalg.types import Array
from .registry import DATASETS, dataset_info
from .stored_check import check_file

FOLDER_VARIABLE = "SPARSECONE_DATA"
#: The largest grey level of eight bits.
WHITE = 255.0


def data_folder() -> Path:
    """Return the folder named by SPARSECONE_DATA, or ~/.cache/sparsecone where it is not set."""
    return Path(os.environ.get(FOLDER_VARIABLE) or Path.home() / ".cache" / "sparsecone")


def load(name: str, *, preprocess: bool = False) -> Dataset:
    """Load one of the paper's data sets from the data folder.

    The file is called after the data set or as the public file is, in capitals or not:
    isolet.npz, Isolet.mat, isolet.csv. `fetch` downloads those that have a public address.

    Parameters
    ----------
    name : str
        Name of the data set, one of those in `DATASETS`.
    preprocess : bool, default=False
        Whether to bring the grey levels of image sets to [0, 1], as the paper does: those from 0
        to 255 are divided by 255, others are between 0 and 1 already. All pixels have one scale:
        so are the faces (PIE) that the paper's authors published, and with them its numbers of
        iterations are found again, which they are not with every pixel scaled by itself.

    Returns
    -------
    Dataset
        The data as float64, neither centred nor otherwise scaled.

    Raises
    ------
    FileNotFoundError
        If the folder has no such file; the message lists those it has and how to get the rest.
    DataFileError
        If the file is damaged or holds another data set; a ValueError.

    Warns
    -----
    UserWarning
        If the paper states Tr(XX^T) and that of the file is another one.
    """
    info = dataset_info(name)
    path = find(info)
    if path is None:
        raise FileNotFoundError(_how_to_get(info))
    dataset = load_file(path, name=info.name)
    check_file(path, dataset, info)
    return replace(dataset, X=grey(dataset.X, info)) if preprocess else dataset


def grey(X: Array, info: DatasetInfo) -> Array:
    """Return the samples with grey levels between 0 and 1, where they are images."""
    is_coarse = info.preprocessing == "grey" and X.max() > 1.0
    return X / WHITE if is_coarse else X


def find(info: DatasetInfo) -> Path | None:
    """Return the file of a data set in the data folder, or None."""
    folder = data_folder()
    names = {info.name + suffix for suffix in READERS}
    if info.file_name is not None:
        names.add(info.file_name.lower())
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    return next((file for file in files if file.name.lower() in names), None)


def available() -> list[str]:
    """Return the names of the data sets in the data folder."""
    return [info.name for info in DATASETS if find(info) is not None]


def _how_to_get(info: DatasetInfo) -> str:
    """Return one line on what the folder has and where the missing data set comes from."""
    folder = data_folder()
    has = ", ".join(available()) or "none"
    if info.url is not None:
        remedy = f"fetch('{info.name}') downloads it from {info.url}"
    else:
        remedy = (
            f"save it there as {info.name}.npz with the arrays X, {info.n_samples} samples x "
            f"{info.n_features} features, and y, {info.n_classes} classes"
        )
    return (
        f"The data folder '{folder}' has no file of {info.title}; it has: {has}. "
        f"Set {FOLDER_VARIABLE} to another folder, or {remedy} (source: {info.source})."
    )
