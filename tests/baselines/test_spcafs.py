"""SPCAFS: reference runs, descent, and the two forms of its eigenproblem."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import spearmanr

from sparsecone.baselines.penalised_pca import DenseScatter, ImplicitScatter
from sparsecone.baselines.spcafs import SPCAFS
from sparsecone.data import as_samples

from shared import golden, load


def normal(n_samples: int, n_features: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=(n_samples, n_features))


@pytest.mark.parametrize(
    ("dataset", "run"),
    [("isolet", "SPCAFS__Isolet__gamma10_m25"), ("pie", "SPCAFS__PIE__gamma10_m52")],
)
def test_reference_runs(dataset: str, run: str) -> None:
    X, _ = load(dataset)
    reference = golden(run)
    selector = SPCAFS(
        n_features_to_select=50,
        n_components=int(reference["m"]),
        lam=float(reference["gamma"]),
        p=float(reference["p"]),
    ).fit(X)
    assert selector.n_iter_ == reference["n_iter"]
    assert_allclose(selector.objective_, reference["objective"], rtol=1e-12)
    assert_allclose(selector.scores_, reference["scores"], atol=1e-10)
    assert spearmanr(selector.scores_, reference["scores"]).statistic >= 0.999
    assert len(set(selector.selected_) & set(reference["ranking"][:50])) >= 49


@given(
    seed=st.integers(0, 1000),
    shape=st.sampled_from([(30, 8), (8, 30), (9, 9)]),
    lam=st.sampled_from([0.0, 0.3, 10.0, 1e4]),
    p=st.sampled_from([0.5, 1.0]),
)
def test_objective_falls_and_projection_is_orthonormal(
    seed: int, shape: tuple[int, int], lam: float, p: float
) -> None:
    selector = SPCAFS(n_components=3, lam=lam, p=p, max_iter=1000).fit(normal(*shape, seed))
    objective = selector.objective_
    assert np.diff(objective).max() <= 1e-13 * np.abs(objective).max()
    V = selector.projection_
    assert_allclose(V.T @ V, np.eye(3), atol=1e-13)
    assert_allclose(selector.scores_, np.linalg.norm(V, axis=1))


@pytest.mark.parametrize("form", [DenseScatter, ImplicitScatter])
@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
def test_a_step_takes_the_leading_eigenvectors(form: Any, shape: tuple[int, int]) -> None:
    X = normal(*shape)
    S = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))
    penalties = np.random.default_rng(1).uniform(0.0, 100.0, size=shape[1])
    scatter = form(as_samples(X))
    values, start = scatter.principal(3)
    found = scatter.leading(penalties + 1.1 * values[-1], near=start)
    expected = scipy.linalg.eigh(S - np.diag(penalties))[1][:, -3:]
    assert_allclose(found @ found.T, expected @ expected.T, atol=1e-10)


@pytest.mark.parametrize("form", [DenseScatter, ImplicitScatter])
@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
def test_features_of_enormous_weight_leave_the_others_exact(
    form: Any, shape: tuple[int, int]
) -> None:
    X = normal(*shape)
    kept = np.arange(6)
    penalties = np.where(np.isin(np.arange(shape[1]), kept), 1.0, 1e18)
    scatter = form(as_samples(X))
    values, start = scatter.principal(2)
    found = scatter.leading(penalties + 1.1 * values[-1], near=start)
    alone = DenseScatter(as_samples(X[:, kept]))
    _, expected = alone.principal(2)
    assert_allclose(found[kept] @ found[kept].T, expected @ expected.T, atol=1e-12)
    assert np.abs(found[6:]).max() < 1e-15


@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_matrix])
def test_sparse_data_give_the_scores_of_dense(shape: tuple[int, int], kind: Any) -> None:
    X = np.where(normal(*shape) > 0.3, 1.0 + normal(*shape, seed=1), 0.0)
    dense, sparse = (SPCAFS(n_clusters=4, lam=1.0, max_iter=500).fit(Z) for Z in (X, kind(X)))
    assert_allclose(sparse.scores_, dense.scores_, atol=1e-7)


def test_without_penalty_it_is_pca() -> None:
    X = normal(30, 8)
    _, _, Vt = np.linalg.svd(X - X.mean(axis=0))
    scores = SPCAFS(n_components=3, lam=0.0).fit(X).scores_
    assert_allclose(scores, np.linalg.norm(Vt[:3], axis=0), atol=1e-12)


@pytest.mark.parametrize("shape", [(10, 4), (5, 12)])
def test_components_are_as_many_as_the_rank_allows(shape: tuple[int, int]) -> None:
    X = normal(*shape)
    assert SPCAFS(n_clusters=9, max_iter=500).fit(X).projection_.shape == (shape[1], 4)
    with pytest.raises(ValueError, match=r"n_components=5 exceeds the rank .* Choose at most 4"):
        SPCAFS(n_components=5).fit(X)


@pytest.mark.parametrize("shape", [(10, 4), (4, 10)])
@pytest.mark.parametrize("value", [0.0, 0.1])
def test_constant_data_are_refused(shape: tuple[int, int], value: float) -> None:
    with pytest.raises(ValueError, match="Every feature of X is constant"):
        SPCAFS().fit(np.full(shape, value))


MEASURE = """
import resource
import numpy as np
from sparsecone.baselines.spcafs import SPCAFS
X = np.random.default_rng(0).standard_normal((1000, 20000))
X[:, :50] *= 5.0
selector = SPCAFS(n_features_to_select=50, n_clusters=10, tol=1e9).fit(X)
assert selector.n_iter_ == 2 and set(selector.selected_) == set(range(50))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in kilobytes on Linux only")
def test_twenty_thousand_features_stay_below_a_gigabyte() -> None:
    run = subprocess.run([sys.executable, "-c", MEASURE], capture_output=True, check=True)
    assert int(run.stdout) * 1024 < 1e9
