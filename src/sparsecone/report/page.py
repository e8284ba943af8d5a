"""The report of a selection: all sections in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ..files.whole_file import whole_file
from ..selectors.base import Selector
from .choice import choice_of
from .details import details_of
from .features import MOST_ROWS, features_json
from .inputs import inputs_of
from .location import location_of
from .preview import preview_of
from .proof import proof_of
from .relations import relations_of
from .rendering import render
from .steadiness import steadiness_of
from .summary import summary_of
from .weights import weights_of

if TYPE_CHECKING:
    from ..path import Path
    from ..stability import Stability


def write_report(
    path: str | PathLike[str],
    *,
    selector: Selector,
    X: Any,
    feature_names: Sequence[str] | None = None,
    title: str,
    source: str | None = None,
    command: str | None = None,
    preparation: str | None = None,
    labels: ArrayLike | None = None,
    evaluation: Sequence[tuple[str, float, float, float]] | None = None,
    image_shape: tuple[int, int] | None = None,
    stability: Stability | None = None,
    lam_path: Path | None = None,
    timings: Mapping[str, float] | None = None,
) -> None:
    """Write the report of a selection as one HTML file that needs nothing else.

    Parameters
    ----------
    path : str or path-like
        The file; it appears whole or not at all.
    selector : Selector
        Any fitted selector of this library.
    X : array-like, DataFrame or SciPy sparse matrix of shape (n_samples, n_features)
        The data it was fitted on.
    feature_names : sequence of str, optional
        Names of the features; they may contain anything. By default those of a table, or those seen
        in the fit, where there are any.
    title : str
        The heading.
    source : str, optional
        Where the data are from, in words: "genes.csv, 72 samples with 7,129 features".
    command : str, optional
        The command that repeats the run.
    preparation : str, optional
        Lines of Python that make X, such as those that read, fill and scale it: they complete the
        recipe in the report.
    labels : array-like of shape (n_samples,), optional
        Classes of the samples; used for the colours of the preview only.
    evaluation : sequence of tuple, optional
        Rows of name, mean accuracy, its standard deviation and mean NMI, all in percent.
    image_shape : tuple of int, optional
        Rows and columns of the images whose pixels, row by row, are the features.
    stability : Stability, optional
        How far the selection is the same on subsamples; its `frequencies` and `kuncheva` are used.
    lam_path : Path, optional
        Solutions over a grid of lam, from `spca_psd_path`, to be shown too.
    timings : mapping of str to float, optional
        Seconds of each phase.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from sparsecone import SPCAPSD
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = SPCAPSD(n_features_to_select=2).fit(X)
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "report.html"
    ...     write_report(file, selector=selector, X=X, title="Iris", labels=y)
    ...     file.stat().st_size < 100_000
    True
    """
    text = render_report(
        selector=selector,
        X=X,
        feature_names=feature_names,
        title=title,
        source=source,
        command=command,
        preparation=preparation,
        labels=labels,
        evaluation=evaluation,
        image_shape=image_shape,
        stability=stability,
        lam_path=lam_path,
        timings=timings,
    )
    with whole_file(path) as draft:
        # What is no valid text, such as half of a surrogate pair in a command, is replaced.
        draft.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def render_report(**content: Any) -> str:
    """Return the report as text; the parameters are those of `write_report` without `path`."""
    inputs = inputs_of(content)
    return render(
        "report.html.j2",
        ("tips.js", "cut.js", "table.js", "report.js"),
        inputs=inputs,
        data=features_json(inputs),
        summary=summary_of(inputs),
        choice=choice_of(inputs),
        relations=relations_of(inputs),
        location=location_of(inputs),
        preview=preview_of(inputs),
        steadiness=steadiness_of(inputs),
        weights=weights_of(inputs),
        proof=proof_of(inputs),
        details=details_of(inputs),
        n_listed=min(inputs.n_features, MOST_ROWS),
        n_known=inputs.cuts.order.size,
    )
