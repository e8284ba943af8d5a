"""Which columns name the rows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from sparsecone.files.ids import ids_among, is_name_of_ids


@pytest.mark.parametrize(
    "name",
    [
        "id",
        "ID ",
        "Index",
        "#",
        "Unnamed: 0",
        "PatientID",
        "patientId",
        "sample_id",
        "_id",
        "row nr",
    ],
)
def test_names_of_ids(name: str) -> None:
    assert is_name_of_ids(name)


@pytest.mark.parametrize(
    "name", ["width", "acid", "id_count", "sample_id_count", "id 2", "sample mass", "%", ""]
)
def test_names_of_measurements(name: str) -> None:
    assert not is_name_of_ids(name)


@pytest.mark.parametrize(
    ("column", "are_ids"),
    [
        ([1.0, float("inf")], False),
        ([1.0, 2.5], False),
        ([-1.0, 2.0], True),
        ([True, False], False),
        ([1, 1], False),
        ([1, 1, 2], False),
        (["u", "u", "v"], False),
        (pl.Series(["u", "v"], dtype=pl.Categorical), True),
        (pl.Series(["2020-01-01", "2020-01-02"]).str.to_date(), False),
    ],
)
def test_ids_are_whole_numbers_or_text_that_differ(column: Any, are_ids: bool) -> None:
    frame = pl.DataFrame({"id": column})
    assert ids_among(frame, ["id"], pl) == (["id"] if are_ids else [])
    assert ids_among(frame, [], pl) == []
