"""Measures of a selection: by clustering, by redundancy, by reconstruction, by stability."""

from sparsecone.metrics.accuracy import clustering_accuracy
from sparsecone.metrics.evaluation import ClusteringScore, evaluate_selection
from sparsecone.metrics.information import normalized_mutual_information
from sparsecone.metrics.reconstruction import reconstruction_error
from sparsecone.metrics.redundancy import redundancy
from sparsecone.metrics.stability import jaccard_stability, kuncheva_stability

__all__ = [
    "ClusteringScore",
    "clustering_accuracy",
    "evaluate_selection",
    "jaccard_stability",
    "kuncheva_stability",
    "normalized_mutual_information",
    "reconstruction_error",
    "redundancy",
]
