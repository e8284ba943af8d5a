"""Fitted selectors in files: plain JSON, which runs no code when it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from os import PathLike
from pathlib import Path
from types import NoneType
from typing import Any, Self

import numpy as np

from . import __version__
from .charts.box import box, heads, table_row
from .files.whole_file import whole_file
from .linalg.types import Array
from .registry import METHODS, Method, methods
from .selectors.base import Selector

FORMAT = "sparsecone-model"
VERSION = 1
# Features in the table of a notebook.
MOST_SHOWN = 10
# Parameters that say how to report on a fit, not what to fit.
_LEFT_OUT = {"callback", "verbose"}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Model:
    """A fitted selector as it is kept in a file.

    Attributes
    ----------
    method : str
        Name of the method, as in `sparsecone.methods()`; module:Class of one of your own, which
        is loaded only where it is installed or registered.
    parameters : dict
        Parameters of the selector.
    scores : list of float or None
        The score of every feature; None for one that has no score and ranks last.
    ranking : list of int
        The rank of every feature, which need not be that of its score; 1 is best.
    n_selected : int
        How many of the first features are selected.
    feature_names : list of str or None
        Names of the features; None where they are known by position only.
    preparation : dict
        What was done to the data before the fit, for the record.
    fill : dict of str to float
        What takes the place of a missing value, by the index of the feature as text.
    certificate : dict or None
        Status, value, bound and gap of the fit, where it has them.
    """

    method: str
    parameters: dict[str, Any]
    scores: list[float | None]
    ranking: list[int]
    n_selected: int
    feature_names: list[str] | None = None
    preparation: dict[str, Any]
    fill: dict[str, float]
    certificate: dict[str, Any] | None = None

    def __repr__(self) -> str:
        proven = "" if self.certificate is None else f", {self.certificate['status']}"
        return f"Model({self.method}: {self.n_selected} of {len(self.scores)} features{proven})"

    def _repr_html_(self) -> str:
        rows = [heads("rank", "feature", "score")]
        for feature in np.argsort(self.ranking)[: min(self.n_selected, MOST_SHOWN)].tolist():
            name = str(feature) if self.feature_names is None else self.feature_names[feature]
            score = self.scores[feature]
            rows.append(
                table_row(
                    str(self.ranking[feature]), name, "none" if score is None else f"{score:.4g}"
                )
            )
        return box("Model", repr(self), rows)

    @classmethod
    def of(
        cls,
        selector: Selector,
        *,
        feature_names: Sequence[str] | None = None,
        preparation: Mapping[str, Any] | None = None,
        fill: Mapping[int, float] | None = None,
    ) -> Self:
        """Return what is worth keeping of a fitted selector.

        Examples
        --------
        >>> from sparsecone import MaxVariance
        >>> model = Model.of(MaxVariance(n_features_to_select=1).fit([[1.0, 2.0], [3.0, 5.0]]))
        >>> model.selector().selected_
        array([1])
        """
        given = selector.get_params(deep=False)
        return cls(
            method=_name_of(type(selector)),
            parameters={
                name: value.tolist() if isinstance(value, np.ndarray) else value
                for name, value in given.items()
                if name not in _LEFT_OUT
            },
            scores=finite_or_none(selector.scores_),
            ranking=selector.ranking_.tolist(),
            n_selected=int(selector.selected_.size),
            feature_names=None if feature_names is None else list(feature_names),
            preparation=dict(preparation or {}),
            fill={str(index): float(value) for index, value in (fill or {}).items()},
            certificate=certificate_of(selector),
        )

    def selector(self) -> Selector:
        """Return the fitted selector; it selects and transforms, but has no `solution_`."""
        selector = _method(self.method).selector(**self.parameters)
        selector.n_features_in_ = len(self.scores)
        if self.feature_names is not None:
            selector.feature_names_in_ = np.asarray(self.feature_names, dtype=object)
        scores = [-np.inf if score is None else score for score in self.scores]
        return selector._cut(
            np.asarray(scores, dtype=np.float64), np.argsort(self.ranking), self.n_selected
        )

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model; the file appears whole or not at all."""
        with whole_file(path) as draft:
            draft.write_text(self.to_json(), encoding="utf-8")

    def to_json(self) -> str:
        """Return the text of the file."""
        head = {"format": FORMAT, "version": VERSION, "sparsecone": __version__}
        return json.dumps(head | asdict(self), allow_nan=False)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a model, or say why the file holds none."""
        file = Path(path)
        if not file.exists():
            raise FileNotFoundError(f"There is no file '{path}': check its name and folder.")
        try:
            if not file.is_file():
                raise ValueError("it is no regular file but a folder, a device or a pipe")
            return cls._from(json.loads(file.read_text(encoding="utf-8")))
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise ValueError(
                f"'{path}' holds no model ({reason}). Make one with sparsecone select FILE "
                "--save-model model.json."
            ) from error

    @classmethod
    def _from(cls, contents: Any) -> Self:
        if not isinstance(contents, dict) or contents.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        if contents.get("version") != VERSION:
            raise ValueError(f"its version is {contents.get('version')!r}, {VERSION} is known here")
        model = cls(**{name: contents[name] for name in cls.__dataclass_fields__})
        model._check_types()
        names = model.feature_names
        if names is not None and len(names) != len(model.scores):
            raise ValueError(f"{len(names)} names for {len(model.scores)} scores")
        n_features = len(model.scores)
        if sorted(model.ranking) != list(range(1, n_features + 1)):
            raise ValueError(f"its ranking is none of {n_features} features")
        if not 1 <= model.n_selected <= n_features:
            raise ValueError(f"it selects {model.n_selected} of {n_features} features")
        model.selector()
        return model

    def _check_types(self) -> None:
        """Complain about the first part that is not what it should be."""
        for name, is_right in {
            "method": isinstance(self.method, str),
            "parameters": _is_table(self.parameters, object),
            "scores": _is_list(self.scores, (float, int, NoneType)),
            "ranking": _is_list(self.ranking, int),
            "n_selected": isinstance(self.n_selected, int),
            "feature_names": self.feature_names is None or _is_list(self.feature_names, str),
            "preparation": _is_table(self.preparation, object),
            "fill": _is_table(self.fill, (float, int)),
            "certificate": self.certificate is None or _is_table(self.certificate, object),
        }.items():
            if not is_right:
                raise ValueError(f"its {name} are not of the right type")


def _is_list(value: Any, kind: Any) -> bool:
    """Whether a value is a list of one kind; true and false are no numbers."""
    return isinstance(value, list) and all(
        isinstance(entry, kind) and not isinstance(entry, bool) for entry in value
    )


def _is_table(value: Any, kind: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(entry, kind) for entry in value.values())


def finite_or_none(values: Array) -> list[float | None]:
    """Return numbers with None for those that are no numbers, which JSON does not have."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


def certificate_of(selector: Selector) -> dict[str, Any] | None:
    """Return the certificate of a fit, or None where the method gives none."""
    solution = getattr(selector, "solution_", None)
    if solution is None:
        return None
    return {
        "status": str(solution.status),
        "value": float(solution.value),
        "bound": float(solution.bound),
        "gap": float(solution.gap),
        "solver": solution.solver,
        "n_iter": int(solution.n_iter),
        "seconds": float(solution.elapsed),
        "phases": {name: float(seconds) for name, seconds in solution.phases.items()},
    }


def _name_of(kind: type[Selector]) -> str:
    """Return the name of the method of a class, the import path for one that is not ours."""
    found = next((method for method in methods() if method.selector is kind), None)
    if found is None:
        raise ValueError(
            f"{kind.__name__} is no method that a model file may name: call "
            "sparsecone.register first."
        )
    return found.name if found in METHODS else found.location


def _method(name: str) -> Method:
    """Return a method by what a model file calls it; nothing is imported but what is known."""
    for method in methods():
        if name == (method.name if method in METHODS else method.location):
            return method
    if ":" in str(name):
        raise ValueError(f"it names the method {name!r}, which is not installed here")
    raise ValueError("it names no method of this library")
