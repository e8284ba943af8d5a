"""Fitted selectors in files."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD, MaxVariance
from sparsecone.model_file import Model

X, _ = load_digits(return_X_y=True)


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


WRONG_TYPES: dict[str, Any] = {
    "scores": ["0.5", 1.0],
    "ranking": [1.0, 2.0],
    "n_selected": "1",
    "feature_names": [1, 2],
    "fill": {"0": "much"},
    "preparation": [],
    "certificate": 3,
    "parameters": [["eta", 1]],
    "method": ["max-variance"],
}


@pytest.mark.parametrize("part", WRONG_TYPES)
def test_a_model_with_a_part_of_another_type_is_refused(part: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    Model.of(MaxVariance(n_features_to_select=1).fit([[1.0, 2.0], [3.0, 5.0]])).save(path)
    contents = json.loads(path.read_text()) | {part: WRONG_TYPES[part]}
    path.write_text(json.dumps(contents))
    with pytest.raises(ValueError, match=f"holds no model .its {part} are not of the right type"):
        Model.load(path)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"format": "sparsecone-model", "version": 1, "n_selected": 1e999}',
        f'{{"format": "sparsecone-model", "version": 1, "n_selected": {"9" * 5000}}}',
    ],
    ids=["nested", "infinite", "digits"],
)
def test_a_model_that_overflows_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="holds no model"):
        Model.load(path)


def test_scores_that_overflow_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    Model.of(MaxVariance(n_features_to_select=1).fit([[1.0, 2.0], [3.0, 5.0]])).save(path)
    contents = json.loads(path.read_text()) | {"scores": [1, 10**400]}
    path.write_text(json.dumps(contents))
    with pytest.raises(ValueError, match="holds no model"):
        Model.load(path)


def test_many_threads_save_to_one_path(tmp_path: Path) -> None:
    model = Model.of(MaxVariance(n_features_to_select=1).fit([[1.0, 2.0], [3.0, 5.0]]))
    path = tmp_path / "model.json"
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(lambda _: model.save(path), range(200)):
            pass
    assert Model.load(path).ranking == model.ranking
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_what_is_no_file_holds_no_model(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    with pytest.raises(ValueError, match="it is no regular file"):
        Model.load(path)
