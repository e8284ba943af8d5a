"""
Choosing lam between nothing and everything
===========================================

At `lam=0` every feature has a score; from `lambda_max` on none has. In between lies the choice: the
fewer features have a score, the less of the variance they explain.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD, lambda_max
from sparsecone.metrics import reconstruction_error

X, _ = load_digits(return_X_y=True)
limit = lambda_max(X, eta=0.01)
print(f"nothing is selected from lam = {limit:.2f} on")

# %%
# Fractions of that limit are comparable between data sets, which values of `lam` are not. On the
# digits the end is sudden: close to the limit more than half of the pixels still have a score.

fractions = np.geomspace(0.001, 0.9, 12)
scored, explained = [], []
for fraction in fractions:
    scores = SPCAPSD(n_features_to_select=16, eta=0.01, lam=fraction * limit).fit(X).scores_
    scored.append(np.count_nonzero(scores))
    explained.append(100.0 * (1.0 - reconstruction_error(X, np.flatnonzero(scores))))

fig, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
ax.semilogx(fractions, scored, marker="o", color="C0")
ax.set(xlabel="lam / lambda_max", ylim=(0, 66))
ax.set_ylabel("pixels with a score", color="C0")
other = ax.twinx()
other.plot(fractions, explained, marker="s", color="C1")
other.set_ylim(0, 103)
other.set_ylabel("variance they explain in %", color="C1")
plt.show()
