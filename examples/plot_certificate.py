"""
The certificate while it closes
===============================

Every exact solver returns two numbers: the objective at its W, and a bound below which no positive
semidefinite W can get. The relative distance between them is the gap; the fit ends where the gap
reaches `tol`.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD

X, _ = load_digits(return_X_y=True)
tolerance = 1e-6
fits = {
    solver: SPCAPSD(solver=solver, eta=0.02, tol=tolerance).fit(X).solution_
    for solver in ("factored", "admm")
}
for solver, solution in fits.items():
    print(f"{solver:9s} {solution.status}: value {solution.value:.4f}, bound {solution.bound:.4f}")

# %%
# The two solvers share nothing but the problem. Their values agree to within the gap, as they
# must. A solver computes its bound only when it may be good enough: before that the best known
# bound is 0.

optimum = SPCAPSD(solver="admm", eta=0.02, tol=1e-9).fit(X).solution_.value
fig, axes = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
for ax, (solver, solution) in zip(axes, fits.items(), strict=True):
    steps = [record.n_iter for record in solution.history]
    above = np.array([record.value for record in solution.history]) / optimum - 1.0
    below = 1.0 - np.array([record.bound for record in solution.history]) / optimum
    ax.semilogy(steps, np.maximum(above, 1e-10), label="value above the optimum")
    ax.semilogy(steps, np.maximum(below, 1e-10), label="bound below the optimum")
    ax.axhline(tolerance, color="grey", linestyle=":", label="tol")
    ax.set(title=f'solver="{solver}"', xlabel="iteration")
axes[0].set_ylabel("relative distance")
axes[1].legend()
plt.show()
