"""Eigenvalues from single precision: leading pairs as exact as stated, and bounds on all others."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.certificate.inequality import Dense
from sparsecone.certificate.spectral import spectral
from sparsecone.data import Rows, as_samples, rough, spectrum
from sparsecone.data.rough import Rough, is_enough, single_error
from sparsecone.data.spectrum import Decomposition
from sparsecone.linalg.rounding import UNIT_SINGLE, eigen_error
from sparsecone.linalg.tridiagonal import Tridiagonal
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Problem
from sparsecone.selectors.ceiling import QUICK, THOROUGH, ceiling

TALL = np.random.default_rng(0).normal(size=(400, 150)) @ np.diag(np.linspace(2.0, 1.0, 150))


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take single precision for small matrices, too."""
    monkeypatch.setattr(spectrum, "SMALL", 20)


def samples_of(wide: bool) -> Rows:
    samples = as_samples(np.ascontiguousarray(TALL.T) if wide else TALL)
    assert isinstance(samples, Rows)
    return samples


def exact_values(samples: Rows) -> np.ndarray:
    return np.linalg.eigvalsh(samples.gram_matrix)[::-1]


class Lowered(Tridiagonal):
    """Eigenvalues that are together all but as far too small as is stated."""

    def __init__(self, matrix: np.ndarray, *, single: bool = False) -> None:
        super().__init__(matrix, single=single)
        off = eigen_error(len(matrix), float(np.linalg.norm(matrix)), UNIT_SINGLE)
        self.values = self.values - 0.999 * off / np.sqrt(len(matrix))


@pytest.mark.parametrize("wide", [False, True])
def test_leading_pairs_are_within_their_error(wide: bool) -> None:
    samples = samples_of(wide)
    found, exact = samples.leading(0.0, most=10), exact_values(samples)
    assert isinstance(samples._decompositions[0][1], Rough)
    np.testing.assert_allclose(found.values, exact[:10], rtol=1e-9)
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(10), atol=1e-12)
    residual = samples.gram_product(found.vectors) - found.vectors * found.values
    # Stated is what is there, and not much more.
    assert 0.0 < np.linalg.norm(residual, 2) <= found.error <= 1e-5 * exact[0]


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("most", [0, 1, 10, 28])
def test_nothing_outside_of_the_pairs_exceeds_the_floor(
    wide: bool, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rough, "Tridiagonal", Lowered)
    samples = samples_of(wide)
    found, S = samples.leading(0.0, most=most), samples.gram_matrix
    assert found.values.size == most
    rest = np.eye(len(S)) - found.vectors @ found.vectors.T
    largest = np.linalg.eigvalsh(rest @ S @ rest)[-1]
    assert largest <= found.floor + found.error
    # Pairs that were found besides are known: the floor is no higher than the next of them.
    assert found.floor <= 1.01 * largest


def test_where_no_more_pairs_are_found_the_error_of_all_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rough, "Tridiagonal", Lowered)
    monkeypatch.setattr(rough, "PART", 0.0)
    monkeypatch.setattr(rough, "SOME", 1)
    samples = samples_of(False)
    found, exact = samples.leading(0.0, most=10), exact_values(samples)
    known = samples._decompositions[0][1]
    assert isinstance(known, Rough)
    assert known.found is not None
    assert known.values[11] < exact[11] <= known.found.outside
    assert exact[10] <= found.floor


@pytest.mark.parametrize("wide", [False, True])
def test_sums_of_eigenvalues_are_within_their_slack(
    wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rough, "Tridiagonal", Lowered)
    samples = samples_of(wide)
    samples.leading(0.0, most=10)
    found, exact = samples.eigenvalues(), exact_values(samples)[:150]
    counts = np.arange(1, 151)
    sums = np.cumsum(found.values + found.error) + found.slack(counts)
    assert (np.cumsum(exact) <= sums).all()
    assert found.n_leading is not None
    assert found.n_leading >= 10
    assert (found.slack(counts[: found.n_leading]) == 0.0).all()
    # Without the slack they would not be.
    assert np.cumsum(exact)[-1] > np.cumsum(found.values + found.error)[-1]


def test_slack_grows_with_the_root_of_the_number() -> None:
    found = Rough(samples_of(False), samples_of(False).gram_matrix, 0.0, is_projected=False)
    known = found.eigenvalues()
    assert known.n_leading == 0
    error = single_error(found.matrix)
    np.testing.assert_allclose(known.slack(np.array([0, 1, 4])), [0.0, error, 2.0 * error])


