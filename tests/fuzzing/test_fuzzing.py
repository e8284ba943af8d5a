"""A few cases of each campaign, and that the campaigns can find what they look for."""

from __future__ import annotations

import multiprocessing
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from . import differential
from .mutations import damaged
from .seeds import WRITERS
from .verdicts import Verdict, check, judge

FEW = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@FEW
@given(case=differential.texts())
def test_texts_are_read_as_others_read_them(tmp_path: Path, case: Any) -> None:
    differential.check_text(tmp_path / "d.csv", *case)


@settings(parent=FEW, max_examples=8)
@given(matrix=differential.MATRICES)
@pytest.mark.parametrize("kind", ["csr", "coo"])
def test_arrays_are_read_as_others_read_them(tmp_path: Path, matrix: Any, kind: str) -> None:
    differential.check_arrays(tmp_path, differential.drawn(matrix), kind)


def _verdicts(folder: Path, name: str, n_cases: int) -> list[str]:
    """Judge some mutants of a file; return what was broken. It runs where polars has not yet."""
    path = folder / f"mutant{name}"
    chance = Random(name)
    WRITERS[name](folder / name)
    contents = (folder / name).read_bytes()
    broken = []
    for _ in range(n_cases):
        path.write_bytes(damaged(contents, chance))
        judged = judge(path)
        if judged.verdict is Verdict.BROKEN:
            broken.append(judged.reason)
    return broken


@pytest.mark.parametrize("name", ["csr.npz", "packed.npz", "model.json", "array.npy"])
def test_mutants_are_read_or_refused(tmp_path: Path, name: str) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_verdicts, (tmp_path, name, 10)) == []


def test_damage_is_damage() -> None:
    contents = bytes(range(200))
    mutants = {damaged(contents, Random(seed)) for seed in range(50)}
    assert len(mutants) > 40


def test_data_sets_that_are_none_are_found() -> None:
    from sparsecone.datasets import Dataset

    with pytest.raises(AssertionError):
        check(Dataset("d", np.eye(2), None, ("a",)))
    with pytest.raises(AssertionError):
        check(Dataset("d", np.array([[np.nan]])))
