"""What tables ask of the rows."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.curves import Curves
from sparsecone.reproduction.results import Results, best_score, scores_of

from fabricated import emptied, fabricate


def seeds_of(n: int) -> list[Cell]:
    return [
        Cell(dataset="digits", method="Random subset", seed=s, n_features=(9,)) for s in range(n)
    ]


def test_seeds_are_pooled_and_settings_are_not() -> None:
    low, high = (fabricate(c, acc=acc) for c, acc in zip(seeds_of(2), (40.0, 46.0), strict=True))
    pooled = scores_of([low, high])[9]
    assert pooled.acc == 43.0
    # Within 2 a seed, between seeds 3: the variances add.
    assert pooled.acc_std == pytest.approx((2.0**2 + 3.0**2) ** 0.5)
    other = Cell(dataset="digits", method="Random subset", n_features=(9,), parameters={"a": 1})
    best = best_score([low, high, fabricate(other, acc=45.0)], 9)
    assert best is not None
    assert best.acc == 45.0
    assert best_score([low], 10) is None


def test_the_error_of_a_mean_is_that_over_seeds_or_over_runs() -> None:
    rows = [fabricate(c, acc=acc) for c, acc in zip(seeds_of(3), (40.0, 43.0, 46.0), strict=True)]
    over_seeds = scores_of(rows)[9].estimate("acc")
    assert (over_seeds.value, over_seeds.count) == (43.0, 3)
    assert over_seeds.error == pytest.approx(3.0 / 3**0.5)
    over_runs = scores_of(rows[:1])[9].estimate("acc")
    assert over_runs.count == 30
    assert over_runs.error == pytest.approx(2.0 / 30**0.5)


@pytest.mark.parametrize("old_format", [False, True])
def test_a_zero_matrix_has_no_part_in_any_mean(old_format: bool) -> None:
    cells = [
        Cell(dataset="digits", method="SPCAFS", n_features=(9,), parameters={"lam": lam})
        for lam in (1.0, 1e4)
    ]
    good, zero = fabricate(cells[0], acc=40.0), fabricate(cells[1], acc=99.0)
    # Rows of old had scores of pixels in the order of their index.
    zero = {**zero, "rank": 0} if old_format else emptied(zero)
    results = Results((good, zero))
    assert results.where(method="SPCAFS") == [good]
    peak = Curves(results).peak("digits", "SPCAFS", "acc")
    assert peak is not None
    assert peak.acc == 40.0


def test_only_the_newest_version_counts() -> None:
    cells = seeds_of(3)
    rows = {cell.key: fabricate(cell) for cell in cells}
    for cell, version in zip(cells, ("0.9.0", "0.10.0", "not installed"), strict=True):
        rows[cell.key] = with_version(rows[cell.key], sparsecone=version)
    results = Results.gathered(cells, rows)
    assert [row["machine"]["sparsecone"] for row in results.rows] == ["0.10.0"]
    assert len(results.left_out) == 2
    older = with_version(rows[cells[1].key], numpy="1.0.0")
    rows[cells[1].key], rows[cells[0].key] = older, with_version(older, numpy="2.0.0")
    assert [row["machine"]["numpy"] for row in Results.gathered(cells, rows).rows] == ["2.0.0"]


def with_version(row: Row, **versions: str) -> Row:
    return {**row, "machine": {**row["machine"], **versions}}
