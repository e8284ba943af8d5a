"""
Single cells: genes that tell cells apart
=========================================

Highly variable genes are picked one by one. Here they are picked together, so that genes of one
programme do not take all the places. The result stands where scanpy looks for it.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse

from anndata import AnnData
from sparsecone.anndata import select_genes

# %%
# The cells are made up: 500 of four types, 2000 genes, of which 15 mark each type; the first
# type is common and the last one rare.

rng = np.random.default_rng(0)
kinds = rng.choice(4, size=500, p=[0.5, 0.3, 0.15, 0.05])
mean = rng.lognormal(-2.0, 1.0, size=2000)
fold = np.ones((4, 2000))
for kind in range(4):
    fold[kind, 15 * kind : 15 * kind + 15] = 6.0
counts = rng.poisson(mean * fold[kinds])
adata = AnnData(sparse.csr_matrix(counts, dtype=np.float64))
adata.obs["kind"] = [f"type {kind}" for kind in kinds]
adata.var_names = [
    f"marker-{gene // 15}-{gene % 15}" if gene < 60 else f"gene-{gene}" for gene in range(2000)
]

# %%
# Normalise and take logarithms, as for any PCA (`scanpy.pp.normalize_total`, `scanpy.pp.log1p`);
# the counts stay sparse.

depth = np.asarray(adata.X.sum(axis=1))
adata.X = sparse.csr_matrix(adata.X.multiply(np.median(depth) / depth)).log1p()
select_genes(adata, n_top_genes=45)
chosen = adata.var["highly_variable"].to_numpy()
found = [chosen[15 * kind : 15 * kind + 15].sum() for kind in range(4)]
print("markers found of each type, out of 15:", *found)
print("certificate:", adata.uns["sparsecone"]["status"], adata.uns["sparsecone"]["gap"] <= 1e-3)

# %%
# The rarest type is missed: 25 cells have little variance, and the choice goes by variance.
#
# `scanpy.pp.pca(adata)` uses `var["highly_variable"]` by itself. Here is the mean of each
# selected marker in each type.

small = adata[:, chosen]
means = np.array([np.asarray(small.X[kinds == kind].mean(axis=0)).ravel() for kind in range(4)])
order = np.argsort(small.var_names)
fig, ax = plt.subplots(figsize=(9, 2.6), layout="constrained")
image = ax.imshow(means[:, order], aspect="auto", cmap="viridis")
ax.set(yticks=range(4), yticklabels=[f"type {kind}" for kind in range(4)], xlabel="selected genes")
fig.colorbar(image, label="mean")
plt.show()
