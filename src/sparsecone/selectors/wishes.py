"""What the user wants selected in any case, never, or one or all of a group."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils._param_validation import StrOptions

from ..linalg.types import Array

WISHES: dict[str, list[Any]] = {
    "keep": [None, str, "array-like"],
    "exclude": [None, str, "array-like"],
    "groups": [None, "array-like"],
    "per_group": [StrOptions({"one", "all"})],
}


@dataclass(frozen=True)
class Wishes:
    """Wishes about some features, checked against each other; arrays have an entry a feature."""

    keep: Array  #: Whether it is selected in any case; what is kept counts among the selected.
    exclude: Array  #: Whether it is never selected.
    labels: Array  #: Its group, -1 for none.
    whole: bool  #: Whether all features of a group are selected, or none; otherwise at most one is.

    @classmethod
    def of(cls, selector: Any, n_features: int, names: Array | None = None) -> Wishes:
        """Return the wishes in the parameters of a selector, or say what contradicts what.

        Without names those that it saw in its fit count.
        """
        names = getattr(selector, "feature_names_in_", None) if names is None else names
        keep, exclude = (
            feature_mask(getattr(selector, what, None), n_features, names, what)
            for what in ("keep", "exclude")
        )
        labels = _labels(getattr(selector, "groups", None), n_features, names)
        wishes = cls(keep, exclude, labels, getattr(selector, "per_group", "one") == "all")
        wishes._check(names)
        return wishes

    @cached_property
    def are_none(self) -> bool:
        """Whether nothing is wished for."""
        return not (self.keep.any() or self.exclude.any() or self.labels.max() >= 0)

    def closed(self, chosen: Array) -> Array:
        """Return the features that may not follow the chosen ones."""
        if self.labels.max() < 0:
            return self.exclude.copy()
        if self.whole:
            shut = np.isin(self.labels, self.labels[self.exclude & (self.labels >= 0)])
        else:
            shut = np.isin(self.labels, self.labels[chosen & (self.labels >= 0)]) & ~chosen
        return self.exclude | (shut & (self.labels >= 0))

    def open(self, chosen: Array, able: Array) -> Array:
        """Return which able features may come next: those to keep, then all that are not closed."""
        kept = self.keep & able & ~chosen
        return kept if kept.any() else able & ~(chosen | self.closed(chosen))

    def arranged(self, order: Array) -> tuple[Array, Array]:
        """Return an order in which the wishes come true, and the sizes at which it may be cut."""
        placed = np.zeros(order.size, dtype=bool)
        result: list[int] = []
        sizes: list[int] = []
        if self.are_none:
            return order, np.arange(1, order.size + 1)
        shut = self.closed(placed)
        for feature in [*order[self.keep[order]].tolist(), *order.tolist()]:
            if placed[feature] or shut[feature]:
                continue
            mates = order[self.labels[order] == self.labels[feature]]
            alone = self.labels[feature] < 0
            group = mates.tolist() if self.whole and not alone else [feature]
            shut[[] if alone else mates] = True
            placed[group] = True
            result += group
            sizes.append(len(result))
        if not result:
            raise ValueError("exclude leaves no feature that may be selected.")
        rest = order[~placed[order]]
        n_first = max(int(placed[self.keep].sum()), 1)
        cuts = np.array([size for size in sizes if size >= n_first])
        return np.concatenate([np.asarray(result, dtype=np.intp), rest]), cuts

    def _check(self, names: Array | None) -> None:
        both = np.flatnonzero(self.keep & self.exclude)
        if both.size:
            raise ValueError(f"{_name(both[0], names)} is in keep and in exclude: choose one.")
        kept = np.bincount(self.labels[self.keep & (self.labels >= 0)], minlength=1)
        if not self.whole and kept.max() > 1:
            twice = np.flatnonzero(self.keep & (self.labels == int(np.argmax(kept))))
            raise ValueError(
                f"{_name(twice[0], names)} and {_name(twice[1], names)} are in keep and in one "
                'group, of which at most one is selected: keep one, or set per_group="all".'
            )
        torn = np.flatnonzero(self.keep & self.closed(np.zeros_like(self.keep)))
        if torn.size:
            raise ValueError(
                f"{_name(torn[0], names)} is in keep, and exclude names a feature of its group, "
                "which is selected as a whole: take one of the wishes back."
            )


def place_wishes(selector: Any, names: Sequence[str]) -> Wishes:
    """Put the positions of features in the place of their names and patterns.

    For selectors that see columns without names. What contradicts what is said with the names.
    """
    known = np.asarray(names, dtype=object)
    wishes = Wishes.of(selector, known.size, known)
    set_places(selector, wishes, np.arange(known.size))
    return wishes


def set_places(selector: Any, wishes: Wishes, features: Array) -> None:
    """Give a selector that sees some of the features the wishes about these, by position."""
    known = selector.get_params(deep=False)
    for what in ("keep", "exclude"):
        places = np.flatnonzero(getattr(wishes, what)[features]).tolist()
        if what in known:
            selector.set_params(**{what: places or None})
    labels = wishes.labels[features]
    if labels.max(initial=-1) >= 0:
        groups = [np.flatnonzero(labels == label) for label in np.unique(labels[labels >= 0])]
        selector.set_params(groups=[group.tolist() for group in groups])


def feature_mask(given: Any, n_features: int, names: Array | None, what: str) -> Array:
    """Return the mask of features that are given by names, patterns, indices or a mask.

    Examples
    --------
    >>> feature_mask(["MT-*", "b"], 3, np.array(["MT-1", "a", "b"]), "exclude").tolist()
    [True, False, True]
    >>> feature_mask("^(MT-|a)", 3, np.array(["MT-1", "a", "b"]), "exclude").tolist()
    [True, True, False]
    """
    mask = np.zeros(n_features, dtype=bool)
    if given is None:
        return mask
    entries = [given] if isinstance(given, str) else list(given)
    if entries and all(isinstance(entry, bool | np.bool_) for entry in entries):
        if len(entries) != n_features:
            raise ValueError(f"{what} is a mask of {len(entries)} for {n_features} features.")
        return np.asarray(entries, dtype=bool)
    for entry in entries:
        mask[_found(entry, n_features, names, what)] = True
    return mask


def _found(entry: Any, n_features: int, names: Array | None, what: str) -> Array:
    """Return the features that a name, a pattern or an index stands for."""
    if isinstance(entry, bool | np.bool_):
        raise ValueError(f"{what} mixes {entry} with names or indices: give one or the other.")
    if isinstance(entry, Integral):
        if not -n_features <= int(entry) < n_features:
            raise ValueError(f"{what} names feature {entry}, and there are {n_features}.")
        return np.array([int(entry) % n_features])
    if not isinstance(entry, str):
        raise ValueError(f"{what} takes names, patterns, indices or a mask, got {entry!r}.")
    if names is None:
        raise ValueError(f"{what} names {entry!r}, but X has no feature names: give indices.")
    found = np.flatnonzero([name == entry or _fits(name, entry) for name in names])
    if found.size == 0:
        raise ValueError(f"{what} names {entry!r}, and no feature has that name or pattern.")
    return found


def _fits(name: str, pattern: str) -> bool:
    """Return whether a name fits a pattern, which is a regular expression if it begins with ^."""
    if pattern.startswith("^"):
        return re.match(pattern, name) is not None
    return fnmatchcase(name, pattern)


def _labels(groups: Any, n_features: int, names: Array | None) -> Array:
    """Return the number of the group of each feature, from lists of features or from labels."""
    labels = np.full(n_features, -1)
    if groups is None:
        return labels
    entries: Sequence[Any] = list(groups)
    if all(isinstance(entry, Iterable) and not isinstance(entry, str) for entry in entries):
        for number, members in enumerate(entries):
            mask = feature_mask(members, n_features, names, "groups")
            if (labels[mask] >= 0).any():
                raise ValueError("groups overlap: a feature belongs to one group at most.")
            labels[mask] = number
        return labels
    if len(entries) != n_features:
        raise ValueError(
            f"groups has {len(entries)} labels for {n_features} features: give one a feature, None "
            "for those of no group, or lists of features."
        )
    known = {label: number for number, label in enumerate(dict.fromkeys(entries))}
    return np.array([-1 if label is None else known[label] for label in entries])


def _name(feature: int, names: Array | None) -> str:
    return f"feature {feature}" if names is None else repr(str(names[feature]))
