from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
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


def test_threads_do_not_share_a_draft(tmp_path: Path) -> None:
    target = tmp_path / "model.json"

    def write(number: int) -> None:
        with whole_file(target) as draft:
            draft.write_text(str(number) * 1000)

    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(write, range(10, 90)):
            pass
    assert len(set(map("".join, zip(*[iter(target.read_text())] * 2, strict=True)))) == 1
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(("platform", "n_refusals"), [("win32", 3), ("win32", 1000), ("linux", 1)])
def test_a_file_that_another_has_open_is_tried_again_on_windows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, n_refusals: int
) -> None:
    target, replace = tmp_path / "ranking.csv", Path.replace
    target.write_text("old")
    refusals = iter(range(n_refusals))

    def refused(draft: Path, other: Path) -> Path:
        if next(refusals, None) is not None:
            raise PermissionError("in use")
        return replace(draft, other)

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "replace", refused)
    monkeypatch.setattr("sparsecone.files.whole_file._SECONDS", 0.0)
    is_written = platform == "win32" and n_refusals == 3
    with (
        nullcontext() if is_written else pytest.raises(PermissionError, match="in use"),
        whole_file(target) as draft,
    ):
        draft.write_text("new")
    assert target.read_text() == ("new" if is_written else "old")
    assert list(tmp_path.iterdir()) == [target]


def test_the_target_of_a_link_is_replaced_and_its_permissions_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "far" / "ranking.csv", tmp_path / "link.csv"
    target.parent.mkdir()
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    with whole_file(link) as draft:
        draft.write_text("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o600


def test_names_may_be_as_long_as_the_system_allows(tmp_path: Path) -> None:
    target = tmp_path / f"{'n' * 251}.csv"
    with whole_file(target) as draft:
        draft.write_text("new")
    assert target.read_text() == "new"


def test_drafts_of_the_dead_are_cleared_and_those_of_the_living_stay(tmp_path: Path) -> None:
    target = tmp_path / "ranking.csv"
    script = (
        "import os, sys; from sparsecone.files.whole_file import whole_file\n"
        "with whole_file(sys.argv[1]) as draft:\n"
        "    draft.write_text('half'); os._exit(1)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(target)], check=False)
    (left,) = tmp_path.iterdir()
    number = left.name.split("-")[2]
    # No process can have that number, and nobody knows whose draft it is.
    strange = left.with_name(left.name.replace(f"-{number}-", f"-{'9' * 30}-", 1))
    strange.touch()
    other = tmp_path / "other.csv"
    with whole_file(other) as living:
        living.write_text("alive")
        with whole_file(target) as draft:
            draft.write_text("new")
        assert living.exists()
    assert not left.exists()
    assert sorted(tmp_path.iterdir()) == sorted([other, target, strange])


@pytest.mark.parametrize(("length", "is_ending"), [(19, True), (20, True), (21, False)])
def test_an_ending_of_more_than_twenty_characters_is_none(
    tmp_path: Path, length: int, is_ending: bool
) -> None:
    ending = f".{'e' * (length - 1)}"
    with whole_file(tmp_path / f"name{ending}") as draft:
        draft.write_text("new")
        assert draft.suffix == (ending if is_ending else ".draft")


def test_where_nobody_can_ask_every_process_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    from sparsecone.files.whole_file import _is_running

    # No process has that number.
    assert not _is_running(2**22 + 1)
    with monkeypatch.context() as patch:
        patch.setattr("os.name", "nt")
        assert _is_running(2**22 + 1)


def test_a_process_of_somebody_else_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    from sparsecone.files.whole_file import _is_running

    def refused(*_: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.kill", refused)
    assert _is_running(1)
