"""Provenance: the program, the machine and the moment."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

import sparsecone
from sparsecone.reproduction.machine import commit_of, machine_info

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def test_a_row_names_program_libraries_and_moment() -> None:
    machine = machine_info()
    assert machine["sparsecone"] == sparsecone.__version__
    assert re.search(r"\d+\.\d+", machine["blas"])
    started = datetime.fromisoformat(machine["started"])
    assert abs((datetime.now(UTC) - started).total_seconds()) < 60.0
    assert machine["load"] is None or machine["load"] >= 0.0
    assert "not installed" not in machine.values()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "src" / "sparsecone").mkdir(parents=True)
    (tmp_path / ".git" / "refs" / "heads").mkdir(parents=True)
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return tmp_path


def test_commit_of_a_branch(checkout: Path) -> None:
    (checkout / ".git" / "refs" / "heads" / "main").write_text(f"{COMMIT}\n")
    assert commit_of(checkout) == COMMIT


def test_commit_of_a_packed_branch(checkout: Path) -> None:
    text = f"# pack-refs with: peeled\n{'f' * 40} refs/heads/other\n{COMMIT} refs/heads/main\n"
    (checkout / ".git" / "packed-refs").write_text(text)
    assert commit_of(checkout) == COMMIT


def test_commit_without_a_branch(checkout: Path) -> None:
    (checkout / ".git" / "HEAD").write_text(f"{COMMIT}\n")
    assert commit_of(checkout) == COMMIT


def test_commit_of_a_further_working_tree(checkout: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    (tree / "src" / "sparsecone").mkdir(parents=True)
    place = checkout / ".git" / "worktrees" / "tree"
    place.mkdir(parents=True)
    (tree / ".git").write_text(f"gitdir: {place}\n")
    (place / "HEAD").write_text("ref: refs/heads/side\n")
    (place / "commondir").write_text("../..\n")
    (checkout / ".git" / "refs" / "heads" / "side").write_text(f"{COMMIT}\n")
    assert commit_of(tree) == COMMIT


def test_the_repository_of_somebody_else_is_none(checkout: Path) -> None:
    (checkout / "src" / "sparsecone").rmdir()
    (checkout / ".git" / "HEAD").write_text(f"{COMMIT}\n")
    assert commit_of(checkout) is None


def test_no_repository_and_a_branch_without_commits(checkout: Path, tmp_path: Path) -> None:
    assert commit_of(checkout) is None
    assert commit_of(tmp_path / "nowhere") is None
