"""What `sparsecone select` does: read, fit, evaluate, write, show."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..datasets import scaled
from ..model_file import Model
from ..selectors.wishes import place_wishes
from .console import say_json
from .evaluation import evaluate
from .explaining import positions, reasons
from .fitting import find_method, fit, make_selector, timed
from .outputs import (
    MODELS,
    PAGES,
    RANKINGS,
    TABLES,
    check_outputs,
    ranking_bytes,
    reduced_bytes,
    write_together,
)
from .report import check_path, image_shape, path_of
from .result import Outcome, result_as_json, show_result
from .select import SelectOptions
from .sizes import numbers_of, sized
from .source import names_of
from .stability import measure_stability
from .streaming import Streaming, is_streamed
from .written import note

if TYPE_CHECKING:
    from ..datasets import Dataset
    from ..selectors.base import Selector


@dataclass(frozen=True, kw_only=True)
class Selecting(SelectOptions):
    """What a call of the command does."""

    parameters: dict[str, Any]

    def run(self) -> None:
        """Do it all; whatever can be checked beforehand is."""
        if self.scheduler is not None and not self.dask:
            raise ValueError("--scheduler names the scheduler of --dask: give both, or neither.")
        if is_streamed(self.source.file, dask=self.dask):
            Streaming(self).run()
            return
        self.check_outputs([self.source.file])
        method = find_method(self.method)
        if self.path is not None:
            check_path(method.name)
        selector = self.selector()
        timings: dict[str, float] = {}
        with timed(timings, "reading"):
            dataset = self.source.load()
            shape = image_shape(self.image, n_features=dataset.X.shape[1])
            asked = positions(self.explain or (), names_of(dataset))
            place_wishes(selector, names_of(dataset))
            X = scaled(dataset.X, self.source.scale.value)
        numbers = self.set_numbers(selector, X.shape[1])
        timings["fit"] = fit(selector, X, title=method.label, threads=self.threads)
        outcome = Outcome(
            name=dataset.name,
            n_samples=X.shape[0],
            names=names_of(dataset),
            timings=timings,
            shape=shape,
            sizes=[sized(selector, number) for number in numbers],
            reasons=reasons(selector, X, names_of(dataset), asked),
        )
        outcome = self._measured(selector, dataset, X, outcome, timings)
        self.show(selector, outcome, files=self._write(selector, dataset, X, outcome))

    def _measured(
        self,
        selector: Selector,
        dataset: Dataset,
        X: Any,
        outcome: Outcome,
        timings: dict[str, float],
    ) -> Outcome:
        """Return the outcome with what else was asked for: classes, subsamples, other weights."""
        method = find_method(self.method)
        if self.source.label is not None:
            with timed(timings, "evaluation"):
                sizes = [size.evaluated(X, dataset.y, name=method.label) for size in outcome.sizes]
                evaluation = (
                    sizes[-1].evaluation
                    if sizes
                    else evaluate(X, dataset.y, selector.selected_, name=method.label)
                )
            outcome = replace(outcome, sizes=sizes, evaluation=evaluation)
        if self.stability is not None:
            with timed(timings, "stability"):
                found = measure_stability(
                    selector, X, n_resamples=self.stability, seed=self.seed, threads=self.threads
                )
            outcome = replace(outcome, stability=found)
        if self.path is not None:
            with timed(timings, "path"):
                path = path_of(
                    selector, X, method=method.name, n_weights=self.path, threads=self.threads
                )
            outcome = replace(outcome, lam_path=path)
        return outcome

    def set_numbers(self, selector: Selector, n_features: int) -> list[int]:
        """Let a fit select the largest of several numbers of features; return all of them."""
        if self.n_features is None or len(self.n_features) < 2:
            return []
        numbers = numbers_of(self.n_features, n_features)
        if "n_features_to_select" not in selector.get_params(deep=False):
            return []
        selector.set_params(n_features_to_select=numbers[-1])
        return numbers

    def selector(self) -> Selector:
        """Return the selector that the options describe."""
        return make_selector(
            find_method(self.method),
            n_features=self.n_features[0] if self.n_features else None,
            given=self.parameters,
            seed=self.seed,
        )

    def show(self, selector: Selector, outcome: Outcome, *, files: Sequence[Path]) -> None:
        """Tell what was found and written, to people or to machines."""
        if self.as_json:
            about = {"method": find_method(self.method).name, "file": str(self.source.file)}
            say_json(about | result_as_json(selector, outcome, files))
        else:
            show_result(selector, outcome, files)

    def check_outputs(self, inputs: Sequence[Path]) -> None:
        """Complain about an output that could not be written, or would replace an input."""
        check_outputs(
            {
                "--out": (self.out, RANKINGS),
                "--save-selected": (self.save_selected, TABLES),
                "--save-model": (self.save_model, MODELS),
                "--report": (self.report, PAGES),
            },
            inputs=inputs,
        )

    def _write(self, selector: Selector, dataset: Dataset, X: Any, outcome: Outcome) -> list[Path]:
        """Write the files asked for, all of them or none."""
        names, evaluation = outcome.names, outcome.evaluation
        chosen = selector.selected_
        id_name = "sample" if self.source.transpose else dataset.id_name or "sample"

        def page() -> None:
            from ..report import write_report

            assert self.report is not None
            write_report(
                self.report,
                selector=selector,
                X=X,
                feature_names=dataset.feature_names,
                title=f"{find_method(self.method).label} on {self.source.file.name}",
                source=f"{self.source.file.name}: {X.shape[0]} samples, {X.shape[1]} features",
                command=shlex.join(["sparsecone", *sys.argv[1:]]),
                preparation=self.source.recipe,
                labels=dataset.y if self.source.label is not None else None,
                evaluation=None if evaluation is None else [astuple(evaluation)],
                image_shape=outcome.shape,
                stability=outcome.stability,
                lam_path=outcome.lam_path,
                timings=outcome.timings,
            )
            note(self.report)

        written = write_together(
            {
                self.out: lambda suffix: ranking_bytes(
                    selector, names, suffix, sizes=outcome.sizes
                ),
                self.save_selected: lambda suffix: reduced_bytes(
                    dataset,
                    chosen,
                    [names[index] for index in chosen],
                    id_name=id_name,
                    suffix=suffix,
                ),
                self.save_model: lambda _: self._model(selector, dataset).to_json().encode(),
            },
            page=None if self.report is None else page,
        )
        return written + ([] if self.report is None else [self.report])

    def _model(self, selector: Selector, dataset: Dataset) -> Model:
        fill = {}
        if self.source.missing == "median" and isinstance(dataset.X, np.ndarray):
            # Filling with the median leaves the median where it was.
            medians = np.median(dataset.X[:, selector.selected_], axis=0)
            fill = dict(zip(selector.selected_.tolist(), medians.tolist(), strict=True))
        return Model.of(
            selector,
            feature_names=dataset.feature_names,
            preparation=self.source.preparation | {"id": dataset.id_name},
            fill=fill,
        )
