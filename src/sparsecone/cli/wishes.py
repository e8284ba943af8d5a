"""Wishes by name, for selectors that see columns without names."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..selectors.wishes import Wishes, feature_mask

if TYPE_CHECKING:
    from ..selectors.base import Selector


def place_wishes(selector: Selector, names: Sequence[str]) -> None:
    """Put the positions of features in the place of their names and patterns.

    What contradicts what is said with the names.
    """
    known = np.asarray(names, dtype=object)
    parameters = selector.get_params(deep=False)
    Wishes.of(SimpleNamespace(**parameters, feature_names_in_=known), known.size)

    def places(given: Any, what: str) -> list[int]:
        return np.flatnonzero(feature_mask(given, known.size, known, what)).tolist()

    for what in ("keep", "exclude"):
        if parameters.get(what) is not None:
            selector.set_params(**{what: places(parameters[what], what)})
    if parameters.get("groups") is not None:
        selector.set_params(groups=[places(group, "groups") for group in parameters["groups"]])
