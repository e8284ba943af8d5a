"""What is wanted of a file: names that are looked for, and what is said of those not there."""

from __future__ import annotations

from inspect import signature
from pathlib import Path

import pytest

from sparsecone.datasets import load_file
from sparsecone.files.dataset import DataFileError
from sparsecone.files.wanted import Wanted, first_usual, kind_of, split_names

PATH = Path("d.csv")


def test_defaults_are_those_of_loading() -> None:
    wanted = Wanted(path=PATH)
    defaults = {name: p.default for name, p in signature(load_file).parameters.items()}
    for name in set(defaults) & set(vars(wanted)) - {"path"}:
        assert getattr(wanted, name) == defaults[name], name
    assert (wanted.find_label, wanted.find_id) == (True, True)
    assert (wanted.drop_text, wanted.transpose) == (False, False)
    assert not defaults["isolated"]


def test_the_label_is_asked_for_or_usual_or_none() -> None:
    names = ["target", "a", "Class"]
    assert Wanted(path=PATH).label_among(names) == "Class"
    assert Wanted(path=PATH, label="a").label_among(names) == "a"
    assert Wanted(path=PATH, find_label=False).label_among(names) is None
    assert Wanted(path=PATH, label="a", find_label=False).label_among(names) == "a"
    assert Wanted(path=PATH).label_among(["a"]) is None
    with pytest.raises(DataFileError, match=r"has no column 'z'. It has 'target', 'a', 'Class'\."):
        Wanted(path=PATH, label="z").label_among(names)


def test_names_of_rows_are_one_or_the_first_that_is_there() -> None:
    names = ["a", "key", "id"]
    assert Wanted(path=PATH).id_among(names) is None
    assert Wanted(path=PATH, sample_names="a").id_among(names) == "a"
    assert Wanted(path=PATH, sample_names=("no", "id", "key")).id_among(names) == "id"
    assert Wanted(path=PATH, sample_names=("no",)).id_among(names) is None
    with pytest.raises(DataFileError, match="has no column 'no'"):
        Wanted(path=PATH, sample_names="no").id_among(names)


@pytest.mark.parametrize(
    ("drop", "expected"),
    [
        (("a", "b"), ["a", "b"]),
        (("a, b",), ["a", "b"]),
        (("c,d",), ["c,d"]),
        (('b,"c,d"',), ["b", "c,d"]),
        ((), []),
    ],
)
def test_columns_to_leave_out(drop: tuple[str, ...], expected: list[str]) -> None:
    assert Wanted(path=PATH, drop=drop).dropped(["a", "b", "c,d"]) == expected


@pytest.mark.parametrize("drop", ["", "z", "a,z"])
def test_columns_to_leave_out_must_be_there(drop: str) -> None:
    missing = "'z'" if drop else "''"
    with pytest.raises(DataFileError, match=f"has no column {missing}"):
        Wanted(path=PATH, drop=(drop,)).dropped(["a", "b"])


@pytest.mark.parametrize(("length", "is_near"), [(199, True), (200, False)])
def test_a_near_name_is_looked_for_where_the_name_is_short(length: int, is_near: bool) -> None:
    with pytest.raises(DataFileError) as caught:
        Wanted(path=PATH).check_names(["x" * length], ["a", "x" * 198])
    assert ("Did you mean" in str(caught.value)) is is_near
    assert ("It has 'a'" in str(caught.value)) is not is_near


def test_names_made_safe_for_spreadsheets_are_found() -> None:
    only = ("=a", "b", "-5")
    assert Wanted(path=PATH, only=only).only_among(["b", "'=a", "-5"]) == ["'=a", "b", "-5"]
    assert Wanted(path=PATH, only=only).only_among(["-5", "b", "=a"]) == ["=a", "b", "-5"]
    assert Wanted(path=PATH).only_among(["a"]) == []
    told = "lacks 2 of the 3 columns asked for: '=a', 'b'. It has '-5', 'c': give a file"
    with pytest.raises(DataFileError) as caught:
        Wanted(path=PATH, only=only).only_among(["-5", "c"])
    assert told in str(caught.value)


def test_names_with_commas_between() -> None:
    assert split_names(["a, b", '"c,d"', "e,,f"]) == ["a", "b", "c,d", "e", "f"]
    assert split_names(None) == []


def test_the_first_of_usual_names_in_capitals_or_not() -> None:
    assert first_usual(["Y", "LABEL"], ("label", "y")) == "LABEL"
    assert first_usual(["a"], ("label", "y")) is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("t.csv", ".csv"),
        ("my.data.CSV", ".csv"),
        ("t.csv.gz", ".csv.gz"),
        ("my.data.tsv.GZ", ".tsv.gz"),
        ("t.gz", ".gz"),
        ("table", ""),
    ],
)
def test_endings_that_say_how_a_file_is_written(name: str, kind: str) -> None:
    assert kind_of(Path(name)) == kind
