"""Why features are selected or left out, for the option --explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import numpy as np

from ..files.wanted import split_names

if TYPE_CHECKING:
    from ..selectors.base import Selector


def positions(asked: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return where the features stand that are asked about, or name the nearest one there is."""
    known = {name: position for position, name in enumerate(names)}
    asked = [name for text in asked for name in ([text] if text in known else split_names([text]))]
    for name in asked:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"Did you mean '{near[0]}'?" if near else "Give a name from the first row."
            raise ValueError(f"--explain: there is no feature '{name}'. {hint}")
    return [known[name] for name in asked]


def reasons(
    selector: Selector, X: Any, names: Sequence[str], features: Sequence[int]
) -> dict[str, str]:
    """Return a sentence for each feature that is asked about."""
    if not features:
        return {}
    explanation = replace(selector._explain(X), names=np.asarray(names, dtype=object))
    return {names[feature]: explanation.sentence(feature) for feature in features}
