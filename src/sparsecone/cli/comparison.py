"""What several selections of one data set are worth."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ..datasets import scaled
from ..files.wanted import split_names
from ..metrics import reconstruction_error, redundancy
from .compare import USUAL, CompareOptions
from .console import remark, say, say_json, show_table
from .evaluation import evaluate
from .fitting import find_method, fit, make_selector
from .outputs import PAGES, RANKINGS, check_outputs, columns_bytes, dense, write_together

if TYPE_CHECKING:
    from ..registry import Method
    from ..selectors.base import Selector


@dataclass(frozen=True, kw_only=True)
class MethodRow:
    """One method: what its selection is worth, or why there is none; shares are in percent."""

    method: str
    n_selected: int | None = None
    explained: float | None = None
    redundancy: float | None = None
    overlap: float | None = None
    seconds: float | None = None
    acc: float | None = None
    acc_std: float | None = None
    nmi: float | None = None
    failure: str | None = None


class Comparing(CompareOptions):
    """What a call of the command does."""

    @cached_property
    def found(self) -> list[Method]:
        """The methods that are compared."""
        names = USUAL if self.methods is None else split_names(self.methods)
        return [find_method(name) for name in dict.fromkeys(names)]

    def run(self) -> bool:
        """Compare, write and show; return whether every method has done its work."""
        if not self.found:
            raise ValueError("--methods names none: give some, such as spca-psd,max-variance.")
        outputs = {"--out": (self.out, RANKINGS), "--report": (self.report, PAGES)}
        check_outputs(outputs, inputs=[self.source.file])
        dataset = self.source.load()
        X = scaled(dataset.X, self.source.scale.value)
        rows, fitted = compare_methods(
            self.found,
            X,
            None if self.source.label is None else dataset.y,
            n_features=self.n_features,
            seed=self.seed,
            threads=self.threads,
        )
        page = None
        if self.report is not None and any(selector is not None for selector in fitted):
            from ..report import write_comparison

            content = self._content(rows, fitted)
            page = partial(
                write_comparison, self.report, X=X, feature_names=dataset.feature_names, **content
            )
        columns = {
            field.name: [getattr(row, field.name) for row in rows] for field in fields(MethodRow)
        }
        written = write_together(
            {self.out: lambda suffix: columns_bytes(columns, suffix)}, page=page
        )
        written += [] if page is None or self.report is None else [self.report]
        if self.as_json:
            say_json([vars(row) for row in rows])
        else:
            counts = dict.fromkeys(row.n_selected for row in rows if row.n_selected is not None)
            n_selected = " or ".join(map(str, counts)) or "none"
            n_samples, width = dataset.X.shape
            caption = f"{dataset.name}: {n_samples} samples, {n_selected} of {width} features"
            show_comparison(caption, rows)
            if written:
                say(f"Written: {', '.join(map(str, written))}")
        return all(row.failure is None for row in rows)

    def _content(
        self, rows: Sequence[MethodRow], fitted: Sequence[Selector | None]
    ) -> dict[str, Any]:
        """Return what the page tells beside the data."""
        labels = {method.name: method.label for method in self.found}
        return {
            "selectors": {
                labels[row.method]: selector
                for row, selector in zip(rows, fitted, strict=True)
                if selector is not None
            },
            "title": f"Methods on {self.source.file.name}",
            "source": self.source.file.name,
            "command": shlex.join(["sparsecone", *sys.argv[1:]]),
            "preparation": self.source.recipe,
            "seconds": {labels[row.method]: row.seconds for row in rows if row.seconds is not None},
            "evaluation": {
                labels[row.method]: (row.acc, row.acc_std, row.nmi)
                for row in rows
                if row.acc is not None
            },
            "failures": {
                labels[row.method]: row.failure for row in rows if row.failure is not None
            },
        }


def compare_methods(
    methods: Sequence[Method], X: Any, y: Any, *, n_features: str | None, seed: int, threads: int
) -> tuple[list[MethodRow], list[Selector | None]]:
    """Return a row a method, and the fitted selectors."""
    selectors = [
        make_selector(method, n_features=n_features, given={}, seed=seed) for method in methods
    ]
    for selector in selectors:
        # What no method could do is an error of the call, not of a method.
        if isinstance(selector.n_features_to_select, int | float | None):
            selector._n_selected(X.shape[1])
    rows: list[MethodRow] = []
    fitted: list[Selector | None] = []
    first: set[int] = set()
    for method, selector in zip(methods, selectors, strict=True):
        try:
            seconds = fit(selector, X, title=method.label, threads=threads)
        except (ValueError, TypeError) as error:
            rows.append(MethodRow(method=method.name, failure=str(error).splitlines()[0]))
            fitted.append(None)
            continue
        first = first or set(selector.selected_.tolist())
        rows.append(_worth(method, selector, X, y, seconds=seconds, first=first))
        fitted.append(selector)
    return rows, fitted


def _worth(
    method: Method, selector: Selector, X: Any, y: Any, *, seconds: float, first: set[int]
) -> MethodRow:
    selected = selector.selected_
    score = None if y is None else evaluate(X, y, selected, name=method.label)
    common = first & set(selected.tolist())
    return MethodRow(
        method=method.name,
        n_selected=selected.size,
        explained=100.0 * (1.0 - reconstruction_error(X, selected)),
        redundancy=100.0 * redundancy(dense(X[:, selected]), range(selected.size)),
        overlap=100.0 * len(common) / min(len(first), selected.size),
        seconds=seconds,
        acc=None if score is None else score.acc,
        acc_std=None if score is None else score.acc_std,
        nmi=None if score is None else score.nmi,
    )


def show_comparison(caption: str, rows: Sequence[MethodRow]) -> None:
    """Print the rows as a table, and below it why a method failed."""
    numbers = ["explained", "redundancy", "overlap", "seconds"]
    if any(row.acc is not None for row in rows):
        numbers += ["ACC", "NMI"]
    body = [[row.method, *(_cell(row, column) for column in numbers)] for row in rows]
    say(f"{caption}.")
    show_table("Shares in percent", ["method", *numbers], body, numbers=numbers)
    for row in rows:
        if row.failure is not None:
            remark(f"{row.method}: {row.failure}", style="red")


def _cell(row: MethodRow, column: str) -> str:
    """Return what stands in a column of the table."""
    if row.failure is not None:
        return "failed" if column == "explained" else ""
    if column == "seconds":
        return f"{row.seconds:.2f}"
    if column == "ACC":
        return f"{row.acc:.1f} ± {row.acc_std:.1f}"
    return f"{getattr(row, column.lower()):.1f}"
