"""
Words of sparse documents
=========================

Counts of words are sparse: here 2000 documents and 20,000 words, of which one in two hundred
occurs in a document. The matrix is centred implicitly and never made dense; dense it would take
320 MB.

Five topics use 40 words each more often; all other words are noise with the usual skewed
frequencies.
"""

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp

from sparsecone import SPCAPSD, MaxVariance

rng = np.random.default_rng(0)
n_documents, n_words, n_topics, n_own, length = 2000, 20_000, 5, 40, 100
frequency = 1.0 / np.arange(10, n_words + 10)
frequency = rng.permutation(frequency / frequency.sum())
own = rng.choice(n_words, size=(n_topics, n_own), replace=False)
topic = rng.integers(n_topics, size=n_documents)

rows = np.repeat(np.arange(n_documents), length)
common = rng.choice(n_words, size=rows.size, p=frequency)
topical = own[topic[rows], rng.integers(n_own, size=rows.size)]
words = np.where(rng.random(rows.size) < 0.25, topical, common)
counts = sp.coo_array((np.ones(rows.size), (rows, words)), shape=(n_documents, n_words)).tocsr()
counts.data = np.log1p(counts.data)

# %%
# `eta` says how strong a direction must be to count: with a share of the total variation below
# half of it, it has no weight. At 1.2 % four directions are left, what five topics need; at 0.8 %
# some coincidences of words have a say, too.

for eta in (0.008, 0.012):
    selector = SPCAPSD(n_features_to_select=n_own * n_topics, eta=eta, lam=0.02).fit(counts)
    solution = selector.solution_
    found = np.isin(selector.selected_, own).sum()
    print(
        f"SPCA-PSD, eta = {eta}: {found} of the {own.size} words of the topics; "
        f"rank {solution.rank}, {solution.status}, {solution.elapsed:.1f} s"
    )
variance = MaxVariance(n_features_to_select=n_own * n_topics).fit(counts)
found = np.isin(variance.selected_, own).sum()
print(f"highest variance: {found} of the {own.size}")

# %%
# A frequent word varies a lot and says nothing; a word that varies together with others has a
# score.

spread = np.asarray(counts.multiply(counts).mean(axis=0)).ravel() - counts.mean(axis=0) ** 2
topical_word = np.isin(np.arange(n_words), own)
fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for label, mask in {"other words": ~topical_word, "words of a topic": topical_word}.items():
    ax.scatter(spread[mask], selector.scores_[mask], s=6, label=label)
ax.set(xlabel="variance", ylabel="score", xscale="log")
ax.legend()
plt.show()
