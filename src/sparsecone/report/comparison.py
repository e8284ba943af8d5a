"""The report of a comparison: methods side by side in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from ..charts.names import shortened
from ..files.whole_file import whole_file
from ..selectors.base import Selector
from .details import details_of, recipe_of_all
from .inputs import inputs_of
from .methods import Compared
from .rendering import render


def write_comparison(
    path: str | PathLike[str],
    *,
    selectors: Mapping[str, Selector],
    X: Any,
    feature_names: Sequence[str] | None = None,
    title: str,
    source: str | None = None,
    command: str | None = None,
    preparation: str | None = None,
    seconds: Mapping[str, float] | None = None,
    evaluation: Mapping[str, tuple[float, float, float]] | None = None,
    failures: Mapping[str, str] | None = None,
) -> None:
    """Write a comparison of fitted selectors as one HTML file that needs nothing else.

    It shows what the first features of every method explain, for every number of them, how far the
    selections overlap, and which method has which feature.

    Parameters
    ----------
    path : str or path-like
        The file; it appears whole or not at all.
    selectors : mapping of str to Selector
        The names of the methods and their selectors, fitted on the same data.
    X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
        The data they were fitted on.
    feature_names, title, source, command, preparation
        See :func:`~sparsecone.report.write_report`.
    seconds : mapping of str to float, optional
        How long each fit took.
    evaluation : mapping of str to tuple, optional
        Mean accuracy, its standard deviation and mean NMI by clustering, in percent.
    failures : mapping of str to str, optional
        Why a method has no selection.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone import SPCAPSD, MaxVariance
    >>> X, y = load_iris(return_X_y=True)
    >>> both = {m.__name__: m(n_features_to_select=2).fit(X) for m in (SPCAPSD, MaxVariance)}
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "comparison.html"
    ...     write_comparison(file, selectors=both, X=X, title="Iris")
    ...     file.stat().st_size < 100_000
    True
    """
    if not selectors:
        raise ValueError("There is no selector to compare: give one at least.")
    named = {shortened(str(name), 40): selector for name, selector in selectors.items()}
    given = {"feature_names": feature_names, "title": title, "source": source, "command": command}
    given["preparation"] = preparation
    checked = [inputs_of({**given, "selector": one, "X": X}) for one in named.values()]
    inputs = checked[0]
    compared = Compared(inputs, named, dict(seconds or {}), dict(evaluation or {}))
    text = render(
        "compare.html.j2",
        ("tips.js", "cut.js", "table.js", "compare.js"),
        inputs=inputs,
        compared=compared,
        figures=compared.figures(),
        curves=compared.curves(),
        data=compared.as_json(),
        failures=failures or {},
        details=details_of(inputs),
        recipe=recipe_of_all(dict(zip(named, checked, strict=True))),
    )
    with whole_file(path) as draft:
        draft.write_text(text, encoding="utf-8", errors="replace", newline="\n")