def test_many_pairs_are_found_in_double_precision() -> None:
    samples = samples_of(False)
    samples.leading(0.0, most=5)
    found = samples.leading(0.0)
    assert isinstance(samples._decompositions[0][1], Decomposition)
    np.testing.assert_allclose(found.values, exact_values(samples), rtol=1e-11)
    assert not samples.sharpen()
    samples.leading(0.0, most=5)
    assert isinstance(samples._decompositions[0][1], Decomposition)


def test_more_pairs_are_found_anew_also_after_letting_go() -> None:
    samples, reference = samples_of(True), samples_of(True)
    samples.leading(0.0, most=2)
    samples.let_go()
    found = samples.leading(0.0, most=25)
    np.testing.assert_allclose(found.values, exact_values(reference)[:25], rtol=1e-9)
    residual = reference.gram_product(found.vectors) - found.vectors * found.values
    assert np.linalg.norm(residual, 2) <= found.error


def first_found(count: int) -> int:
    """Return how many pairs are sought where so many are asked for."""
    return int((1.0 + rough.PART) * count) + rough.SOME


class Noisy(Tridiagonal):
    """Vectors of which each call gives others: with a part of all in each."""

    def vectors(self, first: int, last: int) -> np.ndarray:
        found = super().vectors(first, last)
        noise = np.random.default_rng(first).normal(size=found.shape)
        return np.linalg.qr(found + 1e-3 * noise)[0] if last > first else found


class Swapped(Tridiagonal):
    """A leading vector comes last."""

    def vectors(self, first: int, last: int) -> np.ndarray:
        order = np.arange(self.values.size)
        order[[2, 30]] = order[[30, 2]]
        return super().vectors(0, self.values.size)[:, order[first:last]]


@pytest.mark.parametrize("kind", [Tridiagonal, Lowered, Noisy])
@pytest.mark.parametrize("wide", [False, True])
def test_pairs_that_are_found_later_join_those_before(
    wide: bool, kind: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rough, "Tridiagonal", kind)
    monkeypatch.setattr(rough, "SKEWED", 0.5)
    samples = samples_of(wide)
    first = samples.leading(0.0, most=5)
    found, S, exact = samples.leading(0.0, most=25), samples.gram_matrix, exact_values(samples)
    np.testing.assert_array_equal(found.vectors[:, :5], first.vectors)
    assert (np.diff(found.values) <= 0.0).all()
    for count in (3, 5, 9, 25):
        part = samples.leading(0.0, most=count)
        residual = S @ part.vectors - part.vectors * part.values
        assert np.linalg.norm(residual, 2) <= part.error
        rest = np.eye(len(S)) - part.vectors @ part.vectors.T
        assert np.linalg.eigvalsh(rest @ S @ rest)[-1] <= part.floor + part.error
    known = samples.eigenvalues()
    sums = np.cumsum(known.values + known.error) + known.slack(np.arange(1, 151))
    assert (np.cumsum(exact[:150]) <= sums).all()
    pairs = samples._decompositions[0][1].found
    left = pairs.given - pairs.vectors @ (pairs.vectors.T @ pairs.given)
    left *= np.sqrt(samples._decompositions[0][1].values[: left.shape[1]])
    assert pairs.lost >= (1.0 - 1e-6) * np.linalg.norm(left) ** 2 - 1e-20
    # How far later vectors are from orthogonal to earlier ones counts, too.
    values, first, count = samples._decompositions[0][1].values, first_found(5), first_found(25)
    skew = np.linalg.norm(pairs.given[:, :first].T @ pairs.given[:, first:])
    assert pairs.given.shape[1] == count
    assert pairs.outside >= pairs.lost + 2.0 * skew * values[first] + values[count]


@pytest.mark.parametrize("wide", [False, True])
def test_what_joins_pairs_that_were_found_one_after_the_other_counts(
    wide: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rough, "Tridiagonal", Noisy)
    monkeypatch.setattr(rough, "SKEWED", 0.5)
    monkeypatch.setattr(rough, "TIMES", 0)
    X = TALL * np.where(np.arange(150) < 3, 30.0, 1.0)
    samples = as_samples(np.ascontiguousarray(X.T) if wide else X)
    samples.leading(0.0, most=5)
    found, S = samples.leading(0.0, most=25), samples.gram_matrix
    residual = S @ found.vectors - found.vectors * found.values
    assert np.linalg.norm(residual, 2) <= found.error
    known = samples._decompositions[0][1]
    assert isinstance(known, Rough)
    assert known.found is not None
    vectors, G = known.found.vectors, known.matrix
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(vectors.shape[1]), atol=1e-13)
    # It is more than all that the pairs leave of the matrix, but for what joins them.
    inside = vectors.T @ G @ vectors - np.diag(known.found.values)
    assert np.linalg.norm(inside) > 0.01 * known.found.residual(25)
    rest = np.eye(len(G)) - vectors[:, :4] @ vectors[:, :4].T
    assert np.linalg.eigvalsh(rest @ G @ rest)[-1] <= known.found.floor(4)
    assert known.found.error >= known.found.residual(25) + np.linalg.norm(inside)


