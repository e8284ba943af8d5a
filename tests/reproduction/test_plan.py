from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from sparsecone.reproduction.cell import Cell
from sparsecone.reproduction.plan import LEVELS, PlanError, parse_plan, read_plan, shipped_plan

BLOCK = '[[runs]]\ndatasets = ["digits"]\nmethods = ["SPCA-PSD"]\n'


def test_plan_is_a_product() -> None:
    plan = parse_plan(
        """
        [[runs]]
        datasets = ["digits", "two-moon"]
        methods = ["SPCA-PSD", "CSPCA-PSD"]
        seeds = [0, 1, 2]
        scaling = "grey"
        n_features = [2]
        n_runs = 4
        keep = ["history"]
        parameters = { lam = [0.1, 1.0], eta = 0.5 }
        """,
        name="product",
    )
    assert len({cell.key for cell in plan.cells}) == len(plan.cells) == 2 * 2 * 3 * 2
    expected = Cell(
        dataset="two-moon",
        method="CSPCA-PSD",
        parameters={"eta": 0.5, "lam": 1.0},
        seed=2,
        scaling="grey",
        n_features=(2,),
        n_runs=4,
        keep=("history",),
    )
    assert expected.key in {cell.key for cell in plan.cells}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("runs = [", "not a TOML file"),
        ("", r"must consist of \[\[runs\]\] blocks"),
        ("name = 1\n" + BLOCK, r"must consist of \[\[runs\]\] blocks"),
        ("runs = [1]", "block 1 must be a table"),
        ('[[runs]]\nmethods = ["SPCA-PSD"]', "block 1 lacks 'datasets'"),
        ('[[runs]]\ndatasets = ["digits"]', "block 1 lacks 'methods'"),
        (BLOCK + "sedes = [0]", "has 'sedes'; known are: datasets, methods, seeds"),
        (BLOCK.replace("digits", "nowhere"), "datasets = .'nowhere'. must be .* digits"),
        (BLOCK.replace("SPCA-PSD", "nothing"), "methods = .'nothing'. must be .* SPCA-PSD"),
        (BLOCK + "seeds = []", "seeds = .. must be a list of integers from 0"),
        (BLOCK + "seeds = [true]", "seeds = .True. must be"),
        (BLOCK + 'scaling = "unit"', "scaling = 'unit' must be"),
        (BLOCK + "noise = [0.0]", "noise = .0.0. must be a list of numbers above 0"),
        (BLOCK + "noise = 1.0", "noise = 1.0 must be"),
        (BLOCK + "repeats = 0", "repeats = 0 must be an integer from 1"),
        (BLOCK + "max_seconds = true", "max_seconds = True must be a number above 0"),
        (BLOCK + "n_features = [0]", "n_features = .0. must be"),
        (BLOCK + "n_runs = -1", "n_runs = -1 must be"),
        (BLOCK + 'keep = ["all"]', "keep = .'all'. must be"),
        (BLOCK + "parameters = { lam = [] }", "parameters = .* must be"),
        (BLOCK + BLOCK, "block 2 repeats a run: .*digits"),
    ],
)
def test_faults_are_named(text: str, message: str) -> None:
    with pytest.raises(PlanError, match=f"^odd.toml.*{message}"):
        parse_plan(text, name="odd.toml")


def test_keys_depend_on_settings_alone() -> None:
    base = Cell(dataset="digits", method="UDFS", parameters={"gamma": 1.0, "mu": 2.0})
    same = Cell(dataset="digits", method="UDFS", parameters={"mu": 2.0, "gamma": 1.0})
    others = [
        Cell(dataset="digits", method="UDFS", parameters={"gamma": 1.0}),
        Cell(dataset="digits", method="UDFS", parameters=base.parameters, seed=1),
        Cell(dataset="digits", method="UDFS", parameters=base.parameters, n_runs=29),
        Cell(dataset="digits", method="UDFS", parameters=base.parameters, noise=1.0),
        Cell(dataset="digits", method="UDFS", parameters=base.parameters, repeats=3),
    ]
    assert base.key == same.key == replace(base, max_seconds=5.0).key
    assert len({base.key, *(cell.key for cell in others)}) == 6


@pytest.mark.parametrize("experiment", range(1, 7))
@pytest.mark.parametrize("level", LEVELS)
def test_shipped_plans_are_valid(experiment: int, level: str) -> None:
    plan = shipped_plan(experiment, level)
    methods = {cell.method for cell in plan.cells}
    assert plan.cells
    if any(cell.n_runs for cell in plan.cells):
        assert {"All features", "Highest variance", "Random subset"} <= methods


def test_quick_plans_have_data_everywhere() -> None:
    for experiment in range(1, 7):
        datasets = shipped_plan(experiment, "quick").datasets()
        assert {"digits", "two-moon"} & set(datasets)


def settings(cell: Cell) -> tuple[object, ...]:
    """Return what the published algorithm and the optimum of the same problem share."""
    weights = (cell.parameters.get("lam"), cell.parameters.get("eta"))
    return cell.dataset, cell.seed, cell.noise, cell.n_runs, cell.repeats, weights


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("model", ["SPCA-PSD", "CSPCA-PSD", "AW-SPCA-PSD"])
def test_optimum_and_published_algorithm_have_the_same_settings(level: str, model: str) -> None:
    for experiment in (2, 3, "choosing"):
        cells = shipped_plan(experiment, level).cells
        published = [settings(cell) for cell in cells if cell.method == f"{model} (published)"]
        optimum = [settings(cell) for cell in cells if cell.method == model]
        assert sorted(optimum, key=str) == sorted(published, key=str)


def test_experiment_3_has_the_papers_grid() -> None:
    cells = [cell for cell in shipped_plan(3, "standard").cells if cell.dataset != "mnist"]
    assert len({cell.dataset for cell in cells}) == 11
    for name in {cell.dataset for cell in cells}:
        own = [cell for cell in cells if cell.dataset == name]
        counts = Counter(cell.method for cell in own)
        for method in ("SPCA-PSD", "CSPCA-PSD"):
            assert counts[method] == counts[f"{method} (published)"] == 81
        for method in ("AW-SPCA-PSD", "AW-SPCA-PSD (published)", "SPCAFS", "UDFS", "SOGFS"):
            assert counts[method] == 9
        assert counts["RNE"] == 6 * 3
        assert {cell.n_runs for cell in own} <= {10, 30}
        assert {cell.scaling for cell in own} == {"grey"}


def test_experiment_6_shares_the_runs_of_experiment_3() -> None:
    known = {cell.key for cell in shipped_plan(3, "standard").cells}
    others = [cell for cell in shipped_plan(6, "standard").cells if cell.key not in known]
    assert others
    assert all(cell.is_timing for cell in others)


def test_one_scaling_in_all_experiments() -> None:
    for level in LEVELS:
        for experiment in (1, 3, 4, 5, 6, "choosing"):
            cells = shipped_plan(experiment, level).cells
            assert {cell.scaling for cell in cells} == {"grey"}


def test_times_are_repeated() -> None:
    timed = [cell for n in (1, 4, 6) for cell in shipped_plan(n, "standard").cells]
    timed = [cell for cell in timed if cell.is_timing]
    assert all(cell.repeats >= 3 and cell.n_runs == 0 for cell in timed)
    assert all(cell.is_timing for cell in shipped_plan(4, "standard").cells)


def test_read_plan_takes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(BLOCK)
    assert read_plan(path).name == "mine.toml"
