"""
The published algorithm and the optimum
=======================================

The two-step algorithm of the paper minimises without the cone constraint and then projects onto the
cone in a metric that is not that of the objective. So it settles above the minimum of its own
problem. `solver="published"` runs it faithfully; its status is `stalled`, never `converged`.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from sparsecone import SPCAPSD

X, _ = load_digits(return_X_y=True)
X = X[:, X.std(axis=0) > 0.0]  # three pixels are always blank
parameters = {"eta": 0.05, "lam": 0.3, "n_features_to_select": 16}
optimum = SPCAPSD(**parameters, tol=1e-7).fit(X)
with warnings.catch_warnings():
    # It says that it did not converge: that is what this example shows.
    warnings.simplefilter("ignore", ConvergenceWarning)
    published = SPCAPSD(**parameters, solver="published", random_state=0).fit(X)

excess = published.solution_.value / optimum.solution_.value - 1.0
shared = np.intersect1d(published.selected_, optimum.selected_).size
print(f"published: {published.solution_.status}, {100 * excess:.3f} % above the optimum")
print(f"optimum:   {optimum.solution_.status}, gap {optimum.solution_.gap:.0e}")
print(f"{shared} of the 16 selected pixels are the same")

# %%
# Left: how far the objective of the published algorithm lies above the certified optimum. Right:
# the scores of both, in order; the published algorithm leaves small ones where the optimum has
# zeros.

history = published.solution_.history
above = np.array([record.value for record in history]) / optimum.solution_.value - 1.0
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
left.semilogy([record.n_iter for record in history], 100.0 * above, marker=".")
left.set(xlabel="iteration of the published algorithm", ylabel="% above the optimum")
for name, selector in {"published": published, "optimum": optimum}.items():
    zeros = np.count_nonzero(selector.scores_ == 0.0)
    right.plot(np.sort(selector.scores_)[::-1], label=f"{name}, zeros: {zeros}")
right.set(xlabel="pixel, by score", ylabel="score")
right.legend()
plt.show()
