"""Files of annotated cells: what they must hold, and the names of cells that have gaps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import anndata
from sparsecone.datasets import DataFileError, load_file

X = np.array([[0.0, 2.0], [3.0, 0.0], [0.0, 5.0]])


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    columns: dict[str, Any] = {
        "kind": pd.Categorical(["t", None, "b"]),
        "count": pd.array([1, None, 3], dtype="Int64"),
        "depth": [0.5, 1.5, 2.0],
        "donor": ["u", "v", "w"],
    }
    obs = pd.DataFrame(columns, index=["c1", "c2", "c3"])
    var = pd.DataFrame(index=["g1", "g2"])
    anndata.AnnData(X=sparse.csr_matrix(X), obs=obs, var=var).write_h5ad(tmp_path / "t.h5ad")
    return tmp_path / "t.h5ad"


@pytest.mark.parametrize(
    ("column", "names"),
    [
        ("kind", ("t", "", "b")),
        ("count", ("1", "", "3")),
        ("depth", ("0.5", "1.5", "2.0")),
        ("donor", ("u", "v", "w")),
    ],
)
def test_a_gap_among_the_names_of_cells_is_no_name(
    cells: Path, column: str, names: tuple[str, ...]
) -> None:
    dataset = load_file(cells, sample_names=column)
    assert dataset.sample_names == names
    assert (dataset.y, dataset.label_name) == (None, None)


def test_no_label_is_looked_for(cells: Path) -> None:
    assert load_file(cells).y is None
    labelled = load_file(cells, label="donor")
    assert labelled.y is not None
    assert (labelled.y.tolist(), labelled.label_name) == (["u", "v", "w"], "donor")
    with pytest.raises(DataFileError, match=r"has no column 'donors'. Did you mean 'donor'"):
        load_file(cells, label="donors")


def test_x_obs_and_var_are_enough(cells: Path) -> None:
    with h5py.File(cells, "r+") as file:
        for name in set(file) - {"X", "obs", "var"}:
            del file[name]
    dataset = load_file(cells)
    assert dataset.X.toarray().tolist() == X.tolist()
    assert dataset.feature_names == ("g1", "g2")


@pytest.mark.parametrize("part", ["X", "obs", "var"])
def test_a_part_that_is_not_there_is_told(cells: Path, part: str) -> None:
    with h5py.File(cells, "r+") as file:
        del file[part]
    with pytest.raises(DataFileError, match=r"no X with the groups obs and var .*recent anndata"):
        load_file(cells)


@pytest.mark.parametrize("part", ["obs", "var"])
def test_tables_of_old_versions_are_told(cells: Path, part: str) -> None:
    with h5py.File(cells, "r+") as file:
        del file[part]
        file[part] = np.zeros(3, dtype=[("index", "i4")])
    with pytest.raises(DataFileError, match="no X with the groups obs and var"):
        load_file(cells)


@pytest.mark.parametrize(
    ("stored", "message"), [("dok_matrix", "stores X as dok_matrix"), (None, "an unknown kind")]
)
def test_an_unknown_kind_of_matrix_is_told(cells: Path, stored: str | None, message: str) -> None:
    with h5py.File(cells, "r+") as file:
        del file["X"].attrs["encoding-type"]
        if stored is not None:
            file["X"].attrs["encoding-type"] = stored
    with pytest.raises(DataFileError, match=message):
        load_file(cells)


def test_genes_may_be_the_samples(cells: Path) -> None:
    turned = load_file(cells, transpose=True, only=["c3", "c1"])
    assert turned.X.toarray().tolist() == [[0.0, 0.0], [5.0, 2.0]]
    assert (turned.feature_names, turned.sample_names) == (("c3", "c1"), ("g1", "g2"))
