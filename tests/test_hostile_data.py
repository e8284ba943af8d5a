"""Data that every method must take rightly or refuse: duplicates, bad indices, masks, scales."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from threadpoolctl import threadpool_limits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, MaxVariance, lambda_max
from sparsecone.baselines.laplacian_score import laplacian_score
from sparsecone.metrics import reconstruction_error
from sparsecone.registry import Method, methods
from sparsecone.selectors.controls import variance_score

RNG = np.random.default_rng(0)
X = RNG.normal(size=(30, 1)) @ RNG.normal(size=(1, 6)) + RNG.normal(size=(30, 6)) * [
    5,
    4,
    3,
    2,
    1,
    1,
]
METHODS = pytest.mark.parametrize("method", methods(), ids=lambda method: method.name)
# Methods that never look at the values.
BLIND = {"all-features", "random"}
# Methods whose weights are in the units of the data: another scale is another problem.
IN_UNITS = {"spcafs", "udfs", "mcfs", "ndfs", "jelsr", "rufs", "fsasl"}


def fitted(method: Method, samples: Any) -> Any:
    """Fit a method with its defaults, three clusters and a fixed seed."""
    given = {"random_state": 0, "n_clusters": 3, "n_features_to_select": 3}
    known = {name: value for name, value in given.items() if name in method.parameters}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return method.selector(**known).fit(samples)


def takes_sparse(method: Method) -> bool:
    """Whether a method accepts sparse matrices."""
    return bool(method.selector().__sklearn_tags__().input_tags.sparse)


def with_duplicates(dense: Any) -> Any:
    """Return a CSR matrix in which every entry stands twice, by halves."""
    matrix = sp.csr_matrix(dense)
    return sp.csr_matrix(
        (np.repeat(matrix.data / 2, 2), np.repeat(matrix.indices, 2), 2 * matrix.indptr),
        shape=matrix.shape,
    )


@METHODS
@pytest.mark.parametrize("wide", [False, True])
def test_duplicate_entries_are_added_up(method: Method, wide: bool) -> None:
    if not takes_sparse(method):
        pytest.skip("takes no sparse data")
    doubled = with_duplicates(X)
    if wide:
        doubled.indices, doubled.indptr = map(np.int64, (doubled.indices, doubled.indptr))
    before = doubled.data.copy()
    found, expected = fitted(method, doubled), fitted(method, sp.csr_matrix(X))
    assert_allclose(found.scores_, expected.scores_, rtol=1e-10)
    assert_array_equal(found.selected_, expected.selected_)
    assert_array_equal(doubled.data, before)


def test_the_variances_of_duplicate_entries() -> None:
    data, indices, indptr = [1.0, 1, 2, 2, 3, 3], [0, 0, 1, 1, 0, 1], [0, 2, 4, 6]
    matrix = sp.csr_matrix((data, indices, indptr), shape=(3, 2))
    assert_allclose(variance_score(matrix), matrix.toarray().var(axis=0))
    assert_allclose(MaxVariance().fit(matrix).scores_, [14 / 9, 26 / 9])


@METHODS
@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_matrix, sp.bsr_matrix])
@pytest.mark.parametrize("index", [2**30, 30, -1])
def test_indices_out_of_range_are_refused(method: Method, kind: Any, index: int) -> None:
    broken = kind(X)
    broken.indices[-1] = index
    with pytest.raises((ValueError, TypeError)):
        fitted(method, broken)


@METHODS
def test_masked_values_are_refused(method: Method) -> None:
    masked = np.ma.masked_array(X, mask=False)
    plain, unmasked = fitted(method, X), fitted(method, masked)
    assert_array_equal(unmasked.selected_, plain.selected_)
    masked = np.ma.masked_array(X, mask=X > 3.0)
    with pytest.raises(ValueError, match=r"masked values: fill them"):
        fitted(method, masked)
    with pytest.raises(ValueError, match=r"masked values: fill them"):
        plain.transform(masked)


@pytest.mark.parametrize(
    "function",
    [variance_score, laplacian_score, lambda_max, lambda data: reconstruction_error(data, [0])],
)
def test_functions_refuse_masked_values(function: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="masked values"):
        function(np.ma.masked_array(X, mask=X > 3.0))


@METHODS
@pytest.mark.parametrize("scale", [1e-140, 1e-77, 1e77, 1e140])
def test_any_scale_selects_the_same(method: Method, scale: float) -> None:
    if method.name in IN_UNITS:
        pytest.skip("its weights are in the units of the data")
    found = fitted(method, scale * X)
    # In what order is up to the last digits.
    assert set(found.selected_) == set(fitted(method, X).selected_)
    assert np.isfinite(found.scores_).all()


@METHODS
@pytest.mark.parametrize(
    ("scale", "fault"), [(1e-300, "vanish"), (1e160, "overflow"), (1e300, "overflow")]
)
def test_scales_beyond_are_refused_in_one_sentence(
    method: Method, scale: float, fault: str
) -> None:
    if method.name in BLIND:
        pytest.skip("never looks at the values")
    with pytest.raises(ValueError, match=f"The squares of the values {fault}: "):
        fitted(method, scale * X)


@METHODS
def test_big_endian_numbers_are_the_same_numbers(method: Method) -> None:
    assert_array_equal(fitted(method, X.astype(">f8")).selected_, fitted(method, X).selected_)


@METHODS
def test_threads_of_linear_algebra_do_not_change_the_selection(method: Method) -> None:
    selections = []
    for n_threads in (1, 4):
        with threadpool_limits(limits=n_threads):
            selections.append(np.sort(fitted(method, X).selected_))
    # In any order: SOGFS scores two features one, but for the last digit.
    assert_array_equal(*selections)


@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
def test_threads_of_linear_algebra_change_the_last_digits_only(model: Any) -> None:
    """On data that are large enough for several threads."""
    rng = np.random.default_rng(1)
    samples = 2.0 * rng.normal(size=(100, 6)) @ rng.normal(size=(6, 160))
    samples += rng.normal(size=samples.shape)
    fits = []
    for n_threads in (1, 4):
        with threadpool_limits(limits=n_threads):
            fits.append(model(n_features_to_select=20, tol=1e-2).fit(samples))
    one, many = fits
    assert one.solution_.status == many.solution_.status == "converged"
    assert_allclose(many.solution_.value, one.solution_.value, rtol=1e-9)
    assert_allclose(many.scores_, one.scores_, rtol=0.0, atol=1e-6 * one.scores_.max())
    assert_array_equal(many.selected_, one.selected_)
