"""Pictures of two reports, as a desk and a phone show them in light and dark: `make screens`."""

from __future__ import annotations

import base64
import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD, MaxVariance, RandomFeatures
from sparsecone.datasets import load
from sparsecone.metrics import evaluate_selection
from sparsecone.report import write_report

from browser import chromium, prefer, resize

FOLDER = Path(__file__).parent / "screens"
WIDTHS = {"desktop": 1280, "phone": 390}
#: Colours of a picture; text stays sharp and files small.
COLOURS = 64
