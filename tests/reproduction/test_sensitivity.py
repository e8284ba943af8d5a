"""Experiment 6."""

from __future__ import annotations

import pytest

from sparsecone.reproduction.sensitivity import follows_rule


@pytest.mark.parametrize(
    ("lam", "eta", "expected"),
    [(1e2, 1e3, True), (1e3, 1e4, True), (2e2, 1e3, False), (1.0, 9e2, False), (1.0, 2e4, False)],
)
def test_rule_of_the_paper(lam: float, eta: float, expected: bool) -> None:
    assert follows_rule({"lam": lam, "eta": eta, "trace": 1e5}) is expected
