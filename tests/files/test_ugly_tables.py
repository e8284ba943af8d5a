"""Tables as programs and people leave them: read as a person would, or refused with the option."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sparsecone.datasets import DataFileError, load_file

# name: (contents, options, names of the features, values)
READ: dict[str, tuple[str | bytes, dict[str, Any], list[str], list[list[float]]]] = {
    "german": (
        "Groesse (cm);Gewicht (kg)\r\n169,2;61\r\n181,0;79,5\r\n",
        {},
        ["Groesse (cm)", "Gewicht (kg)"],
        [[169.2, 61], [181, 79.5]],
    ),
    "german thousands": (
        "Umsatz;Einwohner;Anteil\n1.234,50;12.500;0,5\n987,25;1.250.000;0,25\n",
        {},
        ["Umsatz", "Einwohner", "Anteil"],
        [[1234.5, 12500, 0.5], [987.25, 1250000, 0.25]],
    ),
    "french": (
        "prix;poids\n1\u202f234,5;2,5\n12,5;3,0\n",
        {},
        ["prix", "poids"],
        [[1234.5, 2.5], [12.5, 3]],
    ),
    "english thousands": (
        'income,size\n"1,234.5",1.5\n"12,000",2.5\n',
        {},
        ["income", "size"],
        [[1234.5, 1.5], [12000, 2.5]],
    ),
    "swiss": ("a;b\n1'234.5;1\n2'000.0;2\n", {}, ["a", "b"], [[1234.5, 1], [2000, 2]]),
    "quoted decimal commas": ('a,b\n"1,5",2\n"2,25",3\n', {}, ["a", "b"], [[1.5, 2], [2.25, 3]]),
    "decimal commas without names": (
        "1,5;2,5\n3,5;4,5\n",
        {},
        ["column_0", "column_1"],
        [[1.5, 2.5], [3.5, 4.5]],
    ),
    "said to be commas": (
        "a;b\n1,234;1,5\n2,345;2\n",
        {"decimal": ","},
        ["a", "b"],
        [[1.234, 1.5], [2.345, 2]],
    ),
    "said to be thousands": (
        "a;b\n1,234;1\n2,345;2\n",
        {"decimal": "."},
        ["a", "b"],
        [[1234, 1], [2345, 2]],
    ),
    "an unusual sign, as said": ("sep=#\na#b\n1#2\n3#4\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "a title above one row": ("Weights\na,b\n1,2\n", {}, ["a", "b"], [[1, 2]]),
    "commas and points": ("a;b\n1,5;0.5\n2,5;0.25\n", {}, ["a", "b"], [[1.5, 0.5], [2.5, 0.25]]),
    "windows": (
        "Größe;Länge\r\n1,5;2\r\n2,5;3\r\n".encode("cp1252"),
        {},
        ["Größe", "Länge"],
        [[1.5, 2], [2.5, 3]],
    ),
    "utf-16 of excel": (
        "a\té\r\n1\t2\r\n3\t4\r\n".encode("utf-16"),
        {},
        ["a", "é"],
        [[1, 2], [3, 4]],
    ),
    "polish": (
        "długość;b\n1,5;2\n2,5;3\n".encode("cp1250"),
        {"encoding": "cp1250"},
        ["długość", "b"],
        [[1.5, 2], [2.5, 3]],
    ),
    "bars": ("a|b\n1|2\n3|4\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "tabs in a .csv": ("a\tb\n1\t2\n3\t4\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "excel says what separates": (
        "sep=;\r\na;b\r\n1,5;2\r\n3,5;4\r\n",
        {},
        ["a", "b"],
        [[1.5, 2], [3.5, 4]],
    ),
    "lines above the names": (
        "exported today\n\nby somebody\na;b\n1,5;2\n3,5;4\n",
        {},
        ["a", "b"],
        [[1.5, 2], [3.5, 4]],
    ),
    "one column of decimal commas": ("Größe\n169,2\n170,5\n", {}, ["Größe"], [[169.2], [170.5]]),
    "one column": ("a\n1\n2\n", {}, ["a"], [[1], [2]]),
    "spaces between columns": ("a b\n1 2\n3 4\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "carriage returns": ("a,b\r1,2\r3,4\r", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "units": (
        "share;price;height;depth\n12,5 %;5 €;169 cm;$1\n3 %;7 €;181 cm;$2\n",
        {},
        ["share", "price", "height", "depth"],
        [[12.5, 5, 169, 1], [3, 7, 181, 2]],
    ),
    "a table of r": (
        '"a" "b"\n"x" 1 2\n"y" 3 4\n',
        {},
        ["a", "b"],
        [[1, 2], [3, 4]],
    ),
    "decimal commas of the classes": (
        "a;b;y\n1.000;7;2,5\n2.500;8;3,5\n",
        {},
        ["a", "b"],
        [[1000, 7], [2500, 8]],
    ),
    "another delimiter at the end of a quoted line": (
        '"a","b","c|"\n"1","2","3"\n',
        {},
        ["a", "b", "c|"],
        [[1, 2, 3]],
    ),
    "quotes that end too early": ('"a" of x;b\n1;2\n3;4\n', {}, ["a of x", "b"], [[1, 2], [3, 4]]),
    "a delimiter in quotes": ('"a;b",c\n1,2\n3,4\n', {}, ["a;b", "c"], [[1, 2], [3, 4]]),
    "everything in quotes": (
        '"a","b, c"\n"1.5","2"\n"3","4"\n',
        {},
        ["a", "b, c"],
        [[1.5, 2], [3, 4]],
    ),
    "a name of two lines": ('"a\n(cm)",b\n1,2\n3,4\n', {}, ["a\n(cm)", "b"], [[1, 2], [3, 4]]),
    "a name twice": ("a,b,a\n1,2,3\n4,5,6\n", {}, ["a", "b", "a.1"], [[1, 2, 3], [4, 5, 6]]),
    "a comma after the last": ("a,b,\n1,2,\n3,4,\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "a column without a name": (
        "a,,b\n1,2,3\n4,5,6\n",
        {},
        ["a", "column_1", "b"],
        [[1, 2, 3], [4, 5, 6]],
    ),
    "blank lines": ("\n\na,b\n\n1,2\n\n3,4\n\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "a gap in the first row": (
        "1,NA,3\n4,5,6\n",
        {"missing": "median"},
        ["column_0", "column_1", "column_2"],
        [[1, 5, 3], [4, 5, 6]],
    ),
    "gaps of excel": (
        "a,b\n1,#N/A\n2,4\n3,-\n",
        {"missing": "median"},
        ["a", "b"],
        [[1, 4], [2, 4], [3, 4]],
    ),
    "a gap of one's own": (
        "a,b\n1,unknown\n2,4\n3,4\n",
        {"missing": "median", "gaps": ["unknown"]},
        ["a", "b"],
        [[1, 4], [2, 4], [3, 4]],
    ),
    "yes and no": (
        "a,smoker,done\n1,yes,TRUE\n2,No,False\n3,YES,TRUE\n",
        {},
        ["a", "smoker", "done"],
        [[1, 1, 1], [2, 0, 0], [3, 1, 1]],
    ),
    "mixed types, text left out": (
        "when,city,a\n2024-01-05,Bonn,1\n2024-02-06,Köln,2\n",
        {"drop_text": True},
        ["a"],
        [[1], [2]],
    ),
    "a name with a comma": (
        '"size, total",b,c\n1,2,3\n4,5,6\n',
        {"drop": ["size, total"]},
        ["b", "c"],
        [[2, 3], [5, 6]],
    ),
    "names with commas between": (
        '"size, total",b,c\n1,2,3\n4,5,6\n',
        {"drop": ['"size, total",b']},
        ["c"],
        [[3], [6]],
    ),
    "ids": ("PatientID,a,b\n1001,1,2\n1002,3,4\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "ids of letters": ("sample,a,b\ns1,1,2\ns2,3,4\n", {}, ["a", "b"], [[1, 2], [3, 4]]),
    "no ids but a repeated number": ("id,a\n1,1\n1,3\n", {}, ["id", "a"], [[1, 1], [1, 3]]),
    "ids that are wanted": ("id,a\n1,1\n2,3\n", {"find_id": False}, ["id", "a"], [[1, 1], [2, 3]]),
}


@pytest.mark.parametrize("name", READ)
def test_read_as_a_person_would(tmp_path: Path, name: str) -> None:
    contents, options, names, values = READ[name]
    path = tmp_path / "t.csv"
    path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    dataset = load_file(path, **options)
    assert dataset.feature_names == tuple(names)
    np.testing.assert_array_equal(dataset.X, values)


REFUSED: dict[str, tuple[str | bytes, dict[str, Any], list[str]]] = {
    "four columns of text": (
        "name,city,when,sex,a\nx,Bonn,5.1.2024,m,1\nx,Köln,6.1.2024,f,2\n",
        {},
        [
            "has text in 4 columns: 'name' (such as 'x'), 'city' (such as 'Bonn'), 'when'",
            "--drop-text",
        ],
    ),
    "one word among numbers": (
        "a,b\n1,2\n2,oops\n3,4\n",
        {},
        ["column 'b', such as 'oops'", "gaps=['oops'] (--gap)"],
    ),
    "thousands or a fraction": (
        "a;b\n1,234;1\n2,345;2\n",
        {},
        ["may be thousands or have a decimal comma", "--decimal ,"],
    ),
    "commas, said to be points": ("a;b\n1,5;1\n2,5;2\n", {"decimal": "."}, ["such as '1,5'"]),
    "no text": (b"\x89PNG\r\n\x1a\n\x00\x00", {}, ["bytes that are no text", "--encoding"]),
    "another encoding": (
        b"a,b\n\x81,1\n",
        {},
        ["no text in UTF-8, UTF-16 or cp1252", "--encoding"],
    ),
    "a wrong encoding": (
        "é,b\n1,2\n".encode("cp1252"),
        {"encoding": "utf-8"},
        ["no text in utf-8", "--encoding"],
    ),
    "two units": ("a,b\n1 cm,2\n2 mm,3\n", {}, ["column 'a', such as '1 cm'", "--drop"]),
    "numbers with a letter": ("a,b\nS1,2\nS2,3\n", {}, ["column 'a', such as 'S1'", "--id"]),
    "nothing but text": ("a,b\nu,v\nw,x\n", {"drop_text": True}, ["no column of numbers"]),
    "nothing but an id": ("id\n1\n2\n", {}, ["has no feature left"]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_a_line_with_the_option(tmp_path: Path, name: str) -> None:
    contents, options, parts = REFUSED[name]
    path = tmp_path / "t.csv"
    path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
    with pytest.raises(DataFileError) as caught:
        load_file(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    for part in parts:
        assert part in message
