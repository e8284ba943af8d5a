"""`sparsecone demo`: the main job on data that come with scikit-learn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from .console import say

METHODS = ("spca-psd", "max-variance", "random")
N_FEATURES = 16
SHAPE = (8, 8)
Report = Annotated[
    Path, typer.Option("--report", help="Where to write the page: .html.", readable=False)
]


def demo(report: Report = Path("sparsecone-demo.html")) -> None:
    """Select 16 of the 64 pixels of handwritten digits, against chance and highest variance."""
    from sklearn.datasets import load_digits

    from ..report import write_report
    from .comparison import compare_methods, show_comparison
    from .fitting import find_method
    from .outputs import PAGES, check_outputs
    from .result import certificate_sentence, show_picture

    check_outputs({"--report": (report, PAGES)}, inputs=[])
    X, y = load_digits(return_X_y=True)
    methods = [find_method(name) for name in METHODS]
    rows, selectors = compare_methods(methods, X, y, n_features=str(N_FEATURES), seed=0, threads=1)
    source = f"Handwritten digits: {X.shape[0]} samples, {X.shape[1]} pixels, {N_FEATURES} selected"
    show_comparison(source, rows)
    best = selectors[0]
    assert best is not None
    show_picture(best.support_.reshape(SHAPE))
    say(f"{methods[0].label}: {certificate_sentence(best)}")
    figures: list[Any] = [
        (method.label, row.acc, row.acc_std, row.nmi)
        for method, row in zip(methods, rows, strict=True)
    ]
    write_report(
        report,
        selector=best,
        X=X,
        title="Handwritten digits",
        source=source,
        command="sparsecone demo",
        preparation="from sklearn.datasets import load_digits\nX = load_digits().data",
        labels=y,
        evaluation=figures,
        image_shape=SHAPE,
        timings={"fit": rows[0].seconds or 0.0},
    )
    say(f"Written: {report}")
