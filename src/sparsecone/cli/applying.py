"""From a model and a file to the columns that the model selected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from ..datasets import DataFileError, Dataset, load_file
from ..files.checks import without_gaps
from ..files.variables import column_names
from ..files.wanted import kind_of
from ..model_file import Model
from .console import working

_NAMELESS = (".npz", ".npy", ".mat")


def selected_columns(model: Model, file: Path, **options: Any) -> tuple[Dataset, list[str]]:
    """Return the columns of a file that a model selected, best first, and their names.

    The columns are found by name where the model and the file have names, else by position.
    """
    chosen = model.selector().selected_
    known = model.feature_names or column_names(len(model.scores))
    names = [known[index] for index in chosen]
    stored = model.preparation.get("id")
    if options.get("sample_names") is None and isinstance(stored, str):
        # The column that had the names in the fit, if it is there.
        options["sample_names"] = [stored]
    with working(f"Reading {file.name}"):
        if model.feature_names is not None and kind_of(file) not in _NAMELESS:
            dataset = load_file(file, find_label=False, only=names, missing="keep", **options)
        else:
            dataset = _by_position(load_file(file, missing="keep", **options), model, file, names)
    fill = [model.fill.get(str(index)) for index in chosen]
    return _without_gaps(dataset, file, fill, missing=model.preparation.get("missing")), names


def _by_position(dataset: Dataset, model: Model, file: Path, names: list[str]) -> Dataset:
    width = dataset.X.shape[1]
    if width != len(model.scores):
        raise DataFileError(
            file,
            f"has {width} features, but the model was fitted on {len(model.scores)}",
            remedy="Give a file with the same columns",
        )
    chosen = model.selector().selected_
    return replace(dataset, X=dataset.X[:, chosen], feature_names=tuple(names))


def _without_gaps(
    dataset: Dataset, file: Path, fill: list[float | None], *, missing: str | None
) -> Dataset:
    """Treat gaps in the selected columns as they were treated in the fit."""
    if missing == "median" and not sparse.issparse(dataset.X):
        medians = np.asarray([np.nan if value is None else value for value in fill])
        X = np.where(np.isnan(dataset.X), medians, dataset.X)
        dataset = replace(dataset, X=X)
    return without_gaps(
        dataset, path=file, missing="drop-rows" if missing == "drop-rows" else "error"
    )
