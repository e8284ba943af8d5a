"""What parameters may be, at the ends of their intervals."""

from __future__ import annotations

from typing import Any

import pytest

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD
from sparsecone.selectors.constraints import AT_LEAST_ONE, NOT_NEGATIVE, POSITIVE, UP_TO_TWO


@pytest.mark.parametrize(
    ("constraint", "inside", "outside"),
    [
        (AT_LEAST_ONE, [1, 2, 10**9], [0, -1]),
        (POSITIVE, [1e-9, 0.5, 1e9], [0.0, -1e-9]),
        (NOT_NEGATIVE, [0.0, 1e-9, 1e9], [-1e-9]),
        (UP_TO_TWO, [1e-9, 0.5, 2.0], [0.0, 2.0001, -1.0]),
    ],
)
def test_ends_of_intervals(constraint: Any, inside: list[Any], outside: list[Any]) -> None:
    (interval,) = constraint
    assert all(value in interval for value in inside)
    assert not any(value in interval for value in outside)


MODELS = (SPCAPSD, CSPCAPSD, AWSPCAPSD)
ENDS: dict[str, tuple[list[Any], list[Any]]] = {
    "lam": ([0.0, 1e-9, "auto"], [-1e-9, "paper"]),
    "eta": ([0.0, 1e-9, "auto", "paper"], [-1e-9]),
    "delta": ([None, 0.0, 1e-9], [-1e-9]),
    "tol": ([0.0, 1e-9], [-1e-9]),
    "max_iter": ([None, 1], [0, 1.5]),
    "max_time": ([None, 1e-9], [0.0]),
}
HAVE = [(model, name) for model in MODELS for name in ENDS if name in model().get_params()]


@pytest.mark.parametrize(("model", "name"), HAVE)
def test_ends_of_the_parameters_of_the_models(model: Any, name: str) -> None:
    inside, outside = ENDS[name]
    for value in inside:
        model(**{name: value})._validate_params()
    for value in outside:
        with pytest.raises(ValueError, match=f"'{name}' parameter"):
            model(**{name: value})._validate_params()
