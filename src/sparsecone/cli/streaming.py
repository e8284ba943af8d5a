"""`select` on Parquet files larger than memory: streamed, or read by the workers of Dask."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..data import connected, from_blocks, on_dask
from ..data.parquet import ParquetFiles
from ..files.csv_text import check_unique
from ..files.dataset import DataFileError, listed, shown
from ..files.ids import is_name_of_ids
from ..files.wanted import Wanted
from ..model_file import Model
from .console import remark
from .fitting import find_method, fit, warnings_as_remarks
from .outputs import ranking_bytes, write_together
from .report import MODELS, image_shape
from .result import Outcome
from .sizes import sized

if TYPE_CHECKING:
    from .selecting import Selecting

WILDCARDS = "*?["


def is_streamed(file: Path, *, dask: bool) -> bool:
    """Tell a pattern, or a folder of Parquet files, from a file that is read into memory."""
    if dask:
        return True
    if file.is_dir():
        return any(file.rglob("*.parquet"))
    return any(sign in str(file) for sign in WILDCARDS) and not file.exists()


@dataclass(frozen=True)
class Streaming:
    """One call of the command on files that stay where they are."""

    call: Selecting

    def run(self) -> None:
        """Do it all; whatever can be checked beforehand is."""
        call = self.call
        self._check_options()
        files = self._files()
        call.check_outputs([Path(path) for path in files.paths])
        shape = image_shape(call.image, n_features=len(files.columns))
        selector, title = call.selector(), find_method(call.method).label
        numbers = call.set_numbers(selector, len(files.columns))
        blocks = from_blocks(str(call.source.file), columns=files.columns)
        if call.dask:
            with warnings_as_remarks(), connected(call.scheduler):
                seconds = fit(selector, on_dask(blocks), title=title, threads=call.threads)
        else:
            seconds = fit(selector, blocks, title=title, threads=call.threads)
        outcome = Outcome(
            name=str(call.source.file),
            n_samples=files.n_rows(),
            names=files.columns,
            timings={"reading and fit": seconds},
            shape=shape,
            sizes=[sized(selector, number) for number in numbers],
        )
        model = Model.of(selector, feature_names=files.columns, preparation=call.source.preparation)
        written = write_together(
            {
                call.out: lambda suffix: ranking_bytes(
                    selector, files.columns, suffix, sizes=outcome.sizes
                ),
                call.save_model: lambda _: model.to_json().encode(),
            }
        )
        call.show(selector, outcome, files=written)

    def _check_options(self) -> None:
        """Refuse what needs the rows in memory."""
        call, source = self.call, self.call.source
        method = find_method(call.method).name
        if method not in MODELS:
            raise ValueError(
                f"--method {method} needs its rows in memory, and '{source.file}' is streamed: "
                f"take {', '.join(MODELS)}, or give one file without --dask."
            )
        asked = {
            "--save-selected": call.save_selected is not None,
            "--report": call.report is not None,
            "--stability": call.stability is not None,
            "--path": call.path is not None,
            "--explain": bool(call.explain),
            "--scale": source.scale != "none",
            "--missing": source.missing != "error",
            "--transpose": source.transpose,
            "--delimiter": source.delimiter is not None,
            "--decimal": source.decimal is not None,
            "--encoding": source.encoding is not None,
            "--gap": bool(source.gap),
        }
        for option, is_asked in asked.items():
            if is_asked:
                raise ValueError(
                    f"{option} needs a file that is read into memory, and '{source.file}' is "
                    "streamed: leave it out, or give one file without --dask."
                )

    def _files(self) -> ParquetFiles:
        """Return the files with the columns that are features."""
        source = self.call.source
        opened = from_blocks(str(source.file)).source
        if not isinstance(opened, ParquetFiles):
            raise ValueError(f"--dask reads Parquet files, not '{source.file}'.")
        path = Path(opened.paths[0])
        features = self._features(path, opened.columns)
        files = replace(opened, columns=tuple(features))
        unfit = files.unfit()
        if source.drop_text and len(unfit) < len(features):
            remark(f"Left out, because they are no numbers: {listed(unfit)}.")
            return replace(files, columns=tuple(name for name in features if name not in unfit))
        if unfit:
            name, kind = next(iter(unfit.items()))
            rest = f", nor in {listed(list(unfit)[1:])}" if len(unfit) > 1 else ""
            raise DataFileError(
                path,
                f"has no numbers in column {shown(name)} but {kind}{rest}",
                remedy=f"Leave it out with --drop {shown(name)}, or all such columns with "
                "--drop-text",
            )
        return files

    def _features(self, path: Path, names: Sequence[str]) -> list[str]:
        """Return the columns that are neither dropped nor classes nor names of rows."""
        source = self.call.source
        check_unique(path, list(names))
        wanted = Wanted(
            path=path,
            label=source.label,
            find_label=not source.no_label,
            sample_names=source.id_column,
            drop=tuple(source.drop or ()),
        )
        left_out = {*wanted.dropped(names), wanted.id_among(names)}
        rest = [name for name in names if name not in left_out]
        label = wanted.label_among(rest)
        if not source.no_id:
            ids = [name for name in rest if name != label and is_name_of_ids(name)]
            rest = [name for name in rest if name not in ids]
            if ids:
                remark(
                    f"{listed(ids)} {'are' if len(ids) > 1 else 'is'} taken for the names of the "
                    "rows and left out of the features: --no-id says otherwise."
                )
        if label is not None:
            remark(
                f"{shown(label)} is left out of the features and not used: k-means needs the rows "
                "in memory."
                if source.label is not None
                else f"{shown(label)} is taken for the classes and left out of the features: "
                "--no-label makes it a feature."
            )
        features = [name for name in rest if name != label]
        if not features:
            raise DataFileError(path, "has no feature left", remedy="Drop fewer columns")
        return features
