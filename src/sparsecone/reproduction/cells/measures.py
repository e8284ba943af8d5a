"""How well cells are told apart by some genes: PCA, k-means, Leiden, neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score, silhouette_score
from sklearn.neighbors import NearestNeighbors

from ...linalg.types import Array
from ...optional import require

COMPONENTS = 30
NEIGHBOURS = 15
SEEDS = 3
RESOLUTIONS = (0.25, 0.5, 1.0, 2.0)


def measured(logs: Any, labels: Array, genes: Array) -> dict[str, float]:
    """Return the measures of some genes, in per cent.

    With the true number of clusters k-means, mean over seeds; Leiden over a grid of resolutions,
    the best and the mean of them; the share of 15 neighbours with the same label; the silhouette
    of the labels.
    """
    values = logs[:, genes]
    n_components = min(COMPONENTS, *(size - 1 for size in values.shape))
    pca = PCA(n_components, svd_solver="arpack", random_state=0)
    components = pca.fit_transform(values)
    number = int(np.unique(labels).size)
    found = [
        KMeans(number, n_init=3, random_state=seed).fit_predict(components) for seed in range(SEEDS)
    ]
    near = NearestNeighbors(n_neighbors=NEIGHBOURS + 1).fit(components)
    neighbours = near.kneighbors(components, return_distance=False)[:, 1:]
    leiden = [normalized_mutual_info_score(labels, c) for c in communities(neighbours)]
    result = {
        "nmi": np.mean([normalized_mutual_info_score(labels, each) for each in found]),
        "ari": np.mean([adjusted_rand_score(labels, each) for each in found]),
        "purity": np.mean(labels[neighbours] == labels[:, None]),
        "silhouette": silhouette_score(components, labels),
        "leiden": np.max(leiden),
        "leiden_mean": np.mean(leiden),
    }
    return {name: round(100.0 * float(value), 3) for name, value in result.items()}


def communities(neighbours: Array) -> list[Array]:
    """Return the communities of the graph of neighbours, for every resolution."""
    igraph = require("igraph", purpose="The study of cells", extra="study")
    n, k = neighbours.shape
    edges = np.column_stack([np.repeat(np.arange(n), k), neighbours.ravel()])
    graph = igraph.Graph(n, edges.tolist()).simplify()
    igraph.set_random_number_generator(_Seeded())
    return [
        np.array(
            graph.community_leiden("modularity", resolution=resolution, n_iterations=2).membership
        )
        for resolution in RESOLUTIONS
    ]


class _Seeded:
    """Random numbers for igraph, the same in every run."""

    def __init__(self) -> None:
        self._draw = np.random.default_rng(0)

    def random(self) -> float:
        """Return a number in [0, 1)."""
        return float(self._draw.random())

    def randint(self, low: int, high: int) -> int:
        """Return an integer of a closed interval."""
        return int(self._draw.integers(low, high + 1))

    def gauss(self, mean: float, deviation: float) -> float:
        """Return a normal number."""
        return float(self._draw.normal(mean, deviation))
