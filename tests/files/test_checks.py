"""What data and labels must be: where the limits lie, and what is said beyond them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from sparsecone.files.checks import as_labels, as_matrix, without_gaps
from sparsecone.files.dataset import DataFileError, Dataset

PATH = Path("d.npz")
NAN = np.nan


def test_whole_labels_are_integers_up_to_the_last_that_numbers_tell_apart() -> None:
    kept = as_labels([1.0, -(2.0**53)], n_samples=2, path=PATH)
    assert kept.tolist() == [1, -(2**53)]
    assert kept.dtype == np.int64
    for label in (2.0**53 + 2, -(2.0**53) - 2):
        with pytest.raises(DataFileError, match="labels beyond 9007199254740992, of which"):
            as_labels([1.0, label], n_samples=2, path=PATH)


def test_labels_with_fractions_stay_as_they_are() -> None:
    assert as_labels([0.5, 2.0**60], n_samples=2, path=PATH).tolist() == [0.5, 2.0**60]
    assert as_labels(["u", "v"], n_samples=2, path=PATH).tolist() == ["u", "v"]


@pytest.mark.parametrize("gap", [NAN, np.inf])
def test_a_label_that_is_no_number_is_missing(gap: float) -> None:
    with pytest.raises(DataFileError, match="has missing labels"):
        as_labels([1.0, gap], n_samples=2, path=PATH)


def test_a_matrix_may_have_one_row_or_column_but_not_none() -> None:
    for shape in ((1, 3), (3, 1), (1, 1)):
        assert as_matrix(np.ones(shape), path=PATH, name="X").shape == shape
    for shape in ((0, 3), (3, 0), (3,), (2, 1, 1)):
        with pytest.raises(DataFileError, match="holds data of shape"):
            as_matrix(np.ones(shape), path=PATH, name="X")


def test_a_list_is_a_matrix_and_a_sparse_one_is_compressed_by_rows() -> None:
    assert as_matrix([[1, 2]], path=PATH, name="X").tolist() == [[1.0, 2.0]]
    stored = as_matrix(sparse.coo_matrix(np.eye(2)), path=PATH, name="X")
    assert (stored.format, stored.toarray().tolist()) == ("csr", [[1.0, 0.0], [0.0, 1.0]])
    turned = as_matrix(np.ones((2, 3)).T, path=PATH, name="X")
    assert turned.flags.c_contiguous


def test_only_dense_data_are_offered_the_median() -> None:
    X = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, NAN]])
    for stored, choice in ((X, True), (sparse.csr_matrix(X), False)):
        with pytest.raises(DataFileError, match="no value in column 3, row 2 of its") as caught:
            without_gaps(Dataset("d", stored), path=PATH, missing="error")
        assert ("--missing median" in str(caught.value)) is choice
        assert "--missing drop-rows" in str(caught.value)


def test_infinite_values_are_named_whatever_is_chosen() -> None:
    X: Any = np.array([[1.0, NAN], [NAN, -np.inf]])
    for stored in (X, sparse.csr_matrix(X)):
        for missing in ("error", "keep", "drop-rows", "median"):
            with pytest.raises(DataFileError, match="holds -inf in column 2, row 2 of its data"):
                without_gaps(Dataset("d", stored), path=PATH, missing=missing)  # type: ignore[arg-type]


def test_gaps_that_are_kept_stay() -> None:
    dataset = Dataset("d", np.array([[1.0, NAN]]))
    assert without_gaps(dataset, path=PATH, missing="keep") is dataset


@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_one_row_without_gaps_is_enough(kind: Any) -> None:
    X = kind([[1.0, NAN, 2.0], [NAN, NAN, NAN], [3.0, 4.0, 5.0]])
    kept = without_gaps(Dataset("d", X), path=PATH, missing="drop-rows")
    rows: Any = kept.X.toarray() if sparse.issparse(kept.X) else kept.X
    assert rows.tolist() == [[3.0, 4.0, 5.0]]
    assert (kept.y, kept.sample_names) == (None, None)
    with pytest.raises(DataFileError, match="has a missing value in every row"):
        without_gaps(Dataset("d", X[:2]), path=PATH, missing="drop-rows")


def test_labels_and_names_go_with_their_rows() -> None:
    X = np.array([[1.0, 2.0], [NAN, 3.0], [4.0, 5.0]])
    given = Dataset("d", X, np.array([7, 8, 9]), sample_names=("r", "s", "t"))
    kept = without_gaps(given, path=PATH, missing="drop-rows")
    assert kept.y is not None
    assert (kept.y.tolist(), kept.sample_names) == ([7, 9], ("r", "t"))


def test_a_median_is_that_of_the_column_and_one_value_is_enough() -> None:
    X = np.array([[NAN, 1.0, 5.0], [NAN, 2.0, 6.0], [8.0, NAN, 7.0]])
    filled = without_gaps(Dataset("d", X), path=PATH, missing="median").X
    assert filled.tolist() == [[8.0, 1.0, 5.0], [8.0, 2.0, 6.0], [8.0, 1.5, 7.0]]
    assert np.isnan(X).sum() == 3


@pytest.mark.parametrize(("names", "name"), [(None, "column_1"), (("u", "v"), "v")])
def test_a_column_of_gaps_has_no_median(names: tuple[str, ...] | None, name: str) -> None:
    X = np.array([[1.0, NAN], [2.0, NAN]])
    with pytest.raises(DataFileError, match=f"no value at all in column '{name}'") as caught:
        without_gaps(Dataset("d", X, feature_names=names), path=PATH, missing="median")
    assert f"drop=['{name}'] (--drop)" in str(caught.value)
