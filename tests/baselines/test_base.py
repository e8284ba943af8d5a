"""The loop of the iterative methods."""

from __future__ import annotations

from itertools import count

import pytest
from sklearn.exceptions import ConvergenceWarning

from sparsecone.baselines.base import converge


def test_it_stops_where_the_objective_settles_and_keeps_that_state() -> None:
    state, objective = converge(((i, 2.0**-i) for i in count()), max_iter=100, tol=0.01)
    assert (state, objective.tolist()) == (7, [2.0**-i for i in range(8)])


def test_a_rise_within_tol_also_counts_as_settled() -> None:
    _, objective = converge(iter([(0, 1.0), (1, 1.005)]), max_iter=2, tol=0.01)
    assert objective.size == 2


def test_no_tolerance_asks_for_less_than_rounding() -> None:
    values = iter([(0, -1e10), (1, -1e10 - 1e-5)])
    assert converge(values, max_iter=2, tol=0.0)[0] == 1


@pytest.mark.parametrize("max_iter", [1, 3])
def test_it_gives_up_with_a_warning(max_iter: int) -> None:
    with pytest.warns(ConvergenceWarning, match=f"after max_iter={max_iter} iterations; raise"):
        state, objective = converge(((i, -float(i)) for i in count()), max_iter=max_iter, tol=0.5)
    assert state == max_iter - 1
    assert objective.size == max_iter
