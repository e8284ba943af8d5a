"""Methods and data of one's own, from outside the package: by hand, and as an installed package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_wine

import sparsecone
from sparsecone.model_file import Model
from sparsecone.registry import METHODS, Method, method_at, own
from sparsecone.reproduction.plan import PlanError, parse_plan
from sparsecone.reproduction.store import read_rows

from deviation import MeanDeviation

ROOT = Path(__file__).resolve().parents[1]
PLAN = """
[[runs]]
datasets = ["data/wine.csv"]
read = { label = "kind", scale = "standard" }
methods = ["SPCA-PSD (auto)", "MeanDeviation", "Highest variance"]
n_features = [2, 5]
n_runs = 2
keep = ["selected"]
"""


@pytest.fixture
def nothing_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own, "_registered", {})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an installed package that has a method, a table and a plan."""
    folder = tmp_path_factory.mktemp("outside")
    site = folder / "site"
    facts = site / "deviation-1.0.dist-info"
    facts.mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "extending" / "deviation.py", site)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: deviation\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        "[sparsecone.methods]\nmean-deviation = deviation:MeanDeviation\nlost = deviation:Lost\n"
    )
    X, y = load_wine(return_X_y=True)
    names = [f"f{index}" for index in range(X.shape[1])]
    (folder / "data").mkdir()
    table = pl.DataFrame(X, schema=names).with_columns(kind=pl.Series(y.astype(str)))
    table.write_csv(folder / "data" / "wine.csv")
    (folder / "plan.toml").write_text(PLAN)
    return folder


