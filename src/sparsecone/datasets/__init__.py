"""Data sets: the paper's, synthetic ones, and files of one's own."""

from sparsecone.datasets.dataset import DataFileError, Dataset, DatasetInfo
from sparsecone.datasets.download import fetch
from sparsecone.datasets.files import load_file
from sparsecone.datasets.registry import DATASETS, dataset_info
from sparsecone.datasets.scaling import scaled
from sparsecone.datasets.stored import available, data_folder, load
from sparsecone.datasets.synthetic import make_three_curve, make_three_ring, make_two_moon

__all__ = [
    "DATASETS",
    "DataFileError",
    "Dataset",
    "DatasetInfo",
    "available",
    "data_folder",
    "dataset_info",
    "fetch",
    "load",
    "load_file",
    "make_three_curve",
    "make_three_ring",
    "make_two_moon",
    "scaled",
]
