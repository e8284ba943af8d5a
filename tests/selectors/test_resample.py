"""A selection on other samples is that of a fit to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD
from sparsecone.selectors.resample import selected_again

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3)) * [3, 2, 1] @ RNG.normal(size=(3, 15)) + RNG.normal(size=(120, 15))


@pytest.mark.parametrize("number", ["auto", 4])
@pytest.mark.parametrize("model", [SPCAPSD, CSPCAPSD, AWSPCAPSD])
def test_it_is_that_of_a_fit(model: Any, number: Any) -> None:
    fitted = model(n_features_to_select=number).fit(X[::2])
    before = fitted.selected_.copy()
    again = clone(fitted).fit(X[1::2])
    np.testing.assert_array_equal(selected_again(fitted, X[1::2]), again.selected_)
    np.testing.assert_array_equal(fitted.selected_, before)
