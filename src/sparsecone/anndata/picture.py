"""The genes of a selection in a picture, in scanpy's habit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..display.axes import ACCENT, REST
from ..optional import require
from .combination import DEFAULT_KEY

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_genes(
    adata: Any, *, key: str | None = None, n_labels: int = 10, ax: Axes | None = None
) -> Axes:
    """Plot the score of every gene over its mean, the selected marked, the best by name.

    Parameters
    ----------
    adata : AnnData or pandas.DataFrame
        What `select_genes` wrote into, or the table that it returned.
    key : str or None, default=None
        The `key_added` of the selection.
    n_labels : int, default=10
        How many of the best genes are named.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
        Where the picture was drawn.

    Examples
    --------
    >>> import matplotlib, numpy as np
    >>> matplotlib.use("agg")
    >>> from anndata import AnnData
    >>> from sparsecone.anndata import plot_genes, select_genes
    >>> rng = np.random.default_rng(0)
    >>> adata = AnnData(np.log1p(rng.poisson(np.linspace(0.0, 5.0, 30), size=(200, 30))))
    >>> select_genes(adata, n_top_genes=5)
    >>> axes = plot_genes(adata, n_labels=2)
    >>> len(axes.texts)
    2
    >>> matplotlib.pyplot.close(axes.figure)
    """
    require("matplotlib", purpose="A plot", extra="plots")
    from matplotlib import pyplot as plt

    table = getattr(adata, "var", adata)
    mark, own = key or DEFAULT_KEY, key or "sparsecone"
    if not {mark, f"{own}_score", f"{own}_rank", "means"} <= set(table):
        argument = "" if key is None else f", key_added={key!r}"
        raise ValueError(
            f"There is no selection to draw: call select_genes(adata{argument}) first."
        )
    axes = plt.subplots()[1] if ax is None else ax
    selected = table[mark].to_numpy(dtype=bool)
    means, scores = table["means"].to_numpy(), table[f"{own}_score"].to_numpy()
    for which, colour, label in ((~selected, REST, "other"), (selected, ACCENT, "selected")):
        text = f"{np.count_nonzero(which)} {label} genes"
        axes.scatter(means[which], scores[which], s=4, color=colour, label=text, rasterized=True)
    for gene in np.argsort(table[f"{own}_rank"].to_numpy())[:n_labels]:
        place = (float(means[gene]), float(scores[gene]))
        axes.annotate(
            str(table.index[gene]), place, xytext=(3, 3), textcoords="offset points", fontsize=8
        )
    axes.set(xlabel="mean", ylabel="score")
    axes.legend(frameon=False)
    return axes