@pytest.mark.parametrize(("kind", "skewed"), [(Tridiagonal, 0.0), (Swapped, rough.SKEWED)])
@pytest.mark.parametrize("wide", [False, True])
def test_all_pairs_are_found_again_where_later_ones_lead_or_are_not_orthogonal(
    wide: bool, kind: type, skewed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rough, "Tridiagonal", kind)
    monkeypatch.setattr(rough, "SKEWED", skewed)
    samples = samples_of(wide)
    first = samples.leading(0.0, most=5)
    found = samples.leading(0.0, most=25)
    np.testing.assert_allclose(found.values, exact_values(samples)[:25], rtol=1e-9)
    residual = samples.gram_product(found.vectors) - found.vectors * found.values
    assert np.linalg.norm(residual, 2) <= found.error
    assert not np.array_equal(found.vectors[:, :5], first.vectors)


def test_a_threshold_cuts_between_pairs() -> None:
    samples = samples_of(False)
    exact = exact_values(samples)
    found = samples.leading(0.5 * (exact[6] + exact[7]))
    assert found.values.size == 7
    assert isinstance(samples._decompositions[0][1], Rough)


@pytest.mark.parametrize(("share", "expected"), [(0.99, True), (1.01, False)])
def test_single_precision_is_taken_where_it_costs_little(share: float, expected: bool) -> None:
    matrix = samples_of(False).gram_matrix
    off = np.sqrt(150) * eigen_error(150, float(np.linalg.norm(matrix)), UNIT_SINGLE)
    assert is_enough(matrix, off / (share * rough.LOOSE)) is expected


@pytest.mark.parametrize(("tol", "kind"), [(1e-3, Rough), (1e-10, Decomposition)])
def test_a_certificate_takes_double_precision_where_it_must(tol: float, kind: type) -> None:
    samples = samples_of(False)
    eta = 2.2 * float(exact_values(samples)[5])
    found = spectral(Problem(samples, Squared(), 0.1 * eta, eta).zero, Dense(), tol)
    assert found is not None
    assert isinstance(samples._decompositions[0][1], kind)


def test_a_certificate_that_double_precision_would_not_help_does_not_take_it() -> None:
    samples = as_samples(np.random.default_rng(1).normal(size=(3000, 150)))
    # More eigenvalues are near eta than may be taken in.
    eta = 2.0 * float(samples.eigenvalues().values[5])
    problem = Problem(samples, Squared(), 0.1 * eta, eta)
    found = spectral(problem.zero, Dense(), 1e-3, level=0.99)
    assert found is None
    assert isinstance(samples._decompositions[0][1], Rough)


@pytest.mark.parametrize("wide", [False, True])
def test_a_ceiling_is_hardly_higher(wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rough, "Tridiagonal", Lowered)
    samples, sharp = samples_of(wide), samples_of(wide)
    sharp.sharpen()
    samples.leading(0.0, most=10)
    quick, exact = ceiling(samples, 100, QUICK), ceiling(sharp, 100, QUICK)
    assert isinstance(samples._decompositions[0][1], Rough)
    assert (quick >= exact - 1e-12).all()
    assert (quick <= exact + 2.0 * rough.LOOSE).all()
    thorough = ceiling(samples, 100, THOROUGH)
    np.testing.assert_allclose(thorough, ceiling(sharp, 100, THOROUGH), rtol=1e-13)
    assert isinstance(samples._decompositions[0][1], Decomposition)


@pytest.mark.parametrize("wide", [False, True])
def test_directions_that_the_data_do_not_have(wide: bool) -> None:
    X = np.zeros((60, 40))
    X[:, :3] = np.random.default_rng(1).normal(size=(60, 3)) * [3.0, 2.0, 1.0]
    samples = as_samples(np.ascontiguousarray(X.T) if wide else X)
    found = samples.leading(0.0, most=5)
    assert isinstance(samples._decompositions[0][1], Rough)
    exact = np.linalg.svd(samples.centred_rows(), compute_uv=False) ** 2
    np.testing.assert_allclose(found.values[:3], exact[:3], rtol=1e-9)
    assert np.isfinite(found.vectors).all()
