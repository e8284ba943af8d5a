"""Fitted selectors in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD
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
