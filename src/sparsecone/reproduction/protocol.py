"""Data and protocol as tables, from plans and rows; what differs from the paper is marked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from ..datasets import DATASETS as KNOWN
from ..metrics.evaluation import papers_counts
from .cell import Cell, Row
from .measure import FAILED
from .paper import DATASETS, GRID, N_RUNS
from .results import Results, is_empty, is_timing
from .section import Table, method_table
from .sources import how_to_get, is_present, title_of

DIFFERS = "≠ "
_WEIGHTS = ("lam", "eta", "gamma")
#: Experiments in which the paper tries its whole grid.
_GRIDDED = (2, 3, 6)
_NUMBER = re.compile(r"[0-9][0-9.e+-]*")


def data_table(results: Mapping[int, Results]) -> Table:
    """Return what each real data set is, and in which experiments it has rows."""
    used = {
        number: set(each.datasets()) | {row["dataset"] for row in each.timings}
        for number, each in results.items()
    }
    lines = []
    for info in KNOWN:
        planned = any(info.name in {c.dataset for c in each.planned} for each in results.values())
        numbers = ", ".join(str(number) for number, names in used.items() if info.name in names)
        if not planned and not numbers:
            continue
        size = (str(info.n_samples), str(info.n_features), str(info.n_classes))
        scaled = "grey levels in [0, 1]" if info.image_shape else "as stored"
        in_paper = "yes" if info.in_paper else f"{DIFFERS}no"
        rows = numbers or ("not yet" if is_present(info.name) else f"{DIFFERS}not to be had")
        lines.append((info.title, info.kind, *size, scaled, in_paper, rows))
    columns = ("Data", "Kind", "Samples", "Features", "Classes", "Scaling", "In the paper")
    caption = (
        "The real data sets. The paper scales image features to [0, 1]; here all grey levels of a "
        f"set have one factor. {DIFFERS.strip()} marks what differs from the paper."
    )
    return Table(caption, (*columns, "Rows in experiment"), tuple(lines), "data")


def protocol_table(results: Mapping[int, Results]) -> Table:
    """Return grids, numbers of features, runs and starts of each experiment."""
    lines = tuple(_protocol_line(number, each) for number, each in results.items())
    columns = ("Experiment", "Data sets", "Scaling", "Settings of a method", "Features")
    caption = (
        "The protocol as it was run. The paper: 9 values of each parameter, 10^-4 to 10^4 (one, "
        "10, in experiments 1, 4 and 5), 30 k-means runs, 50 to 300 features (10 to 110 for sets "
        f"of up to 300). {DIFFERS.strip()} marks what differs."
    )
    return Table(caption, (*columns, "k-means runs", "Draws or starts"), lines, "protocol")


def _protocol_line(number: int, results: Results) -> tuple[str, ...]:
    cells = [cell for cell in results.planned if cell.dataset not in results.missing]
    names = {cell.dataset for cell in cells}
    wanted = set(DATASETS.get(number, ()))
    absent, added = len(wanted - names), len(names - wanted)
    sets = f"{len(names & wanted)} of {len(wanted)}"
    if added:
        sets += f" and {added} more"
    return (
        str(number),
        (DIFFERS if absent or added else "") + sets,
        ", ".join(sorted({cell.scaling for cell in cells})),
        _settings(number, cells),
        _sizes(cells),
        _runs(cells),
        _seeds(cells),
    )


def _settings(number: int, cells: Sequence[Cell]) -> str:
    """Return how many settings methods with one and with two parameters have on a data set."""
    scored = [cell for cell in cells if not cell.is_timing]
    parts = _counted(number, [cell for cell in scored if cell.noise is None])
    noisy = _counted(number, [cell for cell in scored if cell.noise is not None])
    return ", ".join(parts) + (f"; over the noise {', '.join(noisy)}" if noisy else "")


def _counted(number: int, cells: Sequence[Cell]) -> list[str]:
    """Return how many settings there are for each number of parameters."""
    settings: dict[tuple[str, str], set[tuple[tuple[str, object], ...]]] = {}
    for cell in cells:
        weights = tuple((n, v) for n, v in cell.parameters.items() if n in _WEIGHTS)
        if weights:
            settings.setdefault((cell.dataset, cell.method), set()).add(weights)
    numbers: dict[int, set[int]] = {}
    for found in settings.values():
        numbers.setdefault(len(next(iter(found))), set()).add(len(found))
    parts = []
    for n, counts in sorted(numbers.items()):
        mark = "" if counts == {len(GRID) ** n if number in _GRIDDED else 1} else DIFFERS
        listed = " or ".join(map(str, sorted(counts)))
        parts.append(f"{mark}{listed} ({n} parameter{'s' if n > 1 else ''})")
    return parts


def _sizes(cells: Sequence[Cell]) -> str:
    scored = [cell for cell in cells if cell.n_runs]
    given = sorted({count for cell in scored for count in cell.n_features or ()})
    parts = [", ".join(map(str, given))] if given else []
    if any(cell.n_features is None for cell in scored):
        parts.append(", ".join(map(str, papers_counts(1000))))
    return " or ".join(parts) or "none"


def _runs(cells: Sequence[Cell]) -> str:
    runs = sorted({cell.n_runs for cell in cells if cell.n_runs}, reverse=True)
    mark = DIFFERS if runs and runs[-1] < N_RUNS else ""
    few = [cell for cell in cells if 0 < cell.n_runs < N_RUNS]
    where = ", ".join(dict.fromkeys(title_of(cell.dataset) for cell in few))
    listed = " or ".join(map(str, runs))
    return f"{mark}{listed} (fewer on {where})" if mark and len(runs) > 1 else f"{mark}{listed}"


def _seeds(cells: Sequence[Cell]) -> str:
    """Return how many seeds the methods have that have more than one."""
    seeds: dict[str, set[int]] = {}
    for cell in cells:
        seeds.setdefault(cell.method, set()).add(cell.seed)
    counts = Counter(len(found) for found in seeds.values())
    parts = []
    for count in sorted(counts):
        names = [name for name, found in seeds.items() if len(found) == count]
        few = ", ".join(names) if len(names) <= 3 else f"{len(names)} methods"
        parts.append(f"{count} ({few})")
    return ", ".join(parts)


def cells_table(results: Mapping[int, Results] | Mapping[str, Results]) -> Table:
    """Return how many cells were planned, ran, were empty, failed, and are absent."""
    lines = []
    for number, each in results.items():
        states = Counter(_state(row) for row in each.rows)
        absent = len(each.planned) - len(each.rows)
        away = sum(cell.dataset in each.missing for cell in each.planned)
        counts = (len(each.planned), *(states[s] for s in ("run", "empty", FAILED)))
        timed = sum(is_timing(row) for row in each.rows)
        numbers = (*counts, absent - away, away, timed)
        lines.append((str(number), *map(str, numbers)))
    columns = ("Experiment", "Planned", "Scored or timed", "Empty", "Failed", "Not run")
    caption = (
        "Cells: a method with one setting and seed on one data set. Empty: the matrix is zero or "
        "no feature has a score, so there is nothing to cluster. Empty and failed cells enter no "
        "mean, rank or peak."
    )
    return Table(caption, (*columns, "Data not to be had", "Of these timed"), tuple(lines), "cells")


def _state(row: Mapping[str, object]) -> str:
    if row["status"] == FAILED:
        return FAILED
    return "empty" if is_empty(dict(row)) else "run"


def reasons_table(results: Mapping[int, Results] | Mapping[str, Results]) -> list[Table]:
    """Return the reasons of empty and failed cells; those that differ in numbers are one."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in {row["key"]: row for each in results.values() for row in each.rows}.values():
        if _state(row) != "run":
            reason = row.get("reason") or "the matrix is zero"
            found.setdefault((_state(row), _NUMBER.sub("#", reason)), []).append(row)
    lines = []
    for (state, _), rows in found.items():
        methods = Counter(row["method"] for row in rows).most_common()
        sets = dict.fromkeys(title_of(row["dataset"]) for row in rows)
        who = ", ".join(f"{name} ({count})" for name, count in methods)
        reason = rows[0].get("reason") or "the matrix is zero"
        lines.append((state, reason, str(len(rows)), who, ", ".join(sets)))
    if not lines:
        return []
    caption = "Why cells are empty or failed; reasons that differ in numbers only are shown once."
    columns = ("State", "Reason", "Cells", "Methods", "Data sets")
    return [Table(caption, columns, tuple(lines), "reasons")]


