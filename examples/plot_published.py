"""
The published algorithm and the optimum
=======================================

The two-step algorithm of the paper minimises without the cone constraint and then projects onto the
cone. It is fast to state, but it is no descent method: its objective rises again and settles above
the minimum of its own problem. `solver="published"` runs it faithfully; its status is `stalled`,
never `converged`.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning

from sparsecone import SPCAPSD

X, _ = load_digits(return_X_y=True)
X = X / 16.0
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
# Left: the objective of the published algorithm against the certified optimum. Right: the scores of
# both, in order. The optimum has exact zeros, the published algorithm has none.

history = published.solution_.history
values = np.array([record.value for record in history])
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), layout="constrained")
left.plot([record.n_iter for record in history], values, marker=".", label="published")
left.axhline(optimum.solution_.value, color="C1", label="certified optimum")
left.set(xlabel="iteration", ylabel="objective", ylim=(0.998 * optimum.solution_.value, None))
left.legend()
for name, selector in {"published": published, "optimum": optimum}.items():
    zeros = np.count_nonzero(selector.scores_ == 0.0)
    right.plot(np.sort(selector.scores_)[::-1], label=f"{name}: {zeros} exact zeros")
right.set(xlabel="pixel, by score", ylabel="score")
right.legend()
plt.show()
