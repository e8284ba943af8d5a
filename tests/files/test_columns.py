"""Which column of a table is a feature, the label or the names of the rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sparsecone.datasets import DataFileError, Dataset, load_file


def loaded(folder: Path, text: str, **options: Any) -> Dataset:
    path = folder / "t.csv"
    path.write_text(text)
    return load_file(path, **options)


@pytest.mark.parametrize(("count", "more"), [(9, ""), (10, ""), (11, " and 1 more")])
def test_ten_columns_of_text_are_named(tmp_path: Path, count: int, more: str) -> None:
    names, entries = ([f"{letter}{k}" for k in range(count)] for letter in "nx")
    table = f"a,{','.join(names)}\n1,{','.join(entries)}\n"
    shown = ", ".join(f"'n{k}' (such as 'x{k}')" for k in range(min(count, 10)))
    with pytest.raises(DataFileError) as caught:
        loaded(tmp_path, table, find_id=False)
    assert f"has text in {count} columns: {shown}{more}. Leave all out" in str(caught.value)
    assert "--gap" not in str(caught.value)


def test_only_some_columns_are_taken_in_the_order_asked_for(tmp_path: Path) -> None:
    table = "id,a,b,c\n7,1,2,3\n8,4,5,6\n"
    dataset = loaded(tmp_path, table, only=["c", "a"])
    assert dataset.feature_names == ("c", "a")
    assert dataset.X.tolist() == [[3.0, 1.0], [6.0, 4.0]]
    assert (dataset.id_name, dataset.sample_names) == ("id", ("7", "8"))
    with pytest.raises(DataFileError, match=r"lacks 1 of the 2 columns asked for: 'd'\. It has"):
        loaded(tmp_path, table, only=["a", "d"])


def test_an_id_that_is_asked_for_is_a_feature(tmp_path: Path) -> None:
    dataset = loaded(tmp_path, "id,a\n7,1\n8,4\n", only=["a", "id"])
    assert dataset.X.tolist() == [[1.0, 7.0], [4.0, 8.0]]
    assert (dataset.id_name, dataset.sample_names, dataset.notes) == (None, None, ())


def test_features_in_rows_are_chosen_by_the_names_of_the_rows(tmp_path: Path) -> None:
    table = "gene,s1,s2\nu,1,2\nv,3,4\nw,5,6\n"
    dataset = loaded(tmp_path, table, sample_names="gene", transpose=True, only=["w", "u"])
    assert (dataset.feature_names, dataset.sample_names) == (("w", "u"), ("s1", "s2"))
    assert dataset.X.tolist() == [[5.0, 1.0], [6.0, 2.0]]


def test_a_column_called_as_labels_are_is_a_sample_where_features_are_in_rows(
    tmp_path: Path,
) -> None:
    table = "gene,class,s2\nu,1,2\nv,3,4\n"
    dataset = loaded(tmp_path, table, sample_names="gene", transpose=True)
    assert (dataset.sample_names, dataset.y) == (("class", "s2"), None)
    assert dataset.X.flags.c_contiguous


def test_names_of_rows_in_a_column_without_a_name(tmp_path: Path) -> None:
    table = ",a,b\n7,1,2\n8,3,4\n"
    dataset = loaded(tmp_path, table)
    assert (dataset.id_name, dataset.sample_names) == (None, ("7", "8"))
    assert (dataset.feature_names, dataset.notes) == (("a", "b"), ())
    dropped = loaded(tmp_path, table, drop=[""])
    assert (dropped.sample_names, dropped.feature_names) == (None, ("a", "b"))
    by_another = loaded(tmp_path, table, sample_names="a")
    assert (by_another.sample_names, by_another.id_name) == (("1", "3"), "a")
    assert by_another.feature_names == ("", "b")


def test_several_ids_are_left_out_and_the_first_names_the_rows(tmp_path: Path) -> None:
    table = "a,id,key\n1,7,u\n2,8,v\n"
    dataset = loaded(tmp_path, table)
    assert (dataset.feature_names, dataset.sample_names) == (("a",), ("7", "8"))
    assert dataset.notes == (
        "'id', 'key' are taken for the names of the rows and left out of the features: "
        "find_id=False (--no-id) says otherwise.",
    )
    asked = loaded(tmp_path, table, sample_names="key")
    assert (asked.id_name, asked.sample_names) == ("key", ("u", "v"))
    assert asked.notes[0].startswith("'id' is taken for the names of the rows")


def test_text_is_left_out_where_it_may_go(tmp_path: Path) -> None:
    table = "a,b,c\n1,u,2\n3,v,4\n"
    dataset = loaded(tmp_path, table, drop_text=True)
    assert dataset.feature_names == ("a", "c")
    assert dataset.notes == ("Left out, because of text in them: 'b'.",)
    with pytest.raises(DataFileError, match="has no column of numbers"):
        loaded(tmp_path, "b,c\nu,x\nv,y\n", drop_text=True)


def test_a_gap_is_offered_where_most_entries_are_numbers(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match=r"or say that it is a gap with gaps=\['-9x'\]"):
        loaded(tmp_path, "a,b\n1,u\n2,v\n-9x,w\n")
