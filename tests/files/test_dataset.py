"""A data set as it is shown, and names as they stand in messages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from sparsecone.files.dataset import DataFileError, Dataset, DatasetInfo, listed, shown

X = np.ones((2, 9))


def test_a_data_set_says_its_size_and_kind() -> None:
    assert repr(Dataset("d", X)) == "Dataset('d': 2 samples, 9 features, no classes)"
    labelled = Dataset("d", sparse.csr_matrix(X), np.array([1, 1]))
    assert repr(labelled) == "Dataset('d': 2 samples, 9 sparse features, 1 classes)"


def test_a_notebook_shows_the_first_eight_features() -> None:
    names = tuple("stuvwxyz!")
    page = Dataset("d", X, feature_names=names)._repr_html_()
    assert [name for name in names if f">{name}</td>" in page] == list(names[:8])
    assert ">feature</th>" in page
    assert ">feature</th>" not in Dataset("d", X)._repr_html_()


def test_a_data_set_is_of_the_paper_unless_it_is_said_otherwise() -> None:
    info = DatasetInfo(
        name="d", title="D", n_samples=2, n_features=9, n_classes=1, kind="cells", source="here"
    )
    assert info.in_paper
    assert info.preprocessing == "none"


def test_names_of_more_than_fifty_characters_are_cut() -> None:
    assert shown("x" * 49) == repr("x" * 49)
    assert shown("x" * 50) == repr("x" * 50)
    assert shown("x" * 51) == repr("x" * 49 + "...")
    assert shown("two\nlines") == r"'two\nlines'"


@pytest.mark.parametrize(("count", "end"), [(1, ""), (10, ""), (11, ", ..."), (13, ", ...")])
def test_ten_names_are_listed(count: int, end: str) -> None:
    names = [f"n{k}" for k in range(count)]
    assert listed(names) == ", ".join(map(repr, names[:10])) + end


def test_no_names_are_none() -> None:
    assert listed([]) == "none"


def test_a_remedy_is_a_sentence_or_a_question() -> None:
    path = Path("d.csv")
    assert str(DataFileError(path, "is empty", remedy="Save it")) == "'d.csv' is empty. Save it."
    asked = DataFileError(path, "has no column 'a'", remedy="Did you mean 'b'?")
    assert str(asked) == "'d.csv' has no column 'a'. Did you mean 'b'?"
    assert str(DataFileError.said("as it was")) == "as it was"
