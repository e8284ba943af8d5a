"""
Outlying samples and the robust models
======================================

A few wild samples may dominate a sum of squares. CSPCA-PSD and AW-SPCA-PSD sum the residuals
themselves, and AW-SPCA-PSD also learns the centre. Here three of a hundred images of digits are
replaced by noise of ten times their size; the question is which pixels each model selects before
and after.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD

X, _ = load_digits(return_X_y=True)
rng = np.random.default_rng(0)
spoiled = X.copy()
wild = rng.choice(len(X), size=3 * len(X) // 100, replace=False)
spoiled[wild] = 160.0 * rng.random((wild.size, X.shape[1]))

models = {"SPCA-PSD": SPCAPSD, "CSPCA-PSD": CSPCAPSD, "AW-SPCA-PSD": AWSPCAPSD}
fig, axes = plt.subplots(2, 3, figsize=(7.5, 5), layout="constrained")
for column, (name, model) in zip(axes.T, models.items(), strict=True):
    clean = model(n_features_to_select=16).fit(X)
    after = model(n_features_to_select=16).fit(spoiled)
    kept = np.intersect1d(clean.selected_, after.selected_).size
    print(f"{name:12s} keeps {kept:2d} of its 16 pixels ({after.solution_.status})")
    for ax, selector in zip(column, (clean, after), strict=True):
        ax.imshow(selector.support_.reshape(8, 8), cmap="Greys")
        ax.set(xticks=[], yticks=[])
    column[0].set_title(name)
axes[0, 0].set_ylabel("clean")
axes[1, 0].set_ylabel("3 % noise")
plt.show()
