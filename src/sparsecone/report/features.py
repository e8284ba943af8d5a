"""All features for the table and the slider: what the page needs to know, as compact JSON."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from ..linalg.types import Array
from .inputs import Inputs

#: Rows of the table; the files that hold a ranking have all of it.
MOST_ROWS = 50_000
#: Lengths of names that are tried, and characters that all of them may take.
LENGTHS, MOST_CHARACTERS = (140, 60, 30), 450_000
#: What could end the element that holds the data, or hide the end of it.
RISKY = re.compile(r"<(?=[/!sS])")


def features_json(inputs: Inputs) -> str:
    """Return the features, best first, and what every cut explains, as JSON for the page.

    Explained shares are in thousandths, rounded down, and their ceilings rounded up.
    """
    listed, cuts = inputs.order[:MOST_ROWS], inputs.cuts
    scores = inputs.selector.scores_[listed]
    known: dict[str, Any] = {
        "selected": int(inputs.selected.size),
        "total": inputs.n_features,
        **_sizes(inputs),
        "names": listed_names(inputs, listed),
        "columns": listed.tolist(),
        "scores": [float(f"{s:.4g}") if np.isfinite(s) else None for s in scores.tolist()],
        "constant": np.flatnonzero(np.asarray(cuts.data.variances)[listed] <= 0.0).tolist(),
        "explained": thousandths(cuts.explained),
        "ceiling": np.ceil(1e3 * cuts.ceiling).astype(int).tolist(),
    }
    # Ranks are kept as differences: they take fewer digits.
    known["near"] = [_differences(pairs, 2) for pairs in cuts.nearest(listed)]
    known["reached"] = [_differences(numbers, 1) for numbers in cuts.reached(listed)]
    if inputs.stability is not None:
        frequencies = inputs.stability.frequencies[listed]
        known["stability"] = np.rint(100.0 * frequencies).astype(int).tolist()
    return as_json(known)


def _differences(values: list[int], step: int) -> list[int]:
    """Return a list in which every entry, or every second, is what it adds to the one before.

    Examples
    --------
    >>> _differences([3, 50, 7, 60], 2)
    [3, 50, 4, 60]
    """
    ranks = values[::step]
    found = list(values)
    found[::step] = [b - a for a, b in zip([0, *ranks], ranks, strict=False)]
    return found


def thousandths(shares: Array) -> list[int]:
    """Return shares in thousandths, rounded down.

    Examples
    --------
    >>> thousandths(np.array([0.7469]))
    [746]
    """
    return [int(share) for share in np.floor(1e3 * shares)]


def listed_names(inputs: Inputs, features: Array) -> list[str]:
    """Return names that are as long as the page can carry."""
    for longest in LENGTHS:
        names = [inputs.name(feature, longest) for feature in features.tolist()]
        if sum(map(len, names)) <= MOST_CHARACTERS:
            break
    return names


def as_json(known: dict[str, Any]) -> str:
    r"""Return JSON that may stand in a page as it is.

    Examples
    --------
    >>> as_json({"name": "</script>"})
    '{"name":"\\u003c/script>"}'
    """
    text = json.dumps(known, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return RISKY.sub(r"\\u003c", text)


def _sizes(inputs: Inputs) -> dict[str, Any]:
    """Return the numbers of features that can be had; `sizes` only where some cannot."""
    sizes = getattr(inputs.selector, "_sizes", np.arange(1, inputs.n_features + 1))
    most = max(inputs.cuts.order.size, inputs.selected.size)
    allowed = sizes[sizes <= most]
    ends = {"least": int(allowed[0]), "most": int(allowed[-1]), "eligible": int(sizes[-1])}
    is_whole = allowed.size == allowed[-1] - allowed[0] + 1
    return ends if is_whole else ends | {"sizes": allowed.tolist()}
