from __future__ import annotations

from pathlib import Path

import pytest

from sparsecone.files.whole_file import whole_file


def write_half(target: Path) -> None:
    with whole_file(target) as draft:
        draft.write_text("half of the n")
        raise OSError("disk full")


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "ranking.csv"
    target.write_text("old")
    with pytest.raises(OSError, match="disk full"):
        write_half(target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_success_replaces_the_file(tmp_path: Path) -> None:
    target = tmp_path / "ranking.csv"
    target.write_text("old")
    with whole_file(target) as draft:
        assert draft.parent == target.parent
        assert draft.suffix == target.suffix
        draft.write_text("new")
    assert target.read_text() == "new"
    assert list(tmp_path.iterdir()) == [target]
