"""`sparsecone select`: rank the features of a file and write down the best."""

from __future__ import annotations

from .options import (
    AsJson,
    DataFile,
    Delimiter,
    Drop,
    Gaps,
    Id,
    Label,
    Missing,
    NFeatures,
    NoLabel,
    Scale,
    Scaling,
    Seed,
    Threads,
    Transpose,
)
from .select_options import (
    Choice,
    Eta,
    Image,
    Lam,
    MaxTime,
    MethodName,
    OnDask,
    Out,
    Report,
    Resamples,
    SaveModel,
    SaveSelected,
    Scheduler,
    Settings,
    SolverName,
    Tol,
    UnitsOfWeights,
)


def select(
    file: DataFile,
    method: MethodName = "spca-psd",
    n_features: NFeatures = None,
    lam: Lam = None,
    eta: Eta = None,
    selection: Choice = None,
    units: UnitsOfWeights = None,
    solver: SolverName = None,
    tol: Tol = None,
    max_time: MaxTime = None,
    settings: Settings = None,
    seed: Seed = 0,
    threads: Threads = 1,
    drop: Drop = None,
    label: Label = None,
    no_label: NoLabel = False,
    id_column: Id = None,
    scale: Scaling = Scale.NONE,
    missing: Gaps = Missing.ERROR,
    transpose: Transpose = False,
    delimiter: Delimiter = None,
    dask: OnDask = False,
    scheduler: Scheduler = None,
    out: Out = None,
    save_selected: SaveSelected = None,
    save_model: SaveModel = None,
    report: Report = None,
    image: Image = None,
    stability: Resamples = None,
    as_json: AsJson = False,
) -> None:
    """Rank the features of a file and select the best.

    A folder of Parquet files, or a pattern in quotes such as 'lake/*.parquet', is streamed: it may
    be larger than memory.

    Names in .csv and .tsv outputs that a spreadsheet would run as a formula get an apostrophe in
    front; .parquet and .json outputs keep every name as it is.
    """
    from .fitting import settings_of, value_of
    from .selecting import Selecting
    from .source import Source, split_names

    Selecting(
        source=Source(
            file=file,
            drop=split_names(drop),
            label=label,
            no_label=no_label,
            id=id_column,
            scale=scale,
            missing=missing,
            transpose=transpose,
            delimiter=delimiter,
        ),
        method=method,
        n_features=n_features,
        parameters={
            "lam": value_of(lam),
            "eta": value_of(eta),
            "selection": selection and str(selection),
            "units": units and str(units),
            "solver": solver,
            "tol": value_of(tol),
            "max_time": max_time,
            **settings_of(settings),
        },
        seed=seed,
        threads=threads,
        out=out,
        save_selected=save_selected,
        save_model=save_model,
        report=report,
        image=image,
        stability=stability,
        dask=dask,
        scheduler=scheduler,
        as_json=as_json,
    ).run()
