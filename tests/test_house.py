"""The page of the house and its picture tell of the code as it is; `make house` makes them so."""

from __future__ import annotations

import re
from itertools import chain, pairwise
from pathlib import Path

import pytest

import house

STALE = "the code has changed: run `make house`"


def test_every_package_and_root_module_is_a_room() -> None:
    entries = {path.stem for path in house.SOURCE.iterdir() if path.name != "__pycache__"}
    assert house.rooms().keys() == entries - house.DOORS - {"py"}


def test_every_room_says_what_it_is_for() -> None:
    assert all(house.rooms().values())


def test_the_table_is_that_of_the_code() -> None:
    text = house.PAGE.read_text(encoding="utf-8")
    assert house.page(text) == text, STALE


def test_the_picture_is_that_of_the_code() -> None:
    drawn = house.PICTURE.read_text(encoding="utf-8")
    graph = house.frames(house.imports())
    assert sorted(re.findall(r"<text [^>]*>(.*?)</text>", drawn)) == sorted(chain(*graph)), STALE
    lines = {f"{' '.join(upper)} / {' '.join(lower)}" for upper in graph for lower in graph[upper]}
    assert set(re.findall(r'data-line="(.*?)"', drawn)) == lines, STALE


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with all kinds of imports: of modules, of names, within functions, of others."""
    for name, code in {
        "ground": "import scipy.linalg",
        "left": "from ..ground import thing\nfrom scipy import ground as other",
        "right": "import sparsecone.left.part",
        "roof": "def late():\n    from sparsecone import right\n    from .. import ground, left",
        "one": "from ..two import x\nfrom ..left import y",
        "two": "from ..one.part import x",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f'"""Room {name}.\n\nMore."""\n')
        (tmp_path / name / "part.py").write_text(code)
    (tmp_path / "__init__.py").write_text("from . import roof")
    (tmp_path / "alone.py").write_text('"""Alone."""\nfrom .roof.part import late')
    return tmp_path


def test_imports_of_all_kinds_are_found(package: Path) -> None:
    assert house.imports(package) == {
        "alone": {"roof"},
        "ground": set(),
        "left": {"ground"},
        "one": {"left", "two"},
        "right": {"left"},
        "roof": {"right", "ground", "left"},
        "two": {"one"},
    }
    assert house.rooms(package)["left"] == "Room left."


def test_implied_imports_are_left_out_and_cycles_share_a_frame(package: Path) -> None:
    assert house.frames(house.imports(package)) == {
        ("alone",): {("roof",)},
        ("ground",): set(),
        ("left",): {("ground",)},
        ("one", "two"): {("left",)},
        ("right",): {("left",)},
        ("roof",): {("right",)},
    }


def test_boxes_do_not_overlap_and_lines_go_down() -> None:
    plan = house.Plan(house.frames(house.imports()))
    for row in plan.rows:
        for left, right in pairwise(row):
            room = (house.width(left) + house.width(right)) / 2
            assert plan.x[right] - plan.x[left] > room
    for upper, *_, lower in plan.wires:
        assert plan.levels[upper] > plan.levels[lower]
