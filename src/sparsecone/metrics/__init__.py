"""Measures of a selection: by clustering, by redundancy, by reconstruction, by stability."""

from .accuracy import clustering_accuracy
from .evaluation import ClusteringScore, evaluate_selection
from .information import normalized_mutual_information
from .reconstruction import reconstruction_error
from .redundancy import redundancy
from .stability import jaccard_stability, kuncheva_stability

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
