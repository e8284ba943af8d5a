"""What is looked at before anything is computed."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("anndata", reason="anndata is not installed")

CODE = """
import sys
import numpy as np
from anndata import AnnData
from sparsecone.anndata import select_genes
cells = AnnData(np.log1p(np.random.default_rng(0).poisson(1.0, size=(60, 8)).astype(float)))
select_genes(cells, n_top_genes=3)
print([name for name in sys.modules if name.startswith("sparsecone.baselines")])
"""


def test_methods_that_are_not_asked_for_are_not_imported() -> None:
    run = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
