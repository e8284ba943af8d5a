"""Data sets: the paper's, synthetic ones, and files of one's own."""

from ..files.dataset import DataFileError, Dataset, DatasetInfo
from ..files.reading import load_file
from .download import fetch
from .registry import DATASETS, dataset_info
from .scaling import scaled
from .stored import available, data_folder, load
from .synthetic import make_three_curve, make_three_ring, make_two_moon

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
