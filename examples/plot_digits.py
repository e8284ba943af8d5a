"""
Which pixels of a digit matter
==============================

The handwritten digits of scikit-learn have 64 pixels. SPCA-PSD scores them without the labels; the
labels only tell afterwards how well k-means does on the pixels that were selected.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD, MaxVariance, RandomFeatures
from sparsecone.metrics import evaluate_selection

X, y = load_digits(return_X_y=True)
selectors = {
    "SPCA-PSD": SPCAPSD(n_features_to_select=16),
    "highest variance": MaxVariance(n_features_to_select=16),
    "random": RandomFeatures(n_features_to_select=16, random_state=0),
}
for selector in selectors.values():
    selector.fit(X)

# %%
# The score of each pixel, and the 16 best of them.

scores = selectors["SPCA-PSD"].scores_
fig, axes = plt.subplots(1, 4, figsize=(10, 2.8), layout="constrained")
image = axes[0].imshow(scores.reshape(8, 8), cmap="viridis")
axes[0].set_title("score of SPCA-PSD")
fig.colorbar(image, ax=axes[0], shrink=0.8)
for ax, (name, selector) in zip(axes[1:], selectors.items(), strict=True):
    ax.imshow(selector.support_.reshape(8, 8), cmap="Greys")
    ax.set_title(name)
for ax in axes:
    ax.set(xticks=[], yticks=[])
plt.show()

# %%
# Thirty runs of k-means on the selected pixels, compared with the digits that were written.

for name, selector in selectors.items():
    (row,) = evaluate_selection(X, y, selector.selected_, n_features=[16], random_state=0)
    print(f"{name:17s} {row.acc_mean:4.1f} +- {row.acc_std:.1f} % of the samples in their cluster")
