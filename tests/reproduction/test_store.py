from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sparsecone.reproduction.store import RowFile, read_rows

ROWS = [{"key": "a", "value": 1.5}, {"key": "b", "value": None}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "rows.jsonl"
    with RowFile(path) as store:
        for row in ROWS:
            store.append(row)
    return path


def test_rows_come_back(path: Path) -> None:
    assert read_rows(path) == ROWS
    assert read_rows(path.with_name("none")) == []


def test_a_key_is_written_once(path: Path) -> None:
    with RowFile(path) as store:
        store.append({"key": "a", "value": 2.5})
    assert read_rows(path) == ROWS


def test_torn_last_line_is_dropped_wherever_it_is_torn(path: Path) -> None:
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        path.write_bytes(whole[:length])
        assert read_rows(path) == ROWS[:1]
        with RowFile(path) as store:
            assert list(store.rows) == ["a"]
            store.append(ROWS[1])
        assert path.read_bytes() == whole


def test_last_line_with_a_hole_is_dropped(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b'{"key": "c"\0\0\0\n')
    with RowFile(path) as store:
        store.append({"key": "d"})
    assert read_rows(path) == [*ROWS, {"key": "d"}]


def test_what_json_has_no_word_for_is_refused(path: Path) -> None:
    with RowFile(path) as store, pytest.raises(ValueError, match="JSON compliant"):
        store.append({"key": "c", "value": float("nan")})
    assert read_rows(path) == ROWS


def check_that_one_run_writes(path: Path) -> None:
    with RowFile(path) as store:
        with pytest.raises(RuntimeError, match="Another run is writing"), RowFile(path):
            pass
        store.append({"key": "c"})
    assert read_rows(path) == [*ROWS, {"key": "c"}]


def test_two_runs_cannot_write_to_one_file(path: Path) -> None:
    check_that_one_run_writes(path)


def test_two_runs_cannot_write_to_one_file_on_windows(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock of that system, played by one of this: it forbids to read the bytes it holds."""
    fcntl = pytest.importorskip("fcntl")

    def locking(file: int, mode: int, n_bytes: int) -> None:
        assert (mode, n_bytes) == (windows.LK_NBLCK, 1)
        assert os.lseek(file, 0, os.SEEK_CUR) > path.stat().st_size
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError from error

    windows = SimpleNamespace(LK_NBLCK=2, locking=locking)
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setattr(sys, "platform", "win32")
    check_that_one_run_writes(path)
