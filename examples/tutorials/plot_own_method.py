"""
A method of your own, compared
==============================

You have an idea for a score, and want to know what it is worth beside others, on more than one
data set, in a table for a paper.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import validate_data

from sparsecone import SPCAPSD, LaplacianScore, RandomFeatures
from sparsecone.metrics import evaluate_selection
from sparsecone.reproduction.latex import latex_of
from sparsecone.reproduction.section import Table
from sparsecone.selectors.base import Selector

# %%
# The idea: features with two humps tell groups apart. Sarle's coefficient of bimodality is the
# score; `Selector` does the rest.


class Bimodality(Selector):
    """Select the features whose distribution has two humps."""

    def __init__(self, *, n_features_to_select=None):
        self.n_features_to_select = n_features_to_select

    def fit(self, X, y=None):  # noqa: ARG002
        """Score the features."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        centred = X - X.mean(axis=0)
        spread = np.maximum(centred.std(axis=0), np.finfo(float).tiny)
        skew, kurtosis = (
            ((centred / spread) ** 3).mean(axis=0),
            ((centred / spread) ** 4).mean(axis=0),
        )
        return self._keep((skew**2 + 1.0) / np.maximum(kurtosis, 1.0))


# %%
# Three data sets, standardised, and the paper's protocol: k-means on the selected features,
# against classes that no method sees.

SIZES = [5, 10]
datasets = {"wine": load_wine, "cancer": load_breast_cancer, "digits": load_digits}
methods = {
    "Bimodality": Bimodality(),
    "SPCA-PSD": SPCAPSD(),
    "LapScore": LaplacianScore(),
    "random": RandomFeatures(random_state=0),
}
accuracy = np.empty((len(methods), len(datasets)))
for column, load in enumerate(datasets.values()):
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    for row, selector in enumerate(methods.values()):
        order = np.argsort(selector.fit(X).ranking_)
        scores = evaluate_selection(X, y, order, n_features=SIZES, n_runs=10, random_state=0)
        accuracy[row, column] = np.mean([score.acc_mean for score in scores])

# %%
# The table, in LaTeX. Three data sets are few: they carry no claim about others, whatever the
# differences.

lines = tuple(
    (name, *(f"{value:.1f}" for value in values))
    for name, values in zip(methods, accuracy, strict=True)
)
print(latex_of([Table("ACC in %, mean over 5 and 10 features.", ("Method", *datasets), lines)]))

fig, ax = plt.subplots(figsize=(6, 2.8), layout="constrained")
for row, name in enumerate(methods):
    ax.bar(np.arange(len(datasets)) + 0.2 * row, accuracy[row], width=0.18, label=name)
ax.set_xticks(np.arange(len(datasets)) + 0.3, list(datasets))
ax.set_ylabel("ACC in %")
ax.legend(fontsize="small")
plt.show()

# %%
# In a module of its own, registered or installed, the class works by name in `sparsecone
# compare`, in model files and in plans on many data sets: :doc:`/extending/study`.
