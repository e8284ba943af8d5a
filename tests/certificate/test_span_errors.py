"""Many eigenpairs that are off at once: what is said of M holds, whatever they are off by."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.certificate.matrix import low_rank_part
from sparsecone.certificate.span import SpanPart
from sparsecone.data import Spectrum, from_gram
from sparsecone.linalg.types import Array
from sparsecone.model.losses import Squared
from sparsecone.model.problem import Point, Problem

D, PAIRS, OFF, ETA = 40, 20, 1e-3, 6.0
VALUES = np.concatenate([np.linspace(9.0, 3.2, PAIRS), np.linspace(2.0, 0.1, D - PAIRS)])


def rotation(rng: np.random.Generator) -> Array:
    return np.linalg.qr(rng.normal(size=(D, D)))[0]


def problem_of(rng: np.random.Generator) -> tuple[Problem, Array]:
    basis = rotation(rng)
    S = (basis * VALUES) @ basis.T
    S = 0.5 * (S + S.T)
    return Problem(from_gram(S, n_samples=99), Squared(), 0.7, ETA), S


def pairs_of(S: Array, off: Array, stated: float) -> Spectrum:
    """Return the leading pairs of twice a matrix that is off, and how far they are said to be."""
    values, vectors = np.linalg.eigh(2.0 * (S + off))
    values, vectors = values[::-1], vectors[:, ::-1]
    return Spectrum(values[:PAIRS], vectors[:, :PAIRS], float(values[PAIRS]), stated)


def violation(point: Point, S: Array, spectrum: Spectrum) -> float:
    """Return how far M exceeds eta beyond what the part of the span says of it, and the rest."""
    left, right = low_rank_part(point)
    M = 2.0 * S - 0.5 * (left @ right.T + right @ left.T)
    part = SpanPart.of(point, spectrum, exactness=np.inf)
    found = part.excess(ETA - spectrum.floor - 2.0 * spectrum.error - part.outside)
    known = (found.vectors * found.values) @ found.vectors.T
    return float(np.linalg.eigvalsh(M - ETA * np.eye(D) - known)[-1]) - found.rest


@pytest.mark.parametrize("seed", range(5))
def test_all_pairs_may_be_off_at_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    problem, S = problem_of(rng)
    basis = rotation(rng)
    signs = np.where(rng.random(D) < 0.5, -1.0, 1.0)
    optimistic = -np.inf
    for off in (np.eye(D), -np.eye(D), (basis * signs) @ basis.T):
        for length in (0.1, 0.5):
            point = problem.evaluate(length * rng.normal(size=(D, 4)) / np.sqrt(D))
            # The image of M is that of twice S.
            stated = pairs_of(S, OFF * off, 2.0 * OFF)
            assert violation(point, S, stated) <= 0.0
            optimistic = max(optimistic, violation(point, S, pairs_of(S, OFF * off, 0.0)))
    # Pairs that are said to be exact prove too much.
    assert optimistic > 0.1 * OFF
