"""When the factored solver asks for a bound."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone import SPCAPSD
from sparsecone.data import Moments
from sparsecone.solvers import closing, pace


def crowded(error: float = 0.0) -> Moments:
    """Return moments with a few components above 2 and all others crowded below 1."""
    rng = np.random.default_rng(0)
    basis, _ = np.linalg.qr(rng.standard_normal((300, 300)))
    values = np.concatenate([2.0 * 1.5 ** np.arange(12), np.linspace(0.9, 0.995, 288)])
    S = (basis * values) @ basis.T
    return Moments(0.5 * (S + S.T), 10_000, np.zeros(300), None, error=error)


def steps(error: float) -> int:
    selector = SPCAPSD(eta=2.0, lam=0.05, units="absolute", tol=1e-4).fit(crowded(error))
    assert selector.solution_.status == "converged"
    return selector.n_iter_


def test_what_the_moments_are_off_by_does_not_keep_a_bound_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Most of the tolerance is used up by an error that no step makes smaller.
    error = 0.0016
    assert steps(error) < closing.LONGEST_UNCHECKED // 2
    monkeypatch.setattr(pace, "STALLED", 2.0)
    assert steps(error) > closing.LONGEST_UNCHECKED
