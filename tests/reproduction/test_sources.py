"""Data of the experiments: synthetic ones by their noise, and sets that users bring."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sparsecone.datasets import dataset_info
from sparsecone.datasets.synthetic import NOISE_AMPLITUDES
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.runner import run
from sparsecone.reproduction.sources import how_to_get, load_source
from sparsecone.reproduction.store import RowFile

ABSENT = ("lung", "imm40", "mstar_soc_cnn", "indoor_resnet50")


@pytest.mark.parametrize("name", ["two-moon", "three-ring", "three-curve"])
def test_noise_is_the_amplitude_of_the_strongest_feature(name: str) -> None:
    plain = load_source(name, scaling="stored", seed=3)
    same = load_source(name, scaling="stored", seed=3, noise=max(NOISE_AMPLITUDES))
    twice = load_source(name, scaling="stored", seed=3, noise=2.0 * max(NOISE_AMPLITUDES))
    np.testing.assert_array_equal(same.X, plain.X)
    np.testing.assert_array_equal(twice.X[:, :2], plain.X[:, :2])
    np.testing.assert_allclose(twice.X[:, 2:], 2.0 * plain.X[:, 2:])


def test_other_seeds_are_other_samples() -> None:
    first, second = (load_source("two-moon", scaling="stored", seed=s, noise=1.0) for s in (0, 1))
    assert not np.array_equal(first.X, second.X)


def stand_in(name: str, folder: Path) -> None:
    """Save random data of a set's shape, with the trace that the paper states."""
    info = dataset_info(name)
    rng = np.random.default_rng(0)
    X = rng.random((info.n_samples, info.n_features), dtype=np.float32).astype(np.float64)
    if info.log10_trace is not None:
        X *= np.sqrt(10.0**info.log10_trace / (X.var(axis=0).sum() * len(X)))
    np.savez(folder / f"{name}.npz", X=X, y=np.arange(info.n_samples) % info.n_classes)


@pytest.mark.parametrize("name", ABSENT)
def test_plans_run_once_a_missing_set_is_there(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSECONE_DATA", str(tmp_path))
    planned = [cell for n in (3, 4, 6) for cell in shipped_plan(n, "standard").cells]
    own = [cell for cell in planned if cell.dataset == name]
    assert own
    # Of all that the plans have for it, what takes no time; without its many runs of k-means.
    cell = next(cell for cell in planned if cell.method == "Highest variance")
    cell = replace(cell, dataset=name, n_runs=0)
    with RowFile(tmp_path / "rows.jsonl") as store:
        assert run([cell], store) == [name]
        assert not store.rows
        stand_in(name, tmp_path)
        assert run([cell], store) == []
        (row,) = store.rows.values()
    info = dataset_info(name)
    assert row["status"] == "done"
    assert row["shape"] == [info.n_samples, info.n_features]
    assert row["selected"]


@pytest.mark.parametrize("name", ABSENT)
def test_it_is_said_where_a_missing_set_comes_from(name: str) -> None:
    text = how_to_get(name)
    assert dataset_info(name).title in text
    assert any(place in text for place in ("github", "Technical University", "authors"))
