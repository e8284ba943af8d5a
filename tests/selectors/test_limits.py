"""The largest useful lam on diagonal matrices, in all units."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone import SPCAPSD, from_gram, lambda_max

# S is diagonal with 18, 8 and 2, and the loss at W = 0 is 28: from 2 * 18 - eta on nothing is left.
X = np.vstack([np.diag([3.0, 2.0, 1.0]), -np.diag([3.0, 2.0, 1.0])])


@pytest.mark.parametrize("scale", [2.0**-300, 1e-3, 1.0, 1e3, 2.0**300])
@pytest.mark.parametrize("eta", [4.0, 35.5])
def test_it_is_known_in_absolute_and_relative_units(scale: float, eta: float) -> None:
    expected = 36.0 - eta
    found = lambda_max(scale * X, eta=eta * scale**2, units="absolute")
    assert found == pytest.approx(expected * scale**2, rel=1e-6)
    # Relative to eta, which is relative to the loss.
    assert lambda_max(scale * X, eta=eta / 28.0) == pytest.approx(expected / eta, rel=1e-6)


def test_a_trace_weight_above_all_leaves_nothing() -> None:
    assert lambda_max(X, eta=36.5, units="absolute") == 0.0
    assert lambda_max(X, eta=36.5 / 28.0) == 0.0


@pytest.mark.parametrize("model", ["spca-psd", "cspca-psd", "aw-spca-psd"])
@pytest.mark.parametrize("units", ["relative", "absolute"])
def test_of_constant_features_there_is_none(model: str, units: str) -> None:
    assert lambda_max(np.ones((5, 3)), model=model, units=units) == 0.0


def test_without_a_trace_term_it_is_relative_to_the_loss() -> None:
    # Six samples of the norms 3, 3, 2, 2, 1, 1: the loss at W = 0 is 12.
    relative = lambda_max(X, model="aw-spca-psd")
    absolute = lambda_max(X, model="aw-spca-psd", units="absolute")
    # Either is sought to 1e-4 of itself.
    assert absolute == pytest.approx(12.0 * relative, rel=2e-4)
    # A feature alone: its two samples have a slope of 3 each.
    assert 12.0 * relative == pytest.approx(6.0, rel=1e-3)


def test_it_is_the_limit_of_the_selector() -> None:
    data = from_gram(np.diag([18.0, 8.0, 2.0]), n_samples=6)
    limit = lambda_max(data, eta=4.0, units="absolute")
    given = {"eta": 4.0, "units": "absolute", "n_features_to_select": 1}
    assert SPCAPSD(lam=0.97 * limit, **given).fit(data).scores_.any()
    with pytest.warns(UserWarning, match="W = 0 is optimal"):
        SPCAPSD(lam=1.01 * limit, **given).fit(data)
