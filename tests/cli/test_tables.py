"""Tables as they are, on the command line: what is said of them, ids that stay, several sizes."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

MESSY = (
    "Kunden-Nr;Größe (cm);Umsatz, netto (€);Ort;Stammkunde\r\n"
    "1001;169,2;51.200,50;Köln;ja\r\n"
    "1002;181,0;23.100,00;Bonn;nein\r\n"
    "1003;174,9;98.750,25;Köln;ja\r\n"
    "1004;177,3;40.000,75;Trier;nein\r\n"
)


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    path = tmp_path / "kunden.csv"
    path.write_bytes(MESSY.encode("cp1252"))
    return path


def test_a_messy_table_is_read_and_told_of(run: Any, messy: Path) -> None:
    refused = run("select", messy, "-k", 1)
    assert refused.exit_code == 2
    assert "has text in column 'Ort', such as 'Köln'" in refused.stderr
    result = run("select", messy, "-k", 1, "--drop-text", "--json")
    assert result.exit_code == 0, result.output
    (best,) = json.loads(result.stdout)["selected"]
    assert best["feature"] == "Umsatz, netto (€)"
    told = result.stderr.splitlines()
    assert "in cp1252, with semicolons between columns, with decimal commas" in told[0]
    assert told[1].startswith("'Kunden-Nr' is taken for the names of the rows")
    assert told[2] == "Left out, because of text in them: 'Ort'."
    assert told[3].startswith("Note: 'Umsatz, netto (€)' ranges over 7.57e+04, 'Stammkunde' over")
    assert "--scale standard" in told[3]


def test_with_scales_there_is_no_warning(run: Any, messy: Path) -> None:
    result = run("select", messy, "-k", 1, "--drop-text", "--scale", "standard")
    assert result.exit_code == 0
    assert "ranges over" not in result.stderr


def test_a_name_with_a_comma_is_dropped_and_explained(run: Any, messy: Path) -> None:
    name = "Umsatz, netto (€)"
    result = run("select", messy, "-k", 1, "--drop-text", "--drop", name, "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["selected"][0]["feature"] == "Größe (cm)"
    told = run("select", messy, "-k", 1, "--drop-text", "--explain", name, "--json")
    assert list(json.loads(told.stdout)["reasons"]) == [name]


def test_the_model_and_apply_keep_the_ids(run: Any, messy: Path, tmp_path: Path) -> None:
    model, saved = tmp_path / "m.json", tmp_path / "saved.csv"
    result = run(
        *("select", messy, "-k", 1, "--drop-text", "--save-model", model, "--save-selected", saved)
    )
    assert result.exit_code == 0, result.output
    columns = ["Kunden-Nr", "Umsatz, netto (€)"]
    assert pl.read_csv(saved).columns == columns
    out = tmp_path / "applied.csv"
    assert run("apply", model, messy, "--out", out).exit_code == 0
    assert out.read_bytes() == saved.read_bytes()
    # Other customers, and a model that names a column that is there no more.
    other = tmp_path / "other.csv"
    other.write_text('who,"Umsatz, netto (€)"\nx,1.5\n')
    assert run("apply", model, other, "--out", out).exit_code == 0
    assert pl.read_csv(out).columns == columns[1:]
    assert run("apply", model, other, "--id", "who", "--out", out).exit_code == 0
    assert pl.read_csv(out).columns == ["who", columns[1]]


def test_an_id_named_in_the_fit_is_kept_by_apply(run: Any, tmp_path: Path) -> None:
    table, model, out = (tmp_path / name for name in ("t.csv", "m.json", "out.csv"))
    table.write_text("who,a,b\nx,1,2\ny,3,5\nz,4,1\n")
    assert run("select", table, "-k", 1, "--id", "who", "--save-model", model).exit_code == 0
    assert run("apply", model, table, "--out", out).exit_code == 0
    assert pl.read_csv(out)["who"].to_list() == ["x", "y", "z"]


def test_an_id_takes_no_rank(run: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    path = tmp_path / "t.csv"
    frame = pl.DataFrame(rng.normal(size=(50, 3)), schema=["a", "b", "c"])
    frame.insert_column(0, pl.Series("id", range(1000, 1050))).write_csv(path)
    found = run("select", path, "-k", 3, "--json")
    assert {entry["feature"] for entry in json.loads(found.stdout)["selected"]} == {"a", "b", "c"}
    kept = run("select", path, "-k", 1, "--no-id", "--json")
    assert json.loads(kept.stdout)["selected"][0]["feature"] == "id"


def test_several_sizes_from_one_fit(run: Any, small_table: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.csv"
    arguments = ("select", small_table, "--label", "kind", "-k", 4, "-k", 2, "--lam", 0.001)
    result = run(*arguments, "--out", out, "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert [size["n_selected"] for size in told["sizes"]] == [2, 4]
    assert [entry["feature"] for entry in told["selected"]] == told["sizes"][1]["selected"]
    alone = json.loads(run(*arguments[:4], "-k", 2, "--lam", 0.001, "--json").stdout)
    assert [entry["feature"] for entry in alone["selected"]] == told["sizes"][0]["selected"]
    assert alone["explained"]["share"] == pytest.approx(told["sizes"][0]["explained"])
    assert alone["evaluation"]["acc"] == told["sizes"][0]["evaluation"]["acc"]
    ranking = pl.read_csv(out)
    assert ranking.filter("selected_2")["feature"].to_list() == told["sizes"][0]["selected"]
    assert ranking["selected_4"].to_list() == ranking["selected"].to_list()
    shown = run(*arguments).stdout
    assert "Each selection is the beginning of the next." in shown
    assert "at most" in shown
    for size in told["sizes"]:
        most = math.ceil(1e3 * size["ceiling"]) / 10.0
        told_share = f"{math.floor(1e3 * size['explained']) / 10.0:.1f} +{most:.1f}"
        assert re.search(rf"{size['n_selected']} +{told_share}", shown), shown


@pytest.mark.parametrize(
    ("size", "message"), [("auto", "must stand alone"), ("7", "between 1 and 6")]
)
def test_sizes_that_cannot_be_had(run: Any, small_table: Path, size: str, message: str) -> None:
    result = run("select", small_table, "--drop", "kind", "-k", 2, "-k", size)
    assert result.exit_code == 2
    assert message in result.stderr


def test_sizes_of_a_method_without_a_curve(run: Any, small_table: Path) -> None:
    result = run("select", small_table, "--drop", "kind", "-m", "max-variance", "-k", 1, "-k", 0.5)
    assert result.exit_code == 0, result.output
    assert "at most" not in result.stdout
    every = run("select", small_table, "--drop", "kind", "-m", "all-features", "-k", 1, "-k", 2)
    assert every.exit_code == 0, every.output
