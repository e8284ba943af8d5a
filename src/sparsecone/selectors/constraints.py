"""What parameters may be, in the words of scikit-learn's parameter validation."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

from sklearn.utils._param_validation import Interval

from .wishes import WISHES

AT_LEAST_ONE = [Interval(Integral, 1, None, closed="left")]
POSITIVE = [Interval(Real, 0, None, closed="neither")]
NOT_NEGATIVE = [Interval(Real, 0, None, closed="left")]
UP_TO_TWO = [Interval(Real, 0, 2, closed="right")]
# The base of all selectors says what is wrong with a number or a fraction.
NUMBER_OR_FRACTION = [None, Integral, Real]
# What `_set_choice` takes.
CHOICE: dict[str, list[Any]] = {"n_features_to_select": NUMBER_OR_FRACTION, **WISHES}
