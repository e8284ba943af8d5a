"""Weights without labels: the planted rank, and what changes nothing."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_gram
from sparsecone.model.weights import noise_edge


def planted(n: int, d: int, strengths: tuple[float, ...], seed: int) -> NDArray[Any]:
    """Return components of given singular values over the root of n, and noise of variance one."""
    rng = np.random.default_rng(seed)
    left = np.linalg.qr(rng.normal(size=(n, len(strengths))))[0]
    right = np.linalg.qr(rng.normal(size=(d, len(strengths))))[0]
    return np.sqrt(n) * (left * strengths) @ right.T + rng.normal(size=(n, d))


@settings(max_examples=25, deadline=None)
@given(
    n=st.sampled_from([80, 300]),
    d=st.sampled_from([40, 150, 600]),
    rank=st.integers(1, 6),
    spread=st.sampled_from([1.0, 4.0, 30.0]),
    seed=st.integers(0, 1000),
)
def test_the_planted_rank_is_found(n: int, d: int, rank: int, spread: float, seed: int) -> None:
    # A component stands out of the noise where its strength exceeds (d / n)^(1/4).
    weakest = 2.0 * max((d / n) ** 0.25, 1.0)
    X = planted(n, d, tuple(weakest * np.geomspace(1.0, spread, rank)), seed)
    selector = SPCAPSD(lam=0.0).fit(X)
    assert abs(selector.solution_.rank - rank) <= 1
    assert "parallel analysis" in selector.solution_.reason


@settings(max_examples=25, deadline=None)
@given(n=st.integers(100, 400), d=st.integers(20, 300), seed=st.integers(0, 1000))
def test_the_edge_is_that_of_random_matrices(n: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * np.exp(rng.normal(size=d))
    X -= X.mean(axis=0)
    largest = np.linalg.norm(X, 2) ** 2
    assert 0.8 * largest <= noise_edge((X**2).sum(axis=0), n) <= 1.35 * largest


def test_edge_of_constant_columns_is_zero() -> None:
    assert noise_edge(np.zeros(3), 10) == 0.0


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
def test_scaling_and_permuting_change_nothing(model: Any) -> None:
    X = planted(90, 25, (6.0, 3.0, 2.5), seed=1) * np.linspace(1.0, 2.0, 25)
    smoothed = {"delta": 1e-5} if model is AWSPCAPSD else {}
    model = partial(model, n_features_to_select=8, tol=1e-7, **smoothed)
    once, large = model().fit(X), model().fit(1e6 * X)
    np.testing.assert_array_equal(once.selected_, large.selected_)
    order = np.random.default_rng(0).permutation(25)
    permuted = model().fit(X[:, order])
    np.testing.assert_array_equal(order[permuted.selected_], once.selected_)


def test_noise_alone_still_selects_and_says_so() -> None:
    selector = SPCAPSD().fit(np.random.default_rng(0).normal(size=(50, 20)))
    assert selector.scores_.any()
    assert "or on noise" in selector.solution_.reason


def test_heavy_tails_do_not_select_nothing() -> None:
    X = planted(200, 50, (8.0, 6.0), seed=0) + np.random.default_rng(1).standard_t(3, (200, 50))
    assert 1 <= SPCAPSD().fit(X).solution_.rank <= 10


def test_correlated_noise_has_no_floor() -> None:
    rng = np.random.default_rng(0)
    distance = np.abs(np.subtract.outer(np.arange(60), np.arange(60)))
    X = rng.normal(size=(200, 60)) @ np.linalg.cholesky(0.95**distance).T
    selector = SPCAPSD().fit(X)
    assert "none of uncorrelated features" in selector.solution_.reason
    assert 1 <= selector.solution_.rank < 20


@pytest.mark.parametrize("shape", [(30, 400), (2000, 12)])
def test_standardised_data_select_something(shape: tuple[int, int]) -> None:
    X = planted(*shape, (5.0, 4.0, 3.0), seed=3)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    assert SPCAPSD().fit(X).scores_.any()


def test_all_kinds_of_data_get_the_same_weights() -> None:
    X = planted(60, 15, (5.0, 3.0), seed=2)
    X[np.abs(X) < 1.0] = 0.0
    centred = X - X.mean(axis=0)
    dense = SPCAPSD().fit(X)
    sparse = SPCAPSD().fit(sp.csr_array(X))
    moments = SPCAPSD().fit(from_gram(centred.T @ centred, n_samples=60))
    assert sparse.eta_ == pytest.approx(dense.eta_, rel=1e-9)
    assert moments.eta_ == pytest.approx(dense.eta_, rel=1e-9)
    np.testing.assert_array_equal(sparse.selected_, dense.selected_)
    np.testing.assert_array_equal(moments.selected_, dense.selected_)


def test_the_papers_rule_is_there_by_name() -> None:
    X = planted(60, 15, (5.0, 3.0), seed=2)
    selector = SPCAPSD(eta="paper").fit(X)
    trace = ((X - X.mean(axis=0)) ** 2).sum()
    assert 0.01 * trace < selector.eta_ < 0.1 * trace
    assert "paper's rule" in selector.solution_.reason


def test_given_weights_need_no_reason() -> None:
    X = planted(60, 15, (5.0, 3.0), seed=2)
    assert SPCAPSD(eta=0.01, lam=0.1).fit(X).solution_.reason == ""


def test_components_that_end_with_the_search_are_no_floor() -> None:
    # They decay without a gap, as those of images do, down to noise at the 46th of 50.
    rng = np.random.default_rng(0)
    signals = rng.normal(size=(210, 46)) * np.geomspace(30.0, 1.0, 46)
    X = signals @ np.linalg.qr(rng.normal(size=(300, 46)))[0].T
    X += 0.04 * rng.normal(size=X.shape)
    solution = SPCAPSD().fit(X).solution_
    assert "look uncorrelated" not in solution.reason
    assert solution.rank < 35
    fewer = X - signals[:, 30:] @ np.linalg.lstsq(signals[:, 30:], X, rcond=None)[0]
    assert "look uncorrelated" in SPCAPSD().fit(fewer).solution_.reason


@pytest.mark.parametrize("rank", [1, 3])
def test_the_reason_counts_in_percent_and_in_singular_and_plural(rank: int) -> None:
    X = planted(200, 40, (4.0,) * rank, seed=0)
    selector = SPCAPSD().fit(X)
    share = 100.0 * selector.eta_ / ((X - X.mean(axis=0)) ** 2).sum()
    found = re.match(
        r"eta is ([\d.]+) % of the total variance: that keeps (.*?),", selector.solution_.reason
    )
    assert found is not None
    assert float(found[1]) == pytest.approx(share, rel=0.06)
    assert found[2] == ("1 component" if rank == 1 else f"{rank} components")
    assert "of the loss at W = 0" in CSPCAPSD().fit(X).solution_.reason


def test_the_number_of_features_counts_components_alike_for_all_models() -> None:
    X = planted(200, 40, (6.0, 5.0), seed=0)
    numbers = [
        model(n_features_to_select="auto").fit(X).curve_.target
        for model in (SPCAPSD, CSPCAPSD, AWSPCAPSD)
    ]
    np.testing.assert_allclose(numbers, numbers[0], rtol=1e-6)


def test_half_of_the_weight_that_would_select_nothing_is_the_most() -> None:
    X = np.random.default_rng(0).normal(size=(10, 2000))
    selector = SPCAPSD(n_features_to_select=5).fit((X - X.mean(axis=0)) / X.std(axis=0))
    assert "twice that would select nothing" in selector.solution_.reason
    assert selector.scores_.any()
    eta, lam = (getattr(selector, name) for name in ("eta_", "lam_"))
    assert lam < 0.1 * eta
    more = SPCAPSD(lam=2.5 * lam, eta=eta, units="absolute", n_features_to_select=5)
    with pytest.warns(UserWarning, match="W = 0 is optimal"):
        more.fit((X - X.mean(axis=0)) / X.std(axis=0))
