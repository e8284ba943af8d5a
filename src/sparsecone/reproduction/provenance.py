"""The table of versions, commits and machines that made the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .cell import Row
from .section import Table
from .versions import VERSIONED, version_of


def provenance_table(rows: Iterable[Row], left_out: Iterable[Row]) -> Table:
    """Return one column for each set of versions: on which machine, from which commits, when."""
    columns = [
        *(_column(group, "yes") for group in _groups(rows)),
        *(_column(group, "no: another version") for group in _groups(left_out)),
    ]
    names = ("Used", "Rows", "sparsecone", "Commits", "NumPy", "SciPy", "scikit-learn", "Python")
    lines = zip((*names, "BLAS", "Machine", "Began", "Load"), *columns, strict=True)
    return Table(
        "Where the rows come from. Rows of different versions are never mixed: only those of the "
        "newest count in an experiment. Load: of the machine when a cell began, median.",
        ("What", *(f"Rows {place}" for place in range(1, len(columns) + 1))),
        tuple(lines),
        "provenance",
    )


def _groups(rows: Iterable[Row]) -> list[list[Row]]:
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        place = tuple(
            str(row["machine"].get(name, "")) for name in ("processor", "python", "blas", "system")
        )
        groups.setdefault((*version_of(row), *place), []).append(row)
    return list(groups.values())


def _column(rows: Sequence[Row], used: str) -> tuple[str, ...]:
    machine = rows[0]["machine"]
    versions = [machine.get(name, "unknown") for name in (*VERSIONED, "python", "blas")]
    commits = Counter(str(row["machine"].get("commit") or "unknown")[:8] for row in rows)
    days = sorted({str(row["machine"].get("started", ""))[:10] for row in rows} - {""})
    loads = sorted(float(row["machine"]["load"]) for row in rows if row["machine"].get("load"))
    place = "{processor}, {cores} cores, {system}, one thread a run".format(**machine)
    return (
        used,
        str(len(rows)),
        str(versions[0]),
        ", ".join(commits),
        *map(str, versions[1:]),
        place,
        " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "unknown",
        f"{loads[len(loads) // 2]:.1f}" if loads else "unknown",
    )
