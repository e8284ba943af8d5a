"""Reconstruction error on data whose explained variance is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from sparsecone.metrics import reconstruction_error

# Orthogonal contrasts a, b, c of squared norm 8, with weights 3, 2, 1: variances 9 : 4 : 1.
A = np.tile([1.0, 1.0, -1.0, -1.0], 2)
B = np.tile([1.0, -1.0], 4)
C = np.repeat([1.0, -1.0], 4)
X = np.column_stack([3.0 * A, 2.0 * B, C, np.full(8, 7.0)])


@pytest.mark.parametrize(
    ("selected", "expected"),
    [
        pytest.param([0], 5 / 14, id="largest"),
        pytest.param([2], 13 / 14, id="smallest"),
        pytest.param([0, 1], 1 / 14, id="two"),
        pytest.param([2, 1, 0], 0.0, id="all-that-vary"),
        pytest.param([3], 1.0, id="constant-explains-nothing"),
        pytest.param([0, 3], 5 / 14, id="constant-adds-nothing"),
    ],
)
def test_hand_worked_cases(selected, expected):
    assert reconstruction_error(X, selected) == pytest.approx(expected, abs=1e-15)


def test_repeated_columns_add_nothing():
    doubled = np.column_stack([X, X[:, 0]])
    # The copy doubles the variance of the first contrast: (9 + 9) of 23 parts are explained.
    assert reconstruction_error(doubled, [0, 4]) == pytest.approx(5 / 23, abs=1e-14)
    assert reconstruction_error(doubled, [0]) == pytest.approx(5 / 23, abs=1e-14)


def test_data_that_do_not_vary_leave_nothing_to_explain():
    assert reconstruction_error(np.full((3, 2), 0.1), [0]) == pytest.approx(0.0, abs=0.0)


def test_held_out_data_use_the_means_and_coefficients_of_the_training_data():
    train = np.array([[0.0, 0.0], [2.0, 4.0]])  # second = 2 * first, means (1, 2)
    test = np.array([[1.0, 5.0], [3.0, 6.0]])  # centred: (0, 3), (2, 4); rebuilt: (0, 0), (2, 4)
    error = reconstruction_error(train, [0], X_test=test)
    assert error == pytest.approx(9.0 / (9.0 + 4.0 + 16.0), rel=1e-12)


def test_held_out_data_are_harder_than_the_training_data():
    rng = np.random.default_rng(0)
    data = rng.normal(size=(60, 8)) @ rng.normal(size=(8, 20)) + rng.normal(size=(60, 20))
    selected = np.arange(12)
    inside = reconstruction_error(data[:30], selected)
    outside = reconstruction_error(data[:30], selected, X_test=data[30:])
    assert 0.0 < inside < outside


def test_refuses_held_out_data_of_another_width():
    with pytest.raises(ValueError, match="X_test has 3 features, but X has 4"):
        reconstruction_error(X, [0], X_test=X[:, :3])


def test_sparse_data_give_the_same_error():
    rng = np.random.default_rng(0)
    data = rng.poisson(0.5, size=(40, 12)).astype(float)
    data[:, 3], data[:, 4] = data[:, 2], 1.0
    for selected in ([0], [2, 3, 4], [4], list(range(12))):
        expected = reconstruction_error(data, selected)
        assert reconstruction_error(csr_matrix(data), selected) == pytest.approx(
            expected, abs=1e-12
        )
    assert reconstruction_error(csr_matrix(np.ones((3, 2))), [0]) == 0.0
