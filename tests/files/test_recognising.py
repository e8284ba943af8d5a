"""How a text is recognised: what separates, where the table begins, and in which encoding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sparsecone.datasets import DataFileError, load_file
from sparsecone.files.recognising import _first_rows, format_of
from sparsecone.files.text_format import UTF_8, TextFormat

COMMAS = TextFormat(encoding=UTF_8, delimiter=",")


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "t.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def seen(folder: Path, text: str | bytes, **given: Any) -> TextFormat:
    """Return how a text looks."""
    return format_of(written(folder, text), **({"encoding": None, "delimiter": None} | given))


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\n1,5;2,5\n", ";"),
        ("a|b\n1|2\n", "|"),
        ("a\tb\n1\t2\n", "\t"),
        ("a b\n1 2\n", " "),
        ("a\n1\n2\n", ","),
        ("1", ","),
        ("a\n1,5\n2,5\n", ";"),
        ("a;b\n1,2;3,4\n", ";"),
        ("sep=#\na#b\n1#2\n", "#"),
        # Only with commas do all quotation marks end entries.
        ('"a","k;l"\n"1","u;v"\n"2","w;x"\n', ","),
        # None fits: the first line has most of them.
        ("a;b;c\n1,2,3,4;5\n", ";"),
        ("a,b;c,d\n1\n", ","),
        ("a,b;c\n1;2;3\n4\n", ","),
    ],
)
def test_what_separates(tmp_path: Path, text: str, delimiter: str) -> None:
    assert seen(tmp_path, text) == TextFormat(
        encoding=UTF_8, delimiter=delimiter, n_skipped=int(text.startswith("sep="))
    )


def test_what_is_said_counts_more_than_a_first_line_that_says_it(tmp_path: Path) -> None:
    how = seen(tmp_path, "sep=,\na;b\n1;2\n", delimiter=";")
    assert (how.delimiter, how.n_skipped) == (";", 1)


@pytest.mark.parametrize(
    ("text", "ends_in_returns"),
    [("a,b\r1,2\r", True), ("a,b\r\n1,2\r\n", False), ("a,b\n1,2\n", False), ("1,2", False)],
)
def test_line_ends_of_old_macintoshes(tmp_path: Path, text: str, ends_in_returns: bool) -> None:
    assert seen(tmp_path, text).ends_in_returns is ends_in_returns


@pytest.mark.parametrize(
    ("text", "given", "n_skipped"),
    [
        ("Weights\na,b\n1,2\n", {}, 1),
        ("Weights\n\nof men\na,b\n1,2\n3,4\n", {}, 3),
        ("sep=;\nWeights\na;b\n1;2\n", {}, 2),
        ("Weights\na;b\n1;2\n", {"delimiter": ";"}, 1),
        ('"Weights" of men\na;b\n1;2\n', {"delimiter": ";"}, 1),
        # Names alone, numbers, or lines of several widths are no table below a title.
        ("Weights\na;b\n", {"delimiter": ";"}, 0),
        ("Weights\n1;2\n3;4\n", {"delimiter": ";"}, 0),
        ("Weights\na;b\n1;2\n3;4;5\n", {"delimiter": ";"}, 0),
        ("a;b\n1;2\n3;4\n", {"delimiter": ";"}, 0),
    ],
)
def test_lines_above_the_names(
    tmp_path: Path, text: str, given: dict[str, str], n_skipped: int
) -> None:
    how = seen(tmp_path, text, **given)
    assert (how.n_skipped, how.names_rows) == (n_skipped, False)


@pytest.mark.parametrize(
    ("text", "names_rows"),
    [
        ("a b\nx 1 2\ny 3 4\n", True),
        ("a b\n1 1.5 2\n2 3 4\n", True),
        ("a b\nx 1 2\ny 1 4\n", True),
        ("a;b\nx;1;2\ny;3;4\n", True),
        # One line, a name twice, another width, a title, or numbers above.
        ("a b\nx 1 2\n", False),
        ("a b\nx 1 2\nx 3 4\ny 5 6\n", False),
        ("a b\nx 1 2\ny 3 4\ny 5 6\n", False),
        ("a b\n1 2\nx 3 4\ny 5 6\n", False),
        ("a b\nx 1 2 3\ny 3 4 5\n", False),
        ("Weights\na b\nx 1 2\ny 3 4\n", False),
        ("5 6\n1 1 2\n2 3 4\n", False),
    ],
)
def test_names_of_rows_without_a_name_above(tmp_path: Path, text: str, names_rows: bool) -> None:
    delimiter = ";" if ";" in text else " "
    assert seen(tmp_path, text, delimiter=delimiter).names_rows is names_rows
    assert seen(tmp_path, text).names_rows is names_rows


def line(width: int) -> str:
    return ",".join("1" * width)


@pytest.mark.parametrize(
    ("widths", "n_rows"),
    [
        ([2] * 49, 49),
        ([2] * 60, 50),
        ([10_001] * 8, 4),
        ([2500] * 8, 5),
        ([2500, 2500, 2500, 2501, 2, 2], 4),
        ([3333, 3333, 3334, 1, 1, 1], 4),
    ],
)
def test_fifty_lines_are_looked_at_or_four_of_very_many_entries(
    tmp_path: Path, widths: list[int], n_rows: int
) -> None:
    path = written(tmp_path, "\n\n".join(map(line, widths)))
    rows = _first_rows(path, COMMAS, clean=True)
    assert [len(row) for _, row in rows] == widths[:n_rows]
    assert [number for number, _ in rows] == [2 * place + 1 for place in range(n_rows)]


@pytest.mark.parametrize("clean", [True, False])
def test_clean_lines_have_nothing_behind_a_quotation_mark(tmp_path: Path, clean: bool) -> None:
    path = written(tmp_path, 'a,b\n"1" of x,2\n')
    expected = [] if clean else [(1, ["a", "b"]), (2, ["1 of x", "2"])]
    assert _first_rows(path, COMMAS, clean=clean) == expected


@pytest.mark.parametrize(
    ("contents", "given", "encoding"),
    [
        (b"a,b\n1,2\n", None, UTF_8),
        ("a,é\n1,2\n".encode(), None, UTF_8),
        ("a,b\n1,caf\xe9".encode("cp1252"), None, "cp1252"),
        ("a,b\n1,2\n".encode("utf-16"), None, "utf-16"),
        (b"\xfe\xff" + "a,b\n1,2\n".encode("utf-16-be"), None, "utf-16"),
        (b"a,b\n1,2\n", "UTF8", UTF_8),
        (b"a,b\n1,2\n", "latin-1", "latin-1"),
    ],
)
def test_encodings(tmp_path: Path, contents: bytes, given: str | None, encoding: str) -> None:
    assert seen(tmp_path, contents, encoding=given) == TextFormat(encoding=encoding, delimiter=",")


def test_a_mark_before_the_names_is_no_part_of_them(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbfa,b\n1,2\n")
    assert load_file(path, encoding="utf-8").feature_names == ("a", "b")
    with pytest.raises(DataFileError, match="has only blank lines"):
        load_file(written(tmp_path, b"\xef\xbb\xbf"))


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    for contents in (b"a,b\n1,\0\n", b"a" * 4095 + b"\0"):
        with pytest.raises(DataFileError, match="holds bytes that are no text"):
            seen(tmp_path, contents)
    # The first page of a file tells.
    assert seen(tmp_path, b"a" * 4096 + b"\0").encoding == UTF_8
    with pytest.raises(ValueError, match="There is no encoding 'utf-9': give one that Python"):
        seen(tmp_path, b"a", encoding="utf-9")
