"""`sparsecone select`: rank the features of a file and write down the best."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from . import options
from .options import file_option, method_option, output_file, output_option
from .source import FileOptions

# What options take that have few values.
Selection = StrEnum("Selection", ["DIVERSE", "EXPLAINED", "SCORES", "BOTH"])
CountsKind = StrEnum("CountsKind", ["LOG", "RAW"])
Rule = StrEnum("Rule", ["ONE", "ALL"])
Units = StrEnum("Units", ["RELATIVE", "ABSOLUTE"])


def complete_method(beginning: str) -> list[str]:
    """Return the methods that begin so, for the shell."""
    from ..registry import methods

    return [method.name for method in methods() if method.name.startswith(beginning)]


@dataclass(frozen=True, kw_only=True)
class SelectOptions:
    """One call of the command; the fields are its options."""

    method: Annotated[
        str,
        method_option(
            "--method",
            "-m",
            help="One of those that sparsecone methods lists.",
            autocompletion=complete_method,
        ),
    ] = "spca-psd"
    n_features: Annotated[
        list[str] | None,
        method_option(
            "--n-features",
            "-k",
            help="How many features: a number, a fraction such as 0.1 (default: half), or auto "
            "where the method can tell how many are enough. Repeated: several selections from one "
            "fit; files hold the largest.",
        ),
    ] = None
    lam: Annotated[
        str | None, method_option("--lam", help="Weight of the sparsity, a number or auto.")
    ] = None
    eta: Annotated[
        str | None, method_option("--eta", help="Weight of the trace, a number, auto or paper.")
    ] = None
    selection: Annotated[
        Selection | None,
        method_option(
            "--selection",
            help="Features that matter and do not repeat each other, those that explain most of "
            "the variance, the highest scores, or the first and the last in turn.",
        ),
    ] = None
    keep: Annotated[
        list[str] | None,
        method_option(
            "--keep", help="Features to select in any case: a,b or 'gene-*'; repeatable."
        ),
    ] = None
    exclude: Annotated[
        list[str] | None,
        method_option("--exclude", help="Features never to select: a,b or 'MT-*'; repeatable."),
    ] = None
    group: Annotated[
        list[str] | None,
        method_option("--group", help="Features of which one is selected: a,b,c; repeatable."),
    ] = None
    per_group: Annotated[
        Rule | None, method_option("--per-group", help="One of each group, or all or none of it.")
    ] = None
    units: Annotated[Units | None, method_option("--units", help="Units of lam and eta.")] = None
    solver: Annotated[
        str | None, method_option("--solver", help="auto, factored, admm or published.")
    ] = None
    tol: Annotated[str | None, method_option("--tol", help="Gap to reach, such as 1e-4.")] = None
    max_time: Annotated[
        float | None, method_option("--max-time", help="Seconds after which to stop.")
    ] = None
    settings: Annotated[
        list[str] | None,
        method_option("--set", help="Any other parameter of the method: name=value; repeatable."),
    ] = None
    seed: options.Seed = 0
    threads: options.Threads = 1
    source: FileOptions
    layer: Annotated[
        str | None, file_option("--layer", help="The layer of a .h5ad file to take instead of X.")
    ] = None
    batch: Annotated[
        str | None,
        file_option("--batch", help="The column of obs with batches, ranked one by one (.h5ad)."),
    ] = None
    counts: Annotated[
        CountsKind | None,
        file_option("--counts", help="Whether a .h5ad file has logarithms or raw counts."),
    ] = None
    dask: Annotated[
        bool,
        file_option(
            "--dask",
            help="Read Parquet files on the workers of a Dask cluster, a local one by default.",
        ),
    ] = False
    scheduler: Annotated[
        str | None,
        file_option(
            "--scheduler",
            metavar="ADDRESS",
            help="The scheduler of that cluster, such as tcp://host:8786.",
        ),
    ] = None
    out: Annotated[
        Path | None,
        output_file(
            "--out",
            "-o",
            help="The ranking of all features: .csv, .tsv, .parquet or .json; or marks in a .h5ad.",
        ),
    ] = None
    save_selected: Annotated[
        Path | None,
        output_file(
            "--save-selected", help="The selected columns, unscaled: .csv, .tsv or .parquet."
        ),
    ] = None
    save_model: Annotated[
        Path | None, output_file("--save-model", help="The fitted selector for apply: .json.")
    ] = None
    report: Annotated[
        Path | None, output_file("--report", help="A page about the result: .html.")
    ] = None
    image: Annotated[
        str | None,
        output_option(
            "--image", help="Features are the pixels of images, such as 32x32 (rows x columns)."
        ),
    ] = None
    stability: Annotated[
        int | None,
        output_option(
            "--stability",
            min=2,
            metavar="N",
            help="Select on N random halves of the rows too, and say how far they agree.",
        ),
    ] = None
    path: Annotated[
        int | None,
        output_option(
            "--path",
            min=2,
            metavar="N",
            help="Solve for N weights lam too: the report shows the scores along them.",
        ),
    ] = None
    explain: Annotated[
        list[str] | None,
        output_option(
            "--explain", help="Say why a feature is selected or left out: a,b or repeated."
        ),
    ] = None
    as_json: options.AsJson = False


@options.by_options
def select(asked: SelectOptions) -> None:
    """Rank the features of a file and select the best.

    A folder of Parquet files, or a pattern in quotes such as 'lake/*.parquet', is streamed: it may
    be larger than memory.

    Names in .csv and .tsv outputs that a spreadsheet would run as a formula get an apostrophe in
    front; .parquet and .json outputs keep every name as it is.
    """
    from .fitting import parameters_of
    from .genes import Genes, are_cells
    from .selecting import Selecting

    call = Selecting(**vars(asked), parameters=parameters_of(asked))
    (Genes(call) if are_cells(asked) else call).run()
