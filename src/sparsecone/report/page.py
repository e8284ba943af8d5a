"""The page: all sections in one file. The only file of the report that needs jinja2."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from os import PathLike
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ..files.whole_file import whole_file
from ..optional import require
from ..selectors.base import Selector
from .details import details_of
from .inputs import Inputs, as_matrix
from .location import location_of
from .preview import preview_of
from .proof import proof_of
from .relations import relations_of
from .scores import scores_of
from .steadiness import steadiness_of
from .summary import summary_of

if TYPE_CHECKING:
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
    labels: ArrayLike | None = None,
    evaluation: Sequence[tuple[str, float, float, float]] | None = None,
    image_shape: tuple[int, int] | None = None,
    stability: Stability | None = None,
    timings: Mapping[str, float] | None = None,
) -> None:
    """Write the report of a selection as one HTML file that needs nothing else.

    Parameters
    ----------
    path : str or path-like
        The file; it appears whole or not at all.
    selector : Selector
        Any fitted selector of this library.
    X : array-like or SciPy sparse matrix of shape (n_samples, n_features)
        The data it was fitted on.
    feature_names : sequence of str, optional
        Names of the features; they may contain anything.
    title : str
        The heading.
    source : str, optional
        Where the data are from, in words: "genes.csv, 72 samples with 7,129 features".
    command : str, optional
        The command that repeats the run.
    labels : array-like of shape (n_samples,), optional
        Classes of the samples; used for the colours of the preview only.
    evaluation : sequence of tuple, optional
        Rows of name, mean accuracy, its standard deviation and mean NMI, all in percent.
    image_shape : tuple of int, optional
        Rows and columns of the images whose pixels, row by row, are the features.
    stability : Stability, optional
        How far the selection is the same on subsamples; its `frequencies` and `kuncheva` are used.
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
        labels=labels,
        evaluation=evaluation,
        image_shape=image_shape,
        stability=stability,
        timings=timings,
    )
    with whole_file(path) as draft:
        # What is no valid text, such as half of a surrogate pair in a command, is replaced.
        draft.write_text(text, encoding="utf-8", errors="replace", newline="\n")


def render_report(**content: Any) -> str:
    """Return the report as text; the parameters are those of `write_report` without `path`."""
    inputs = Inputs(**content | {"X": as_matrix(content["X"])})
    jinja2 = require("jinja2", purpose="The report", extra="cli")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__ or "", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    folder = files(__package__ or "") / "templates"
    script = (folder / "report.js").read_text(encoding="utf-8")
    page: str = environment.get_template("report.html.j2").render(
        inputs=inputs,
        style=(folder / "report.css").read_text(encoding="utf-8"),
        script=script,
        script_hash=_hash(script),
        summary=summary_of(inputs),
        scores=scores_of(inputs),
        proof=proof_of(inputs),
        relations=relations_of(inputs),
        location=location_of(inputs),
        preview=preview_of(inputs),
        steadiness=steadiness_of(inputs),
        details=details_of(inputs),
    )
    return page


def _hash(script: str) -> str:
    """Return what the page's security policy calls the one script that may run."""
    digest = hashlib.sha256(script.encode()).digest()
    return "sha256-" + base64.b64encode(digest).decode()