def coverage_table(results: Results) -> Table:
    """Return how many of the planned settings of each method count on each data set."""
    cells = [cell for cell in results.planned if cell.dataset not in results.missing]
    datasets = list(dict.fromkeys(cell.dataset for cell in cells))
    planned = Counter((cell.method, cell.dataset) for cell in cells if cell.repeats == 1)
    rows = [row for row in results.where() if row.get("scores")]
    scored = Counter((row["method"], row["dataset"]) for row in rows)

    def counts(dataset: str, method: str) -> str:
        number = planned[method, dataset]
        return f"{scored[method, dataset]} / {number}" if number else ""

    caption = (
        "Cells of experiment 3 with a score / planned, seeds and numbers of features of RNE and "
        "random subsets included. The others are empty, failed or not run."
    )
    methods = list(dict.fromkeys(method for method, _ in planned))
    return method_table(caption, methods, datasets, counts, name="coverage")


def absent_sentences(results: Mapping[int, Results] | Mapping[str, Results]) -> list[str]:
    """Name the data sets that are not here, where they come from, and cells that have not run."""
    missing = dict.fromkeys(name for each in results.values() for name in each.missing)
    told = []
    if missing:
        sources = "; ".join(how_to_get(name) for name in missing)
        told.append(f"Not in the data folder, so in no row: {sources}.")
    waiting = []
    for name, each in results.items():
        done = {row["key"] for row in each.rows}
        cells = [cell for cell in each.planned if cell.key not in done]
        sets = Counter(title_of(cell.dataset) for cell in cells if cell.dataset not in each.missing)
        if sets:
            listed = ", ".join(f"{title} ({count})" for title, count in sets.items())
            waiting.append(f"{'experiment ' if isinstance(name, int) else ''}{name}: {listed}")
    if waiting:
        told.append(f"Planned, but not run (cells): {'; '.join(waiting)}.")
    return told
