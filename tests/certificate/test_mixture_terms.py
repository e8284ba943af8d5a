"""Mixtures of two points that need no solver: objective, bound and rounding, term by term.

S and both W are diagonal, so that everything is a sum over the features.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sparsecone.certificate.mixture import Between, End, Proof, Segment, distance
from sparsecone.data import from_gram
from sparsecone.data.centring import as_rows
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Robust, Squared
from sparsecone.model.problem import Point, Problem

S = np.array([5.0, 3.0, 2.0, 1.0])
FIRST = np.array([0.75, 0.5, 0.0, 0.0])
LAST = np.array([0.5, 0.0, 0.25, 0.125])
WEIGHTS = (0.25, 1.0), (0.75, 3.0)
BOUNDS = 6.0, 9.0
TRACE = float(S.sum())


def point_of(scores: Array, lam: float, eta: float, error: float = 0.0) -> Point:
    """Return W = diag(scores); its data term is off by the error."""
    samples = from_gram(np.diag(S), n_samples=9)
    samples.matrix_error = error
    problem = Problem(samples, Squared(), lam, eta)
    return problem.evaluate(np.diag(np.sqrt(scores))[:, scores > 0.0])


def segment_of(scales: tuple[float, float] | None = None, error: float = 0.0) -> Segment:
    points = [
        point_of(scores, *weights, error)
        for scores, weights in zip((FIRST, LAST), WEIGHTS, strict=True)
    ]
    proofs: list[Proof | None] = [None, None]
    if scales is not None:
        proofs = [Proof(scale, point) for scale, point in zip(scales, points, strict=True)]
    ends = zip(points, BOUNDS, proofs, strict=True)
    return Segment(*(End(point, bound, proof, True) for point, bound, proof in ends))


def problem_at(segment: Segment, share: float) -> Problem:
    (a, b), (c, d) = WEIGHTS
    first = segment.first.point.problem
    return replace(first, lam=(1.0 - share) * a + share * c, eta=(1.0 - share) * b + share * d)


def objective(problem: Problem, mixture: float) -> float:
    scores = (1.0 - mixture) * FIRST + mixture * LAST
    loss = float(S @ (1.0 - scores) ** 2)
    return loss + (problem.lam + problem.eta) * float(scores.sum())


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_a_share_is_how_far_the_weights_are(share: float) -> None:
    segment = segment_of()
    assert segment.share(problem_at(segment, share)) == pytest.approx(share, abs=1e-15)


@pytest.mark.parametrize(("first", "last"), [((1.0, 2.0), (3.0, 2.0)), ((1.0, 2.0), (1.0, 6.0))])
def test_one_of_the_weights_may_be_that_of_both_ends(
    first: tuple[float, float], last: tuple[float, float]
) -> None:
    ends = (End(point_of(FIRST, *weights), 1.0, None, True) for weights in (first, last))
    segment = Segment(*ends)
    lam, eta = (0.75 * a + 0.25 * b for a, b in zip(first, last, strict=True))
    problem = replace(segment.first.point.problem, lam=lam, eta=eta)
    assert segment.share(problem) == pytest.approx(0.25, rel=1e-15)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.5, 1.0])
def test_the_best_mixture_has_the_least_objective(share: float) -> None:
    segment = segment_of()
    problem = problem_at(segment, share)
    found = segment.at(problem)
    mixtures = np.linspace(0.0, 1.0, 2001)
    values = [objective(problem, mixture) for mixture in mixtures]
    best = mixtures[int(np.argmin(values))]
    # A mixture is as good as one that is a thousandth away.
    away = [objective(problem, float(np.clip(best + off, 0.0, 1.0))) for off in (-1e-3, 1e-3)]
    assert min(values) * (1.0 - 1e-7) <= found.value <= max(away)
    np.testing.assert_allclose(found.scores, (1.0 - best) * FIRST + best * LAST, atol=2e-3)
    assert found.bound == (1.0 - share) * 6.0 + share * 9.0


@pytest.mark.parametrize("mixture", [0.0, 0.3, 0.5, 1.0])
def test_value_and_scores_at_any_mixture(mixture: float) -> None:
    segment = segment_of()
    problem = problem_at(segment, 0.25)
    assert segment._value(problem, mixture) == pytest.approx(objective(problem, mixture), rel=1e-14)
    scores = (1.0 - mixture) * FIRST + mixture * LAST
    np.testing.assert_allclose(segment.scores(mixture), scores, rtol=1e-14, atol=1e-15)


def test_ranks_count_what_is_a_millionth_of_the_largest() -> None:
    assert segment_of().rank(0.5) == 4
    assert segment_of().rank(0.0) == 2
    assert segment_of().rank(1.0) == 3
    # The directions of both ends that the other has not.
    assert segment_of().rank(1e-7) == 2
    assert segment_of().rank(1.0 - 1e-7) == 3
    assert segment_of().rank(1e-4) == 4
    assert segment_of().at(problem_at(segment_of(), 0.5)).rank == 4


@pytest.mark.parametrize(
    ("scores", "rank"), [((100.0, 2e-4), 2), ((100.0, 5e-5), 1), ((1e-4, 1e-7), 2), ((0.0, 0.0), 0)]
)
def test_ranks_are_relative_to_the_largest_eigenvalue(
    scores: tuple[float, float], rank: int
) -> None:
    point = point_of(np.array([*scores, 0.0, 0.0]), 1.0, 1.0)
    end = End(point, 1.0, None, True)
    assert Segment(end, end).rank(0.5) == rank


def test_rounding_is_that_of_both_ends_and_to_spare() -> None:
    segment = segment_of()
    problem = problem_at(segment, 0.25)
    ends = segment.first, segment.last
    least = 4.0 * sum(problem.evaluate(end.point.L).rounding for end in ends)
    heaviest = problem_at(segment, 1.0)
    most = 4.0 * sum(heaviest.evaluate(end.point.L).rounding for end in ends)
    found = segment.at(problem)
    assert least <= found.rounding == pytest.approx(most, rel=1e-13, abs=0.0)
    gap = (found.value + found.rounding - found.bound) / found.value
    assert found.gap == gap
    assert Between(segment, 0.5, 4.0, 3.0, 1.0).gap == 0.5
    assert Between(segment, 0.5, 4.0, 3.0, 1.0).proven


@pytest.mark.parametrize("proven", [(True, True), (True, False), (False, True), (False, False)])
def test_a_mixture_is_proven_where_both_ends_are(proven: tuple[bool, bool]) -> None:
    segment = segment_of()
    ends = (
        replace(end, proven=p) for end, p in zip((segment.first, segment.last), proven, strict=True)
    )
    assert Segment(*ends).at(problem_at(segment, 0.25)).proven == all(proven)


def residuals(scores: Array, scale: float) -> Array:
    """Return the diagonal of scale (I - W) times the root of S, whose square is |A|^2 / 4."""
    return np.asarray(scale * (1.0 - scores) * np.sqrt(S))


@pytest.mark.parametrize("scales", [(1.0, 1.0), (0.5, 0.75), (2.0, 0.5)])
def test_multipliers_that_differ_prove_more_between(scales: tuple[float, float]) -> None:
    segment = segment_of(scales)
    first, last = residuals(FIRST, scales[0]), residuals(LAST, scales[1])
    exact = float(((first - last) ** 2).sum())
    found = distance(segment.first.point, segment.last.point, *scales)
    assert found == pytest.approx(exact, rel=1e-13)
    bound = segment.at(problem_at(segment, 0.25)).bound
    assert bound == pytest.approx(0.75 * 6.0 + 0.25 * 9.0 + 0.1875 * exact, rel=1e-12)
    # What rounding may have added to it is not there.
    roundings = [end.point.data.rounding for end in (segment.first, segment.last)]
    off = 4.0 * sum(roundings) * max(*scales, 1.0) ** 2
    assert found - segment._curvature == pytest.approx(off, rel=0.05, abs=0.0)


def test_the_rounding_of_a_distance_counts_by_the_larger_scale() -> None:
    for scales, most in (((0.5, 0.75), 1.0), ((2.0, 0.5), 4.0), ((0.5, 3.0), 9.0)):
        segment = segment_of(scales)
        for end, error in ((segment.first, 0.001), (segment.last, 0.002)):
            assert end.proof is not None
            data = replace(end.proof.point.data, rounding=error)
            object.__setattr__(end.proof, "point", replace(end.proof.point, data=data))
        first, last = residuals(FIRST, scales[0]), residuals(LAST, scales[1])
        exact = float(((first - last) ** 2).sum()) - 4.0 * 0.003 * most
        assert segment._curvature == pytest.approx(exact, rel=1e-12)


def test_the_same_multipliers_prove_no_more_nor_less() -> None:
    segment = segment_of((1.0, 1.0))
    same = replace(segment.last, point=segment.first.point, proof=segment.first.proof)
    assert Segment(segment.first, same)._curvature == 0.0
    assert Segment(segment.first, replace(segment.last, proof=None))._curvature == 0.0
    assert Segment(replace(segment.first, proof=None), segment.last)._curvature == 0.0


def test_a_shared_error_of_the_matrix_is_subtracted() -> None:
    segment = segment_of(error=0.01)
    problem = problem_at(segment, 0.25)
    slack = 0.01 * (1.0 + np.sqrt(min(4.0, 2.0 * TRACE / problem.eta)))
    assert segment.at(problem).bound == pytest.approx(0.75 * 6.0 + 0.25 * 9.0 - slack, rel=1e-13)


@pytest.mark.parametrize("share", [0.25, 0.75])
@pytest.mark.parametrize("loss", [Robust(), Robust(recenter=True)], ids=str)
def test_where_samples_are_weighed_the_share_is_the_mixture(loss: Robust, share: float) -> None:
    rows = as_rows(np.random.default_rng(0).normal(size=(9, 4)))
    ends = []
    for scores, (lam, eta), bound in zip((FIRST, LAST), WEIGHTS, BOUNDS, strict=True):
        problem = Problem(rows, loss, lam, 0.0 if loss.recenter else eta)
        L = np.diag(np.sqrt(scores))[:, scores > 0.0]
        point = problem.evaluate(L, lam * np.arange(4.0) if loss.recenter else None)
        ends.append(End(point, bound, None, True))
    segment = Segment(*ends)
    first, last = ends[0].point, ends[1].point
    problem = first.problem.with_weights(
        lam=(1.0 - share) * first.problem.lam + share * last.problem.lam,
        eta=(1.0 - share) * first.problem.eta + share * last.problem.eta,
    )
    found = segment.at(problem)
    W = np.diag((1.0 - share) * FIRST + share * LAST)
    X = rows.centred_rows()
    v = ((1.0 - share) * 0.25 + share * 0.75) * np.arange(4.0) if loss.recenter else 0.0
    value = float(np.linalg.norm(X - X @ W - v, axis=1).sum())
    value += (problem.lam + problem.eta) * float(np.trace(W))
    assert found.value == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(found.scores, np.diag(W), rtol=1e-12, atol=1e-15)
    assert found.rank == 4
    assert found.bound == (1.0 - share) * 6.0 + share * 9.0
    assert 0.0 < found.rounding < 1e-9
    start = segment.start(problem)
    assert start.L.shape == (4, 3)
    # Of the mixture the largest directions are kept.
    kept = np.sort(np.diag(W))[::-1][:3]
    np.testing.assert_allclose(np.linalg.eigvalsh(start.A)[::-1], kept, rtol=1e-12)


def test_a_start_takes_the_image_of_the_ends() -> None:
    segment = segment_of()
    errors = [3e-3, 4e-3]
    for end, error in zip((segment.first, segment.last), errors, strict=True):
        object.__setattr__(
            end, "point", replace(end.point, data=replace(end.point.data, H_error=error))
        )
    problem = problem_at(segment, 0.25)
    start = segment.start(problem)
    np.testing.assert_allclose(start.data.H, 2.0 * S[:, None] * start.L, rtol=1e-13, atol=1e-14)
    assert start.data.H_error == pytest.approx(5e-3, rel=1e-9)
    kept = np.sort(0.75 * FIRST + 0.25 * LAST)[::-1][:3]
    np.testing.assert_allclose(np.linalg.eigvalsh(start.A)[::-1], kept, rtol=1e-12)
