"""Gene selection on annotated single-cell data: results where scanpy looks for them."""

from .genes import select_genes

__all__ = ["select_genes"]
