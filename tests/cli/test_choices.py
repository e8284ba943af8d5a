"""What `select` chooses by itself, why, and how steady the choice is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD
from sparsecone.model_file import Model
from sparsecone.selectors.reasons import reason_of
from sparsecone.stability import selection_stability

X, _ = load_digits(return_X_y=True)


@pytest.fixture(scope="module")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("digits") / "digits.csv"
    pl.DataFrame(X, schema=[f"pixel {index}" for index in range(64)]).write_csv(path)
    return path


def result_of(run: Any, *arguments: object) -> dict[str, Any]:
    result = run("select", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


CHOICES: dict[str, tuple[list[object], dict[str, Any]]] = {
    "defaults": (["-k", 9], {"n_features_to_select": 9}),
    "scores": (["-k", 9, "--selection", "scores"], {"selection": "scores"}),
    "number": (["-k", "auto"], {"n_features_to_select": "auto"}),
    "paper": (["-k", 9, "--eta", "paper"], {"eta": "paper"}),
    "lam": (["-k", 9, "--eta", "auto", "--lam", "auto"], {"eta": "auto", "lam": "auto"}),
    "given": (["-k", 9, "--eta", 0.01, "--lam", 0.1], {"eta": 0.01, "lam": 0.1}),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices_are_those_of_the_selector_with_their_reason(
    run: Any, digits: Path, name: str
) -> None:
    arguments, parameters = CHOICES[name]
    peer = SPCAPSD(**{"n_features_to_select": 9, "random_state": 0, **parameters}).fit(X)
    found = result_of(run, digits, *arguments)
    assert [row["index"] for row in found["selected"]] == peer.selected_.tolist()
    assert found["reason"] == (reason_of(peer) or None)
    assert (found["reason"] is None) == (name == "given")
    shown = run("select", digits, *arguments).stdout.splitlines()
    assert (reason_of(peer) in shown) == (name != "given")


def test_the_number_of_features_has_a_reason() -> None:
    selector = SPCAPSD(n_features_to_select="auto").fit(X)
    number = int(re.search(r"(\d+) features: the least", reason_of(selector))[1])
    assert number == selector.selected_.size
    enough = selector.curve_.explained >= selector.curve_.target
    assert np.flatnonzero(enough)[0] + 1 == number
    scarce = np.random.default_rng(0).normal(size=(6, 40))
    assert "would be enough" in reason_of(SPCAPSD(n_features_to_select="auto").fit(scarce))
    # Fitted again with a number, the curve of the fit before is no reason.
    assert "least number" not in reason_of(selector.set_params(n_features_to_select=3).fit(X))


def test_a_method_without_the_parameter_says_so(run: Any, digits: Path) -> None:
    result = run("select", digits, "-m", "max-variance", "--selection", "diverse")
    assert result.exit_code == 2
    assert "max-variance has no parameter 'selection'" in result.stderr
    assert run("select", digits, "--selection", "best").exit_code == 2
    assert run("select", digits, "--eta", "best").exit_code == 2


def test_the_report_says_why_and_how_steady(run: Any, digits: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    result = run("select", digits, "-k", 9, "--stability", 4, "--report", report)
    assert result.exit_code == 0, result.output
    page = report.read_text()
    assert "Chosen automatically: eta = " in page
    assert "the paper&#39;s largest" in page
    kuncheva = selection_stability(
        SPCAPSD(n_features_to_select=9, random_state=0), X, n_resamples=4, random_state=0
    ).kuncheva
    assert f"a Kuncheva index of <strong>{kuncheva:.2f}</strong>" in page
    assert f"4 random halves of the rows: Kuncheva index {kuncheva:.2f}" in result.stdout


def test_stability_is_that_of_python(run: Any, digits: Path) -> None:
    found = result_of(run, digits, "-k", 9, "--stability", 4, "--seed", 7)
    peer = selection_stability(
        SPCAPSD(n_features_to_select=9, random_state=7), X, n_resamples=4, random_state=7
    )
    agreement = {"n_resamples": 4, "kuncheva": peer.kuncheva, "jaccard": peer.jaccard}
    assert found["stability"] == pytest.approx(agreement)
    for row in found["selected"]:
        assert row["frequency"] == peer.frequencies[row["index"]]


def test_an_index_that_is_not_defined_is_not_made_up(
    run: Any, small_table: Path, tmp_path: Path
) -> None:
    arguments = ("select", small_table, "--drop", "kind", "-k", 6, "--stability", 3)
    result = run(*arguments, "--report", tmp_path / "r.html")
    assert "Kuncheva index not defined, Jaccard index 1.00" in result.stdout
    assert "is <strong>not defined</strong>" in (tmp_path / "r.html").read_text()
    assert json.loads(run(*arguments, "--json").stdout)["stability"]["kuncheva"] is None
    assert run("select", small_table, "--stability", 1).exit_code == 2


@pytest.mark.parametrize("wanted", [9, "auto"])
def test_a_model_keeps_the_choice(wanted: object, tmp_path: Path) -> None:
    selector = SPCAPSD(n_features_to_select=wanted).fit(X)
    assert not np.array_equal(
        selector.selected_, np.argsort(-selector.scores_)[: selector.selected_.size]
    )
    Model.of(selector).save(tmp_path / "model.json")
    restored = Model.load(tmp_path / "model.json").selector()
    np.testing.assert_array_equal(restored.selected_, selector.selected_)
    np.testing.assert_array_equal(restored.ranking_, selector.ranking_)


@pytest.mark.parametrize("wrong", [{"ranking": [1, 1]}, {"n_selected": 0}, {"n_selected": 3}])
def test_a_model_with_a_wrong_choice_is_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    Model.of(SPCAPSD(n_features_to_select=1).fit([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]])).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | wrong))
    with pytest.raises(ValueError, match="holds no model"):
        Model.load(path)
