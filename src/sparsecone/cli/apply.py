"""`sparsecone apply`: the selected columns of another file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import options
from .console import say, say_json
from .options import AsJson, DataFile, Id, Transpose, output_file

ModelFile = Annotated[
    Path,
    typer.Argument(metavar="MODEL", help="A file that select --save-model wrote.", readable=False),
]
Out = Annotated[
    Path, output_file("--out", "-o", help="The selected columns: .csv, .tsv or .parquet.")
]


def apply(
    model: ModelFile,
    file: DataFile,
    out: Out,
    id_column: Id = None,
    transpose: Transpose = False,
    gap: options.Gap = None,
    delimiter: options.Delimiter = None,
    decimal: options.DecimalSign = None,
    encoding: options.Encoding = None,
    max_memory: options.MaxMemory = None,
    max_seconds: options.MaxSeconds = None,
    as_json: AsJson = False,
) -> None:
    """Write the columns that a model selected from another file.

    Columns are found by name where both have names, else by position. The names of the rows come
    along, from the column that had them in the fit, or --id. Gaps are treated as they were in the
    fit: an error, rows left out, or filled with the medians of the model.
    """
    from ..model_file import Model
    from .applying import selected_columns
    from .outputs import TABLES, check_outputs, reduced_bytes, write_together
    from .source import delimiter_of, limits_of

    check_outputs({"--out": (out, TABLES)}, inputs=[model, file])
    dataset, names = selected_columns(
        Model.load(model),
        file,
        sample_names=id_column,
        transpose=transpose,
        gaps=gap or (),
        delimiter=delimiter_of(delimiter),
        decimal=decimal and decimal.value,
        encoding=encoding,
        **limits_of(file, max_memory, max_seconds),
    )
    id_name = "sample" if transpose else dataset.id_name or "sample"
    write_together(
        {
            out: lambda suffix: reduced_bytes(
                dataset, range(len(names)), names, id_name=id_name, suffix=suffix
            )
        }
    )
    n_samples = dataset.X.shape[0]
    if as_json:
        say_json({"n_samples": n_samples, "features": names, "files": [str(out)]})
    else:
        say(f"{n_samples} samples, {len(names)} features. Written: {out}")
