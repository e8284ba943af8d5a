"""`apply`: the columns of a model in other files, by name or by position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sparsecone import SPCAPSD, LaplacianScore
from sparsecone.model_file import Model


@pytest.fixture
def model(run: Any, small_table: Path, tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    result = run("select", small_table, "--drop", "kind", "-k", 2, "--save-model", path)
    assert result.exit_code == 0, result.output
    return path


def test_columns_are_found_by_name(
    run: Any, model: Path, small_table: Path, tmp_path: Path
) -> None:
    frame = pl.read_csv(small_table)
    other = frame.select(reversed(frame.columns)).with_columns(note=pl.lit("text"), gap=None)
    other.write_parquet(tmp_path / "other.parquet")
    result = run("apply", model, tmp_path / "other.parquet", "--out", tmp_path / "x.csv")
    assert result.exit_code == 0, result.output
    assert pl.read_csv(tmp_path / "x.csv").equals(frame.select("s2", "s4"))


def test_the_same_file_gives_what_select_saved(
    run: Any, model: Path, small_table: Path, tmp_path: Path
) -> None:
    saved, applied = tmp_path / "saved.parquet", tmp_path / "applied.parquet"
    run("select", small_table, "--drop", "kind", "-k", 2, "--save-selected", saved)
    result = run("apply", model, small_table, "--out", applied, "--id", "kind", "--json")
    assert json.loads(result.stdout)["features"] == ["s2", "s4"]
    assert pl.read_parquet(applied).columns == ["kind", "s2", "s4"]
    assert pl.read_parquet(applied).drop("kind").equals(pl.read_parquet(saved))


def test_columns_that_are_not_there_are_named(run: Any, model: Path, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("s2,s3\n1,2\n3,4\n")
    result = run("apply", model, tmp_path / "other.csv", "--out", tmp_path / "x.csv")
    assert result.exit_code == 2
    assert "lacks 1 of the 2 columns asked for: 's4'" in result.stderr
    assert not (tmp_path / "x.csv").exists()


def test_arrays_go_by_position(run: Any, model: Path, tmp_path: Path) -> None:
    X = np.arange(12.0).reshape(2, 6)
    np.save(tmp_path / "a.npy", X)
    result = run("apply", model, tmp_path / "a.npy", "--out", tmp_path / "x.parquet")
    assert result.exit_code == 0, result.output
    assert pl.read_parquet(tmp_path / "x.parquet").to_dict(as_series=False) == {
        "s2": [2.0, 8.0],
        "s4": [4.0, 10.0],
    }
    np.save(tmp_path / "b.npy", X[:, :5])
    result = run("apply", model, tmp_path / "b.npy", "--out", tmp_path / "x.parquet")
    assert result.exit_code == 2
    assert "has 5 features, but the model was fitted on 6" in result.stderr


@pytest.mark.parametrize(
    ("missing", "expected"),
    [("error", None), ("drop-rows", [5.0]), ("median", [3.0, 5.0])],
)
def test_gaps_are_treated_as_in_the_fit(
    run: Any, tmp_path: Path, missing: str, expected: list[float] | None
) -> None:
    (tmp_path / "train.csv").write_text("a,b\n1,0\n3,0.1\n9,0\n")
    (tmp_path / "test.csv").write_text("a,b\n,0\n5,\n")
    model, out = tmp_path / "m.json", tmp_path / "x.csv"
    arguments = ("-m", "max-variance", "-k", 1, "--missing", missing, "--save-model", model)
    assert run("select", tmp_path / "train.csv", *arguments).exit_code == 0
    result = run("apply", model, tmp_path / "test.csv", "--out", out)
    if expected is None:
        assert result.exit_code == 2
        assert "no value in column 'a', row 1" in result.stderr
    else:
        assert pl.read_csv(out)["a"].to_list() == expected


BROKEN = {
    "no json": ("{", "holds no model"),
    "a list": ("[]", "its format is not sparsecone-model"),
    "other json": ('{"a": 1}', "its format is not sparsecone-model"),
    "of the future": ('{"format": "sparsecone-model", "version": 2}', "its version is 2"),
    "incomplete": ('{"format": "sparsecone-model", "version": 1}', "holds no model ('method')"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_model(run: Any, small_table: Path, tmp_path: Path, name: str) -> None:
    contents, message = BROKEN[name]
    (tmp_path / "m.json").write_text(contents)
    result = run("apply", tmp_path / "m.json", small_table, "--out", tmp_path / "x.csv")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "--save-model model.json" in result.stderr


def test_a_model_that_is_not_there(run: Any, small_table: Path, tmp_path: Path) -> None:
    result = run("apply", tmp_path / "m.json", small_table, "--out", tmp_path / "x.csv")
    assert result.exit_code == 2
    assert "m.json': check its name and folder" in result.stderr


def test_changed_models_are_refused(model: Path, tmp_path: Path) -> None:
    contents = json.loads(model.read_text())
    for change, message in [
        ({"method": "os.system"}, "names no method of this library"),
        ({"scores": [1.0]}, "6 names for 1 scores"),
        ({"scores": ["a"] * 6}, "scores are not of the right type"),
        ({"parameters": {"nowhere": 1}}, "unexpected keyword argument 'nowhere'"),
    ]:
        (tmp_path / "changed.json").write_text(json.dumps(contents | change))
        with pytest.raises(ValueError, match=message):
            Model.load(tmp_path / "changed.json")


def test_a_model_is_a_fitted_selector_again(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 5))
    X[:, 3] = 1.0
    for selector in (SPCAPSD(n_features_to_select=0.4), LaplacianScore(n_features_to_select=2)):
        Model.of(selector.fit(X), feature_names=list("abcde")).save(tmp_path / "m.json")
        again = Model.load(tmp_path / "m.json").selector()
        assert type(again) is type(selector)
        assert again.get_params() == selector.get_params()
        np.testing.assert_array_equal(again.scores_, selector.scores_)
        np.testing.assert_array_equal(again.ranking_, selector.ranking_)
        assert again.get_feature_names_out().tolist() == [
            "abcde"[index] for index in np.flatnonzero(selector.support_)
        ]
