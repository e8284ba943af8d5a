"""Gene selection on annotated single-cell data: results where scanpy looks for them."""

from .genes import select_genes
from .picture import plot_genes

__all__ = ["plot_genes", "select_genes"]
