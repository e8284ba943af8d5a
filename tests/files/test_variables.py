"""From named arrays to a data set: which is the data, which way round, and which columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from sparsecone.files.dataset import DataFileError, Dataset
from sparsecone.files.variables import column_names, from_variables
from sparsecone.files.wanted import Wanted

X = np.arange(8.0).reshape(4, 2)


def found(variables: dict[str, Any], **options: Any) -> Dataset:
    return from_variables(variables, Wanted(path=Path("d.npz"), **options))


def test_a_vector_beside_the_only_matrix_is_no_matrix() -> None:
    variables = {"weights": np.ones(4), "pixels": X, "scale": np.float64(2.0), "row": X[:1]}
    assert found(variables).X.tolist() == X.tolist()


@pytest.mark.parametrize("other", [X, X.T, np.ones((2, 2, 2)), sparse.csr_matrix(X)])
def test_two_matrices_are_one_too_many(other: Any) -> None:
    with pytest.raises(DataFileError, match=r"which of its variables are the data \('P', 'Q'\)"):
        found({"P": X, "Q": other})


def test_a_usual_name_comes_before_other_matrices() -> None:
    assert found({"data": -X, "P": X}).X.tolist() == (-X).tolist()
    assert found({"features": -X, "FEA": X, "P": -X}).X.tolist() == X.tolist()
    with pytest.raises(DataFileError, match=r"holds data of shape \(4,\) in X"):
        found({"X": np.ones(4), "P": X})


def test_only_labels_as_many_as_columns_turn_the_data() -> None:
    turned = found({"X": X.T, "y": [0, 1, 1, 0]})
    assert turned.X.tolist() == X.tolist()
    assert turned.label_name == "y"
    square = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert found({"X": square, "y": [0, 1]}).X.tolist() == square.tolist()
    assert found({"X": square, "y": [0, 1]}, transpose=True).X.tolist() == square.T.tolist()
    with pytest.raises(DataFileError, match="has 3 labels for 4 samples"):
        found({"X": X, "y": [0, 1, 2]})


def test_labels_that_are_not_looked_for_are_no_labels() -> None:
    dataset = found({"X": X, "y": [0, 1, 1, 0]}, find_label=False)
    assert (dataset.y, dataset.label_name, dataset.feature_names) == (None, None, None)


def test_columns_are_chosen_by_their_indices() -> None:
    chosen = found({"X": X}, only=("column_1", "column_0"))
    assert chosen.X.tolist() == X[:, ::-1].tolist()
    assert chosen.feature_names == ("column_1", "column_0")
    assert chosen.X.flags.c_contiguous
    rest = found({"X": X}, only=("column_1", "column_0"), drop=("column_1",))
    assert (rest.X.tolist(), rest.feature_names) == (X[:, :1].tolist(), ("column_0",))
    thin = found({"X": sparse.csr_matrix(X)}, drop=("column_0",))
    assert sparse.issparse(thin.X)
    assert thin.X.toarray().tolist() == X[:, 1:].tolist()
    with pytest.raises(DataFileError, match="has no feature left"):
        found({"X": X}, drop=("column_1", "column_0"))


def test_arrays_have_no_column_of_names() -> None:
    with pytest.raises(DataFileError, match="holds arrays, which have no column of sample names"):
        found({"X": X}, sample_names="id")
    assert found({"X": X}, sample_names=("id",)).sample_names is None


def test_columns_are_called_after_their_indices() -> None:
    assert column_names(3) == ("column_0", "column_1", "column_2")
