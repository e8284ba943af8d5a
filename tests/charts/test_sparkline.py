"""A line among words."""

from __future__ import annotations

import numpy as np

from sparsecone.charts import (
    sparkline,
)


def test_sparkline_of_nothing_is_nothing() -> None:
    assert sparkline(np.array([np.nan, 0.0]), label="") == ""
