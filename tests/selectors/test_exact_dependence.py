"""Features that depend on each other exactly: there is no noise, and the default weights know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from sparsecone import CSPCAPSD, SPCAPSD
from sparsecone.model.build import build_problem
from sparsecone.model.weights import HIDDEN, noise_of

FACTORS = np.random.default_rng(0).normal(size=(120, 3))
MIXED = FACTORS @ np.random.default_rng(1).normal(size=(3, 30))


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array, np.transpose])
def test_a_few_factors_without_noise(model: Any, dtype: type, kind: Any) -> None:
    selector = model(n_features_to_select=3).fit(kind(MIXED.astype(dtype)))
    assert selector.solution_.status == "converged"
    assert selector.solution_.rank <= 3
    assert selector.curve_.explained[2] > 0.9


def test_copies_of_one_feature() -> None:
    selector = SPCAPSD(n_features_to_select=1).fit(np.repeat(FACTORS[:, :1], 20, axis=1))
    assert selector.solution_.status == "converged"
    assert selector.solution_.rank == 1


@pytest.mark.parametrize("noise", [1e-2, 1e-3, 3e-4, 1e-4, 1e-5, 1e-7])
@pytest.mark.parametrize("shape", [(120, 30), (60, 200)])
def test_little_noise(noise: float, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(shape[0], 3)) @ rng.normal(size=(3, shape[1]))
    selector = SPCAPSD(n_features_to_select=3).fit(X + noise * rng.normal(size=shape))
    assert selector.solution_.status == "converged"


@pytest.mark.parametrize(("noise", "is_floor"), [(1e-2, True), (1e-3, True), (1e-8, False)])
def test_a_floor_that_rounding_hides_is_none(noise: float, is_floor: bool) -> None:
    # The edge of all the data keeps two of the three factors.
    X = MIXED + noise * np.random.default_rng(2).normal(size=MIXED.shape)
    problem = build_problem(X, lam=0.0, eta=0.0)
    found = noise_of(problem)
    assert found.is_floor is is_floor
    assert found.rank == (3 if is_floor else 2)
    assert found.edge > HIDDEN * problem.samples.gram_error
