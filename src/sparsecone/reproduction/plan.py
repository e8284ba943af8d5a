"""Plans: TOML files that name products of data sets x methods x parameters x seeds.

A plan is a list of blocks. Every list among its parameters is a grid, a single value is fixed::

    [[runs]]
    datasets = ["isolet", "pie"]
    methods = ["SPCA-PSD"]
    seeds = [0]
    scaling = "stored"          # or "grey": grey levels of image sets between 0 and 1
    noise = [0.8, 1.2]          # strongest noise feature of synthetic data; left out: their own
    n_features = [100]          # left out: the paper's numbers
    n_runs = 30                 # k-means runs; 0 leaves the evaluation out
    keep = ["history"]          # objective values; "selected": the first 100 features
    repeats = 5                 # fits whose median time counts; left out: 1
    max_seconds = 120           # CPU time of a fit, beyond which it fails; left out: no limit
    parameters = { lam = [1, 10], eta = 10, units = "absolute", solver = "published" }

A data set may also be a file, by its path from the plan; `read` says how it is read, by the
parameters of `load_file` and `scale`. Methods of one's own go by their labels::

    [[runs]]
    datasets = ["data/wine.csv"]
    read = { label = "kind", drop = ["id"], scale = "standard" }
    methods = ["SPCA-PSD (auto)", "MeanDeviation"]
"""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from ..datasets.stored_check import checksum
from .cell import Cell
from .methods import all_methods
from .sources import READING, is_file_name, source_names

LEVELS = ("quick", "standard", "full")


class PlanError(ValueError):
    """A plan that cannot be run; the message names the file, the block and the fault."""


@dataclass(frozen=True)
class ExperimentPlan:
    """A named list of cells, each with different settings."""

    name: str
    cells: tuple[Cell, ...]

    def datasets(self) -> list[str]:
        """Return the data sets of the plan, each once."""
        return list(dict.fromkeys(cell.dataset for cell in self.cells))


def read_plan(path: Path) -> ExperimentPlan:
    """Read a plan from a file."""
    return parse_plan(path.read_text(encoding="utf-8"), name=path.name, folder=path.parent)


def shipped_plan(experiment: int | str, level: str) -> ExperimentPlan:
    """Return the plan of an experiment, or of a study, that comes with the package.

    Standard and full plans differ only where the full one takes days; elsewhere there is one.
    """
    folder = resources.files(__package__) / "plans"
    file = folder / f"{experiment}_{level}.toml"
    if not file.is_file():
        other = {"standard": "full", "full": "standard"}.get(level, level)
        file = folder / f"{experiment}_{other}.toml"
    return parse_plan(file.read_text(encoding="utf-8"), name=file.name)


def parse_plan(text: str, *, name: str, folder: Path = Path()) -> ExperimentPlan:
    """Return the plan that a TOML text describes; its files stand in or below a folder.

    Examples
    --------
    >>> text = '''
    ... [[runs]]
    ... datasets = ["digits"]
    ... methods = ["SPCA-PSD"]
    ... seeds = [0, 1]
    ... parameters = { eta = [0.01, 0.1] }
    ... '''
    >>> len(parse_plan(text, name="example").cells)
    4
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{name} is not a TOML file: {error}.") from error
    blocks = content.pop("runs", None)
    if content or not isinstance(blocks, list) or not blocks:
        raise PlanError(f"{name} must consist of [[runs]] blocks, and have at least one.")
    cells: dict[str, Cell] = {}
    for number, block in enumerate(blocks, start=1):
        where = f"{name}, block {number}"
        _check_block(block, where)
        for cell in _product(block, folder):
            if cells.setdefault(cell.key, cell) is not cell:
                raise PlanError(f"{where} repeats a run: {cell.settings()}.")
    return ExperimentPlan(name, tuple(cells.values()))


def _product(block: Mapping[str, Any], folder: Path) -> Iterator[Cell]:
    """Yield the cells of a checked block."""
    parameters = block.get("parameters", {})
    grids = [value if isinstance(value, list) else [value] for value in parameters.values()]
    counts = block.get("n_features")
    sources = [_source(name, block, folder) for name in block["datasets"]]
    for (dataset, read), noise, method, seed in itertools.product(
        sources, block.get("noise", [None]), block["methods"], block.get("seeds", [0])
    ):
        for values in itertools.product(*grids):
            yield Cell(
                dataset=dataset,
                method=method,
                parameters=dict(zip(parameters, values, strict=True)),
                seed=seed,
                scaling=block.get("scaling", "stored"),
                noise=noise,
                n_features=None if counts is None else tuple(counts),
                n_runs=block.get("n_runs", 30),
                keep=tuple(block.get("keep", ())),
                read=read,
                repeats=block.get("repeats", 1),
                max_seconds=block.get("max_seconds"),
            )


def _source(name: str, block: Mapping[str, Any], folder: Path) -> tuple[str, dict[str, Any]]:
    """Return a data set, and how it is read if it is a file."""
    if not is_file_name(name):
        return name, {}
    path = (folder / name).resolve()
    return str(path), {
        **block.get("read", {}),
        "sha256": checksum(path) if path.is_file() else None,
    }


def _check_block(block: Any, where: str) -> None:
    """Raise a PlanError unless every entry of a block is what it should be."""
    if not isinstance(block, dict):
        raise PlanError(f"{where} must be a table.")
    for entry in ("datasets", "methods"):
        if entry not in block:
            raise PlanError(f"{where} lacks '{entry}'.")
    known = _entries()
    for entry, value in block.items():
        if entry not in known:
            raise PlanError(f"{where} has '{entry}'; known are: {', '.join(known)}.")
        is_valid, expected = known[entry]
        if not is_valid(value):
            raise PlanError(f"{where}: {entry} = {value!r} must be {expected}.")


def _entries() -> dict[str, tuple[Callable[[Any], bool], str]]:
    """Return what every entry must be, as a test and in words; own methods may have come."""
    sources, methods = source_names(), all_methods()
    return {
        "datasets": (
            _is_list_of(
                lambda name: name in sources or (isinstance(name, str) and is_file_name(name))
            ),
            f"a list of files or some of: {', '.join(sources)}",
        ),
        "methods": (
            _is_list_of(lambda name: name in methods),
            f"a list of some of: {', '.join(methods)}",
        ),
        "seeds": (_is_list_of(lambda seed: _is_int(seed, least=0)), "a list of integers from 0"),
        "scaling": (lambda value: value in ("stored", "grey"), '"stored" or "grey"'),
        "noise": (_is_list_of(_is_positive), "a list of numbers above 0"),
        "n_features": (
            _is_list_of(lambda count: _is_int(count, least=1)),
            "a list of integers from 1",
        ),
        "n_runs": (lambda value: _is_int(value, least=0), "an integer from 0"),
        "keep": (
            _is_list_of(lambda what: what in ("history", "selected")),
            'a list of "history" and "selected"',
        ),
        "repeats": (lambda value: _is_int(value, least=1), "an integer from 1"),
        "max_seconds": (_is_positive, "a number above 0"),
        "read": (
            lambda value: isinstance(value, dict) and set(value) <= set(READING),
            f"a table of some of: {', '.join(READING)}",
        ),
        "parameters": (
            lambda value: isinstance(value, dict) and [] not in value.values(),
            "a table of values and non-empty lists",
        ),
    }


def _is_int(value: Any, *, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def _is_list_of(valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and bool(value) and all(map(valid, value))
