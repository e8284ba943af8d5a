"""Gene selection: the counts go in, the annotation comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.utils import get_tags

import sparsecone

from ..registry import Method, methods
from ..selectors.base import Selector
from .combination import COLUMNS, combined
from .source import batches_of, check_number, checked_counts


def select_genes(
    adata: Any,
    *,
    n_top_genes: int = 2000,
    layer: str | None = None,
    batch_key: str | None = None,
    method: str = "spca-psd",
    inplace: bool = True,
    subset: bool = False,
    **parameters: Any,
) -> Any:
    """Select genes (variables) of an AnnData object, without labels.

    The counts are used as they are, centred but not scaled: normalise and take logarithms first,
    as for any PCA. Sparse counts are never made dense.

    With `batch_key` the genes are ranked in each batch on its own and the rankings combined as in
    scanpy: first the genes selected in most batches, among them by the median rank in these.

    Parameters
    ----------
    adata : AnnData
        Cells in rows, genes in columns, in memory.
    n_top_genes : int, default=2000
        Number of genes to select.
    layer : str or None, default=None
        The layer to use; None uses `adata.X`.
    batch_key : str or None, default=None
        Column of `adata.obs` that names the batch of each cell.
    method : str, default="spca-psd"
        Name of the method, from `sparsecone.methods()`.
    inplace : bool, default=True
        Whether to write the result into `adata` rather than return it.
    subset : bool, default=False
        Whether to keep only the selected genes: of `adata`, or of the returned table.
    **parameters : Any
        Further parameters of the method, such as `eta` and `lam`.

    Returns
    -------
    None or pandas.DataFrame
        None where the result is written into `adata`: the columns below go to `adata.var`, and
        method, parameters, version, and for the methods with a certificate status, value, bound,
        gap and the reason for lam and eta (one each, or one a batch) to `adata.uns["sparsecone"]`.
        Else a table with one row a gene and the columns

        - `highly_variable`: whether the gene is selected; scanpy's PCA uses these genes;
        - `sparsecone_score`: its score, larger is better; with batches the mean;
        - `sparsecone_rank`: its rank, 1 is best;
        - `highly_variable_nbatches`, `highly_variable_intersection`: with batches, in how many
          the gene is selected, and whether in all.

    Examples
    --------
    >>> import numpy as np
    >>> from anndata import AnnData
    >>> from sparsecone.anndata import select_genes
    >>> rng = np.random.default_rng(0)
    >>> adata = AnnData(np.log1p(rng.poisson(np.linspace(0.0, 5.0, 30), size=(200, 30))))
    >>> select_genes(adata, n_top_genes=5)
    >>> int(adata.var["highly_variable"].sum())
    5
    >>> adata.uns["sparsecone"]["status"]
    'converged'
    """
    counts = checked_counts(adata, layer)
    chosen = _checked_method(method, counts)
    check_number(n_top_genes, adata.n_vars)
    batches = dict(batches_of(adata, batch_key))
    fits = [
        _fitted(chosen, counts if rows is None else counts[rows], n_top_genes, parameters)
        for rows in batches.values()
    ]
    result = combined(fits, n_top_genes)
    columns = result.columns(with_batches=batch_key is not None)
    if not inplace:
        table = adata.var[[]].copy().assign(**columns)
        return table[result.selected] if subset else table
    adata.var = adata.var.drop(columns=COLUMNS, errors="ignore").assign(**columns)
    adata.uns["sparsecone"] = _account(chosen, fits, layer, batch_key, list(batches))
    if subset:
        adata._inplace_subset_var(result.selected)
    return None


def _checked_method(name: str, counts: Any) -> Method:
    """Return the method of that name, or say which there are for such counts."""
    ranking = {m.name: m for m in methods() if "n_features_to_select" in m.parameters}
    if name not in ranking:
        raise ValueError(f"method={name!r} is unknown; it is one of {', '.join(ranking)}.")
    sparse = [m.name for m in ranking.values() if get_tags(m.selector()).input_tags.sparse]
    if sp.issparse(counts) and name not in sparse:
        raise ValueError(
            f"method={name!r} needs a dense matrix, and the counts are sparse: make them dense "
            f"yourself if memory allows, or use one of {', '.join(sparse)}."
        )
    return ranking[name]


def _fitted(method: Method, counts: Any, n_top_genes: int, parameters: dict[str, Any]) -> Selector:
    return method.selector(n_features_to_select=n_top_genes, **parameters).fit(counts)


def _account(
    method: Method,
    fits: list[Selector],
    layer: str | None,
    batch_key: str | None,
    batches: list[str],
) -> dict[str, Any]:
    """Return what was done, in types that an h5ad file can hold."""
    places = {"layer": layer, "batch_key": batch_key}
    asked = {name: [fit.get_params()[name] for fit in fits] for name in fits[0].get_params()}
    account: dict[str, Any] = {
        "method": method.name,
        "parameters": {name: place for name, place in places.items() if place is not None}
        | {name: _merged(values) for name, values in asked.items() if values[0] is not None},
        "version": sparsecone.__version__,
    }
    solutions = [getattr(fit, "solution_", None) for fit in fits]
    found = {
        name: [_plain(getattr(solution, name)) for solution in solutions]
        for name in ("status", "value", "bound", "gap", "reason")
        if None not in solutions
    }
    if batch_key is None:
        return account | {name: values[0] for name, values in found.items()}
    account["batches"] = np.array(batches)
    return account | {name: np.array(values) for name, values in found.items()}


def _merged(values: list[Any]) -> Any:
    """Return the value that all batches share, or an array of theirs."""
    plain = [_plain(value) for value in values]
    return plain[0] if len(set(plain)) == 1 else np.array(plain)


def _plain(value: Any) -> Any:
    """Return a value as bool, int, float or str."""
    if isinstance(value, np.generic):
        return value.item()
    return value if type(value) in (bool, int, float, str) else str(value)