def call(place: Path, *arguments: str, installed: bool = True) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that has the package, or has it not."""
    paths = [*([str(place / "site")] if installed else []), str(ROOT / "src")]
    return subprocess.run(
        [sys.executable, "-m", "sparsecone", *arguments],
        cwd=place,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_installed_method_is_listed_and_compared(place: Path) -> None:
    listed = call(place, "methods", "--json")
    assert json.loads(listed.stdout)[-1]["name"] == "mean-deviation"
    assert "The method 'lost' of the package deviation is left out" in listed.stderr
    compared = call(
        place, *("compare", "data/wine.csv", "--label", "kind", "-k", "3", "--json"),
        *("--methods", "spca-psd,mean-deviation,deviation:MeanDeviation"),
    )  # fmt: skip
    assert compared.returncode == 0, compared.stderr
    rows = json.loads(compared.stdout)
    assert [row["method"] for row in rows] == ["spca-psd", "mean-deviation", "mean-deviation"]
    assert rows[1]["acc"] == rows[2]["acc"]


def test_a_model_is_loaded_where_its_method_is_installed(place: Path) -> None:
    arguments = ("-m", "mean-deviation", "--drop", "kind", "-k", "2", "--save-model", "m.json")
    assert call(place, "select", "data/wine.csv", *arguments).returncode == 0
    assert json.loads((place / "m.json").read_text())["method"] == "deviation:MeanDeviation"
    apply = ("apply", "m.json", "data/wine.csv", "--out", "small.csv")
    assert call(place, *apply).returncode == 0
    X, _ = load_wine(return_X_y=True)
    chosen = MeanDeviation(n_features_to_select=2).fit(X).selected_
    assert pl.read_csv(place / "small.csv").columns == [f"f{index}" for index in chosen]
    refused = call(place, *apply, installed=False)
    assert refused.returncode == 2
    assert "names the method 'deviation:MeanDeviation', which is not installed" in refused.stderr


def test_a_model_file_imports_nothing_by_itself(place: Path) -> None:
    (place / "site" / "trap.py").write_text("print('sprung')\nclass Trap: pass\n")
    arguments = ("-m", "random", "--drop", "kind", "-k", "2", "--save-model", "random.json")
    assert call(place, "select", "data/wine.csv", *arguments).returncode == 0
    model = json.loads((place / "random.json").read_text()) | {"method": "trap:Trap"}
    (place / "trap.json").write_text(json.dumps(model))
    refused = call(place, "apply", "trap.json", "data/wine.csv", "--out", "small.csv")
    assert refused.returncode == 2
    assert "sprung" not in refused.stdout + refused.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_plan_with_own_data_and_an_own_method(place: Path, jobs: str) -> None:
    out = f"out{jobs}"
    run = call(
        place, *("reproduce", "choosing", "--plan", "plan.toml"), "--out", out, "--jobs", jobs
    )
    assert run.returncode == 0, run.stdout + run.stderr
    page, latex = ((place / out / f"choosing.{ending}").read_text() for ending in ("md", "tex"))
    assert "| MeanDeviation |" in page
    assert "1 data set is too few for a test" in page
    assert "Method & wine & Mean" in latex
    rows = read_rows(place / out / "rows.jsonl")
    assert {row["status"] for row in rows} <= {"converged", "done"}
    assert rows[0]["read"]["label"] == "kind"


def test_rows_of_a_file_that_changed_run_again(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "data", tmp_path / "data")
    text = PLAN.replace(', "MeanDeviation"', "")
    first = parse_plan(text, name="p", folder=tmp_path)
    assert parse_plan(text, name="p", folder=tmp_path) == first
    with (tmp_path / "data" / "wine.csv").open("a") as file:
        file.write(",".join(["1"] * 14) + "\n")
    assert parse_plan(text, name="p", folder=tmp_path).cells[0].key != first.cells[0].key


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("MeanDeviation", "Nowhere", "methods = .* must be a list of some of: SPCA-PSD"),
        ("scale =", "scales =", "read = .* must be a table of some of: label, drop"),
        ("data/wine.csv", "data/wine", "datasets = .* must be a list of files or some of"),
    ],
)
@pytest.mark.usefixtures("nothing_registered")
def test_what_a_plan_cannot_name(old: str, new: str, message: str) -> None:
    sparsecone.register(MeanDeviation)
    with pytest.raises(PlanError, match=message):
        parse_plan(PLAN.replace(old, new), name="p")


@pytest.mark.usefixtures("nothing_registered")
def test_a_registered_method_is_one_of_all_and_goes_into_a_model() -> None:
    X = np.random.default_rng(0).normal(size=(20, 4)) * [1, 5, 2, 3]
    selector = MeanDeviation(n_features_to_select=2).fit(X)
    with pytest.raises(ValueError, match=r"call sparsecone\.register first"):
        Model.of(selector)
    assert sparsecone.register(MeanDeviation) is MeanDeviation
    assert sparsecone.register(MeanDeviation) is MeanDeviation
    assert [method.name for method in sparsecone.methods()][len(METHODS) :] == ["mean-deviation"]
    model = Model.of(selector)
    assert model.method == "deviation:MeanDeviation"
    assert model.selector().selected_.tolist() == selector.selected_.tolist() == [1, 3]


@pytest.mark.usefixtures("nothing_registered")
def test_what_is_no_method() -> None:
    class Local(MeanDeviation):
        """A class that no import path leads to."""

    with pytest.raises(ValueError, match="define the class at the top of a module"):
        sparsecone.register(Local)
    with pytest.raises(TypeError, match="a subclass of Selector or a Method"):
        sparsecone.register(int)  # type: ignore[type-var]
    taken = Method(name="cur", label="Mine", location="deviation:MeanDeviation", kind="own")
    with pytest.raises(ValueError, match=r"The name 'cur' is that of sparsecone\.baselines\.cur"):
        sparsecone.register(taken)
    with pytest.raises(ValueError, match="small letters, digits and dashes"):
        sparsecone.register(
            Method(name="My own", label="Mine", location="deviation:MeanDeviation", kind="own")
        )
    with pytest.raises(ValueError, match="no method at 'nowhere:Nothing'"):
        method_at("nowhere:Nothing")
    with pytest.raises(TypeError, match="a subclass of Selector or a Method"):
        method_at("os:getcwd")
    assert not own.own_methods()
