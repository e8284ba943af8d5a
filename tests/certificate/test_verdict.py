"""The gap of value and bound, and where they contradict each other."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone.certificate.verdict import InvalidCertificate, check, relative_gap


def test_the_gap_is_a_part_of_the_value() -> None:
    assert relative_gap(4.0, 3.0) == 0.25
    assert relative_gap(4.0, 3.0, 1.0) == 0.5
    # Nothing is clamped.
    assert relative_gap(4.0, 5.0, 0.5) == -0.125
    assert relative_gap(4.0, -np.inf) == np.inf


def test_small_values_are_divided_by() -> None:
    assert relative_gap(0.5, 0.25) == 0.5
    assert relative_gap(1.0, 0.5) == 0.5


def test_at_zero_nothing_is_left_to_prove_only_where_all_is_zero() -> None:
    assert relative_gap(0.0, 0.0) == 0.0
    assert relative_gap(0.0, 0.0, 1.0) == np.inf
    assert relative_gap(0.0, -1.0) == np.inf
    assert relative_gap(0.0, 1.0, 1.0) == np.inf
    assert relative_gap(-1.0, -1.0) == np.inf


def test_a_bound_may_exceed_a_value_by_its_rounding_and_no_more() -> None:
    check(2.0, 2.5, 0.5, "admm")
    with pytest.raises(InvalidCertificate, match=r"exceeds the objective 2 .* \(solver admm\)"):
        check(2.0, np.nextafter(2.5, 3.0), 0.5, "admm")
