"""
Single cells: genes that tell cells apart
=========================================

From counts to components: highly variable genes are picked one by one; here they are picked
together, by what they share. The result stands where scanpy looks for it, and scanpy is not needed.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy import sparse
from sklearn.decomposition import PCA

from anndata import AnnData
from sparsecone.anndata import plot_genes, select_genes

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
# `scanpy.pp.pca(adata)` uses `var["highly_variable"]` by itself. Without scanpy the components come
# from scikit-learn; neighbours, UMAP and clusterings take them from `obsm["X_pca"]`. On the left
# the genes that were chosen, on the right the cells in the first two components.

adata.obsm["X_pca"] = PCA(10, random_state=0).fit_transform(adata[:, chosen].X.toarray())
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
plot_genes(adata, n_labels=5, ax=left)
for kind in range(4):
    cells = adata.obsm["X_pca"][kinds == kind]
    right.scatter(cells[:, 0], cells[:, 1], s=6, label=f"type {kind}")
right.set(xlabel="first component", ylabel="second component")
right.legend()
plt.show()
