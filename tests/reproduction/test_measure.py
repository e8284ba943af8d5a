"""What a row says: nothing selected, too little selected, out of time, repeated for its time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.measure import is_done, run_cell

BIG = {"lam": 1e9, "eta": 1e9, "units": "absolute"}


@pytest.mark.parametrize("method", ["SPCA-PSD", "CSPCA-PSD", "CSPCA-PSD (published)"])
def test_a_zero_matrix_has_a_reason_and_no_scores(method: str) -> None:
    cell = Cell(dataset="digits", method=method, parameters=BIG, n_runs=2, keep=("selected",))
    row = run_cell(cell)
    assert row["status"] == "empty"
    assert row["rank"] == row["n_nonzero"] == 0
    assert "W = 0" in row["reason"]
    assert not {"scores", "selected"} & set(row)


def test_sizes_beyond_the_features_with_a_score_are_not_evaluated() -> None:
    # At these weights 45 of the 64 pixels have a score.
    weights = {"lam": 1.0, "eta": 0.05}
    row = run_cell(Cell(dataset="digits", method="SPCA-PSD", parameters=weights, n_runs=2))
    assert 10 < row["n_nonzero"] < 50
    sizes = [score["n_features"] for score in row["scores"]]
    assert sizes == [size for size in (10, 30, 50) if size <= row["n_nonzero"]]


def test_methods_that_fill_up_are_evaluated_at_all_sizes() -> None:
    row = run_cell(Cell(dataset="digits", method="SPCA-PSD (auto)", n_runs=2))
    assert [score["n_features"] for score in row["scores"]] == [10, 30, 50]
    assert all(score["n_runs"] == 2 for score in row["scores"])


def test_a_fit_out_of_time_has_failed_and_says_so() -> None:
    cell = Cell(dataset="digits", method="SOGFS", n_runs=0, max_seconds=0.05)
    row = run_cell(cell)
    assert row["status"] == "failed"
    assert row["reason"] == "not done within 0.05 seconds of CPU time"
    assert is_done(cell, row)
    assert not is_done(replace(cell, max_seconds=0.1), row)
    assert not is_done(replace(cell, max_seconds=None), row)


def test_other_failures_do_not_run_again() -> None:
    cell = Cell(dataset="digits", method="SPCA-PSD", parameters={"lam": -1.0}, max_seconds=1.0)
    row = run_cell(cell)
    assert row["status"] == "failed"
    assert is_done(replace(cell, max_seconds=9.0), row)
    assert not is_done(cell, None)


def test_the_time_is_the_median_of_the_repeats() -> None:
    cell = Cell(dataset="digits", method="SPCA-PSD (published)", n_runs=0, repeats=3)
    row = run_cell(cell)
    assert cell.is_timing
    assert len(row["seconds_all"]) == 3
    assert row["seconds"] == sorted(row["seconds_all"])[1]
    once = run_cell(replace(cell, repeats=1))
    assert "seconds_all" not in once
    assert once["value"] == row["value"]
