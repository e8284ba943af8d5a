"""What was chosen for the user, and why."""

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
    noise = SPCAPSD(n_features_to_select="auto").fit(np.random.default_rng(0).normal(size=(6, 40)))
    assert "1 feature: the features look uncorrelated" in reason_of(noise)
    # With all features known but for noise, no number of them reaches what all components explain.
    every = SPCAPSD(n_features_to_select="auto", eta=1e-6, lam=1e-3).fit(X[:, ::4])
    curve = every.curve_
    assert curve.chosen == int(np.argmax(curve.explained >= curve.target)) + 1
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
    assert "Chosen automatically: eta is " in page
    assert "lower it to give more features a score" in page
    kuncheva = selection_stability(
        SPCAPSD(n_features_to_select=9, random_state=0), X, n_resamples=4, random_state=0
    ).kuncheva
    assert f"a Kuncheva index of <strong>{kuncheva:.2f}</strong>" in page
    assert f"4 random halves of the rows: Kuncheva index {kuncheva:.2f}" in result.stdout
