"""Several numbers of features from one fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..linalg.types import Array
from .console import say, show_table
from .evaluation import Evaluation, evaluate
from .fitting import value_of

if TYPE_CHECKING:
    from ..selectors.base import Selector


@dataclass(frozen=True, kw_only=True)
class SizedSelection:
    """The first features of a fit: what they are worth."""

    selected: Array
    explained: float | None = None
    ceiling: float | None = None
    evaluation: Evaluation | None = None

    def evaluated(self, X: Any, y: Any, *, name: str) -> SizedSelection:
        """Return the selection with what k-means makes of it."""
        return replace(self, evaluation=evaluate(X, y, self.selected, name=name))


def numbers_of(given: Sequence[str], n_features: int) -> list[int]:
    """Return the numbers of features that several options ask for, the smallest first.

    Examples
    --------
    >>> numbers_of(["50", "0.1"], 100)
    [10, 50]
    """
    numbers = set()
    for text in given:
        value = value_of(text)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"-k {text} must stand alone: several are numbers or fractions.")
        number = value if isinstance(value, int) else max(1, int(value * n_features))
        if not 1 <= number <= n_features:
            raise ValueError(f"-k {text} must lie between 1 and {n_features}, the features.")
        numbers.add(number)
    return sorted(numbers)


def sized(selector: Selector, number: int) -> SizedSelection:
    """Return a selection of some size from a fit."""
    selected = selector.selected_at(number)
    explained, ceiling = shares_of(selector, selected.size)
    return SizedSelection(selected=selected, explained=explained, ceiling=ceiling)


def shares_of(selector: Selector, number: int) -> tuple[float, float] | tuple[None, None]:
    """Return the share that so many features explain, and that any could, where it is known."""
    curve = getattr(selector, "curve_", None)
    if curve is None or number > curve.n_features.size:
        return None, None
    return float(curve.explained[number - 1]), float(curve.ceiling[number - 1])


def show_sizes(sizes: Sequence[SizedSelection]) -> None:
    """Print a line for each size."""
    columns = ["features", "explained", "at most", "ACC", "NMI"]
    lines = [(str(size.selected.size), *_shares(size), *_clustering(size)) for size in sizes]
    told = [place for place in range(5) if any(line[place] for line in lines)]
    say("Each selection is the beginning of the next.")
    show_table(
        "Shares in percent",
        [columns[place] for place in told],
        [[line[place] for place in told] for line in lines],
        numbers=columns,
    )


def sizes_as_json(sizes: Sequence[SizedSelection], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the selections as plain values."""
    return [
        {
            "n_selected": size.selected.size,
            "explained": size.explained,
            "ceiling": size.ceiling,
            "evaluation": None if size.evaluation is None else vars(size.evaluation),
            "selected": [names[index] for index in size.selected],
        }
        for size in sizes
    ]


def _shares(size: SizedSelection) -> tuple[str, str]:
    from ..selectors.curve import percents

    if size.explained is None or size.ceiling is None:
        return "", ""
    explained, most = percents(size.explained, size.ceiling)
    return f"{explained:.1f}", f"{most:.1f}"


def _clustering(size: SizedSelection) -> tuple[str, str]:
    score = size.evaluation
    if score is None:
        return "", ""
    return f"{score.acc:.1f} ± {score.acc_std:.1f}", f"{score.nmi:.1f}"
