"""Gene selection: the counts go in, the annotation comes out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ..selectors.wishes import place_wishes
from .account import account_of
from .asked import checked_method, checked_numbers, has_certificate
from .batches import batches_of, used_cells
from .combination import combined, written_columns
from .ranking import Recipe, chosen_number, ranked
from .source import cells_of
from .summary import means_and_variances, summarised


def select_genes(
    adata: Any,
    *,
    n_top_genes: int | Sequence[int] | str = 2000,
    layer: str | None = None,
    counts: str = "log",
    scale: str = "unit",
    n_candidates: int | None = 4000,
    mask_obs: Any = None,
    batch_key: str | None = None,
    min_cells: int = 20,
    min_batches: int = 1,
    keep: Any = None,
    exclude: Any = None,
    method: str = "spca-psd",
    key_added: str | None = None,
    inplace: bool = True,
    subset: bool = False,
    **parameters: Any,
) -> Any:
    """Select genes (variables) of an AnnData object, without labels.

    Normalise and take logarithms first, as for any PCA, or give raw counts and say so. Sparse
    matrices are never made dense. A matrix that is backed by a file, or an array of Dask, is read
    block by block.

    With `batch_key` the genes are ranked in each batch on its own and the rankings combined as in
    scanpy: first the genes selected in most batches, among them by the median rank in these.

    Parameters
    ----------
    adata : AnnData
        Cells in rows, genes in columns.
    n_top_genes : int, sequence of int or "auto", default=2000
        Number of genes to select. Several numbers are columns of one fit: `highly_variable_100`
        and so on, and `highly_variable` is the largest. "auto" takes as many as explain 90 % of
        the variance of the components that W keeps, with batches the median of their numbers.
    layer : str or None, default=None
        The layer to use; None uses `adata.X`.
    counts : {"log", "raw"}, default="log"
        Whether the values are logarithms of normalised counts, or the counts themselves: these
        become Poisson residuals, see `sparsecone.from_counts`.
    scale : {"unit", "pareto", "none"}, default="unit"
        "unit": each gene is divided by its standard deviation, as before a PCA of cells: among the
        candidates it counts by what it shares with others, not by how much it is expressed.
        "pareto": divided by the root of that, halfway to covariances. "none": the values as they
        are. Other methods than the three models see them so, and residuals of counts are scaled
        by what is expected.
    n_candidates : int or None, default=4000
        The three models are fitted to so many of the most variable genes, or twice as many as are
        to be selected if that is more; the other genes rank behind by their variance, with a
        score of 0. None fits all genes. Residuals of counts are those of all genes.
    mask_obs : array of bool, str or None, default=None
        The cells to use, or the column of `adata.obs` that says so; None uses all.
    batch_key : str or None, default=None
        Column of `adata.obs` that names the batch of each cell.
    min_cells : int, default=20
        Batches with fewer cells are left out, with a warning that names them.
    min_batches : int, default=1
        Genes that fewer batches select are not selected; there may be fewer than `n_top_genes`.
    keep, exclude : str, array-like or None, default=None
        Genes to select in any case, and never: names, patterns such as `"MT-*"` or `"^MT-"` (a
        regular expression begins with ^), positions or a mask. What is kept counts among the
        selected.
    method : str, default="spca-psd"
        Name of the method, from `sparsecone.methods()`.
    key_added : str or None, default=None
        Name of the column and of the entry in `adata.uns`, and the beginning of the names of all
        other columns: `panel`, `panel_score`, `panel_rank`.
    inplace : bool, default=True
        Whether to write the result into `adata` rather than return it.
    subset : bool, default=False
        Whether to keep only the selected genes: of `adata`, or of the returned table.
    **parameters : Any
        Further parameters of the method, such as `eta` and `lam`. `selection` is "both" for the
        three models: the genes of highest scores in turn with those that tell something new.

    Returns
    -------
    None or pandas.DataFrame
        None where the result is written into `adata`: the columns below go to `adata.var`, and
        method, parameters, version, and for the methods with a certificate status, value, bound,
        gap and the reason for lam and eta (one each, or one a batch) to `adata.uns["sparsecone"]`.
        Else a table with one row a gene and the columns

        - `highly_variable`: whether the gene is selected; scanpy's PCA uses these genes;
        - `highly_variable_rank`: as in scanpy, from 0, missing for genes that are not selected;
        - `sparsecone_score`: its score, larger is better; with batches the mean;
        - `sparsecone_rank`: its rank among all genes, 1 is best;
        - `means`, `variances`: of the values, over the cells that are used;
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
    cells = cells_of(adata, layer)
    if subset and inplace and cells.place != "memory":
        raise ValueError("subset needs data in memory: adata = adata.to_memory().")
    chosen = checked_method(method, cells, parameters, counts=counts, scale=scale)
    recipe = Recipe(counts, "none", None)
    if has_certificate(chosen):
        recipe = Recipe(counts, scale, n_candidates)
        parameters = {"selection": "both", **parameters}
    numbers = checked_numbers(n_top_genes, adata.n_vars, chosen)
    batches = batches_of(adata, batch_key, used_cells(adata, mask_obs), min_cells)
    most = numbers if isinstance(numbers, str) else max(numbers)
    make = partial(
        chosen.selector, n_features_to_select=most, keep=keep, exclude=exclude, **parameters
    )
    wishes = place_wishes(make(), adata.var_names)
    moments = summarised(cells, batches.values(), counts)
    fits = [
        ranked(make, cells, rows, running, recipe=recipe, wishes=wishes)
        for rows, running in zip(batches.values(), moments, strict=True)
    ]
    wanted = chosen_number(fits, numbers)
    result = combined(fits, wanted, min_batches=min_batches, wishes=wishes)
    columns = result.columns(key_added, with_batches=batch_key is not None)
    columns |= means_and_variances(moments)
    if not inplace:
        table = adata.var[[]].copy().assign(**columns)
        return table[result.largest] if subset else table
    asked = {"layer": layer, "batch_key": batch_key, "counts": counts}
    asked |= {"scale": recipe.scale} if counts == "log" else {}
    names = None if batch_key is None else list(batches)
    adata.var = adata.var.drop(columns=written_columns(adata.var, key_added)).assign(**columns)
    adata.uns[key_added or "sparsecone"] = account_of(
        chosen.name, [fit.selector for fit in fits], asked, names
    )
    if subset:
        adata._inplace_subset_var(result.largest)
    return None
