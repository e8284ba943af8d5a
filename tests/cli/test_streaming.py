"""`select` on Parquet files that stay on disk: the same ranking, by itself and on a cluster."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sparsecone.model_file import Model

rng = np.random.default_rng(0)
X = rng.normal(size=(90, 4)) @ rng.normal(size=(4, 12)) + rng.normal(size=(90, 12)) + 3
WHOLE = pl.DataFrame(X, schema=[f"f{index}" for index in range(12)]).with_columns(
    place=pl.Series([f"site {index}" for index in range(90)]), kind=pl.Series([0, 1, 2] * 30)
)
COLUMNS = ("--drop", "place", "--label", "kind", "-k", 5)


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    folder.mkdir()
    for part, start in enumerate(range(0, 90, 35)):
        WHOLE[start : start + 35].write_parquet(folder / f"part-{part}.parquet")
    WHOLE.write_parquet(tmp_path / "whole.parquet")
    return folder


def found(result: Any) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


def assert_same(streamed: dict[str, Any], whole: dict[str, Any]) -> None:
    assert [row["feature"] for row in streamed["selected"]] == [
        row["feature"] for row in whole["selected"]
    ]
    scores = [[row["score"] for row in result["selected"]] for result in (streamed, whole)]
    # A relative gap of 1e-10 leaves W undetermined by about its root.
    np.testing.assert_allclose(*scores, rtol=0.0, atol=1e-5 * max(scores[0]))
    assert (streamed["n_samples"], streamed["n_features"]) == (90, 12)


@pytest.mark.parametrize("method", ["spca-psd", "cspca-psd", "aw-spca-psd"])
def test_a_pattern_ranks_like_the_file_in_memory(
    run: Any, lake: Path, tmp_path: Path, method: str
) -> None:
    ranking, model = tmp_path / "r.csv", tmp_path / "m.json"
    # One solver for both: two solvers may end further apart.
    exact = "--tol", "1e-10", "--solver", "factored"
    if method == "aw-spca-psd":
        exact = "--tol", "1e-4", "--solver", "lyapunov"
    arguments = (*COLUMNS, "-m", method, *exact, "--json")
    outputs = ("--out", ranking, "--save-model", model)
    streamed = found(run("select", f"{lake}/*.parquet", *arguments, *outputs))
    whole = found(run("select", tmp_path / "whole.parquet", *arguments))
    assert_same(streamed, whole)
    table = pl.read_csv(ranking)
    names = [row["feature"] for row in whole["selected"]]
    assert table["feature"][:5].to_list() == names
    assert table.height == 12
    kept = Model.load(model)
    assert [kept.feature_names[index] for index in kept.selector().selected_] == names


def test_a_folder_is_streamed_and_shown(run: Any, lake: Path) -> None:
    result = run("select", lake, *COLUMNS, "--image", "3x4")
    assert result.exit_code == 0, result.output
    assert "lake: 90 samples, 12 features, 5 selected." in result.stdout
    assert "3 x 4 image" in result.stdout
    assert "Converged in" in result.stdout
    assert "'kind' is left out of the features and not used" in result.stderr


def test_ids_and_text_are_left_out_with_a_note(run: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(rng.normal(size=(20, 3)), schema=["a", "b", "c"])
    texts = {"id": pl.Series(range(20)), "town": pl.Series(["Bonn"] * 20)}
    frame.with_columns(**texts).write_parquet(tmp_path / "1.parquet")
    pattern = str(tmp_path / "*.parquet")
    refused = run("select", pattern, "-k", 2)
    assert refused.exit_code == 2
    assert "'town'" in refused.stderr
    assert "--drop-text" in refused.stderr
    result = run("select", pattern, "-k", 1, "-k", 2, "--drop-text", "--json")
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["n_features"] == 3
    assert [size["n_selected"] for size in told["sizes"]] == [1, 2]
    assert "'id' is taken for the names of the rows" in result.stderr
    assert "Left out, because they are no numbers: 'town'." in result.stderr


def test_a_usual_label_is_left_out_with_a_note(run: Any, tmp_path: Path) -> None:
    for part in range(2):
        frame = WHOLE[45 * part : 45 * part + 45].rename({"kind": "target"}).drop("place")
        frame.write_parquet(tmp_path / f"{part}.parquet")
    result = run("select", tmp_path, "--json")
    assert found(result)["n_features"] == 12
    assert "'target' is taken for the classes" in result.stderr
    assert found(run("select", tmp_path, "--json", "--no-label"))["n_features"] == 13


REFUSED = {
    "--save-selected": ["small.csv"],
    "--report": ["r.html"],
    "--stability": [3],
    "--scale": ["standard"],
    "--missing": ["median"],
    "--transpose": [],
    "--delimiter": [";"],
}


@pytest.mark.parametrize("option", REFUSED)
def test_what_needs_the_rows_in_memory_is_refused(run: Any, lake: Path, option: str) -> None:
    values = [lake.parent / v if str(v).startswith(("small", "r.")) else v for v in REFUSED[option]]
    result = run("select", f"{lake}/*.parquet", *COLUMNS, option, *values)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"Error: {option} needs a file that is read into memory")
    assert result.stderr.count("\n") == 1
    assert not [path for path in lake.parent.iterdir() if path.suffix in (".csv", ".html")]


def test_other_methods_are_refused(run: Any, lake: Path) -> None:
    result = run("select", lake, *COLUMNS, "-m", "laplacian-score")
    assert result.exit_code == 2
    assert "--method laplacian-score needs its rows in memory" in result.stderr
    assert "take spca-psd, cspca-psd, aw-spca-psd" in result.stderr


def save_gap(lake: Path) -> None:
    WHOLE[:5].with_columns(f3=None).cast({"f3": pl.Float64}).write_parquet(lake / "z.parquet")


def save_twice(lake: Path) -> None:
    names = ["f0", "f0"]
    table = pa.Table.from_arrays([pa.array([1.0, 2.0])] * 2, names=names)
    pq.write_table(table, lake / "a.parquet")


WRONG: dict[str, tuple[Any, list[object], str]] = {
    "text": (
        None,
        [],
        "has no numbers in column 'place' but large_string. Leave it out with --drop",
    ),
    "unknown": (None, ["--drop", "plaec"], "has no column 'plaec'. Did you mean 'place'?"),
    "gap": (save_gap, ["--drop", "place,kind"], "z.parquet: Input contains NaN."),
    "twice": (save_twice, [], "has the name 'f0' over the columns 1 and 2"),
    "torn": (lambda lake: (lake / "a.parquet").write_bytes(b"PAR1"), [], "is not a Parquet file"),
    "schema": (
        lambda lake: WHOLE[:9].drop("f5").write_parquet(lake / "z.parquet"),
        ["--drop", "place,kind"],
        "lacks column 'f5'",
    ),
    "all": (None, ["--drop", ",".join(WHOLE.columns)], "has no feature left"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_wrong_files_are_one_line(run: Any, lake: Path, fault: str) -> None:
    spoil, arguments, message = WRONG[fault]
    if spoil is not None:
        spoil(lake)
    result = run("select", lake, "--out", lake.parent / "r.csv", *arguments)
    assert result.exit_code == 2
    errors = [line for line in result.stderr.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1
    assert message in errors[0]
    assert not (lake.parent / "r.csv").exists()


def test_an_input_is_not_written_over(run: Any, lake: Path) -> None:
    result = run("select", lake, *COLUMNS, "--out", lake / "part-0.parquet")
    assert result.exit_code == 2
    assert "is the same file as the input" in result.stderr


def test_nothing_matches(run: Any, tmp_path: Path) -> None:
    result = run("select", tmp_path / "*.parquet")
    assert result.exit_code == 2
    assert "No Parquet file matches" in result.stderr


def test_a_scheduler_is_that_of_dask(run: Any, lake: Path) -> None:
    result = run("select", lake, *COLUMNS, "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "--scheduler names the scheduler of --dask" in result.stderr
    result = run("select", lake.parent / "d.npy", "--dask")
    assert result.exit_code == 2


def test_a_dead_scheduler_is_one_line(
    run: Any, lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("sparsecone.data.distributed.PATIENCE", 1)
    result = run("select", lake, *COLUMNS, "--dask", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 1
    assert "Error: No Dask scheduler answers at tcp://127.0.0.1:1." in result.stderr


def test_a_cluster_ranks_like_the_file_in_memory(run: Any, lake: Path) -> None:
    distributed = pytest.importorskip("distributed")
    try:
        cluster = distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0"
        )
    except (OSError, RuntimeError) as error:
        pytest.skip(f"no local cluster can be started here: {error}")
    with cluster:
        arguments = (*COLUMNS, "--json")
        address = ("--dask", "--scheduler", cluster.scheduler_address)
        streamed = found(run("select", f"{lake}/*.parquet", *arguments, *address))
        whole = found(run("select", lake.parent / "whole.parquet", *arguments))
    assert_same(streamed, whole)
