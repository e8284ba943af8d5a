"""Where rows come from."""

from __future__ import annotations

from sparsecone.reproduction.cell import Cell, Row
from sparsecone.reproduction.provenance import provenance_table

from fabricated import fabricate


def row(seed: int, **machine: object) -> Row:
    made = fabricate(Cell(dataset="digits", method="UDFS", seed=seed))
    return {**made, "machine": {**made["machine"], **machine}}


def test_versions_commits_days_and_loads_are_told() -> None:
    used = [
        row(0, sparsecone="0.2.0", commit="a" * 40, started="2026-01-01T00:00:00", load=1.0),
        row(1, sparsecone="0.2.0", commit="b" * 40, started="2026-01-03T00:00:00", load=3.0),
        row(2, sparsecone="0.2.0", commit="b" * 40, started="2026-01-02T00:00:00", load=2.0),
    ]
    table = provenance_table(used, [row(3, sparsecone="0.1.0", commit=None)])
    told = {line[0]: line[1:] for line in table.rows}
    assert told["sparsecone"] == ("0.2.0", "0.1.0")
    assert told["Rows"] == ("3", "1")
    assert told["Used"] == ("yes", "no: another version")
    assert told["Commits"] == ("aaaaaaaa, bbbbbbbb", "unknown")
    assert told["Began"][0] == "2026-01-01 to 2026-01-03"
    assert told["Load"][0] == "2.0"


def test_rows_from_before_versions_were_kept_are_told_too() -> None:
    bare = row(0)
    names = ("processor", "cores", "system", "python", "numpy", "scipy", "scikit-learn")
    bare["machine"] = {name: bare["machine"][name] for name in names}
    told = dict(provenance_table([bare], []).rows)
    assert told["sparsecone"] == told["Commits"] == told["Began"] == told["Load"] == "unknown"
