"""
Methods side by side
====================

All selectors share their attributes, so that a comparison is a loop. The controls belong in it:
what a method adds shows only against a random choice, the highest variance, and all features. Each
method runs with its default parameters, told only the number of classes where it asks for it; UDFS
depends on its `gamma`, and a fair judgement of it would search for the best.
"""

import time

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from sparsecone import methods
from sparsecone.metrics import evaluate_selection, redundancy

X, y = load_digits(return_X_y=True)
names = ("spca-psd", "laplacian-score", "udfs", "spcafs", "max-variance", "random", "all-features")
table = {}
for method in methods():
    if method.name not in names:
        continue
    asked = {"n_features_to_select": 16, "n_clusters": 10, "random_state": 0}
    known = {name: value for name, value in asked.items() if name in method.parameters}
    started = time.perf_counter()
    selected = method.selector(**known).fit(X).selected_
    seconds = time.perf_counter() - started
    (row,) = evaluate_selection(X, y, selected, n_features=[len(selected)], random_state=0)
    table[method.label] = (row, redundancy(X, selected), seconds)

for label, (row, overlap, seconds) in table.items():
    print(f"{label:17s} ACC {row.acc_mean:4.1f} %  redundancy {overlap:.2f}  {seconds:5.2f} s")

# %%
# Thirty runs of k-means a method; the bars are standard deviations.

labels = list(table)[::-1]
rows = [table[label][0] for label in labels]
fig, ax = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
ax.barh(labels, [row.acc_mean for row in rows], xerr=[row.acc_std for row in rows], color="C0")
ax.set(xlabel="k-means accuracy on the selected pixels in %", xlim=(0, 100))
plt.show()
