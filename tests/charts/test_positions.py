"""Scores along the columns."""

from __future__ import annotations

import re

import numpy as np

from sparsecone.charts import (
    position_chart,
)


def test_marked_columns_are_where_they_belong() -> None:
    values = np.zeros(1000)
    values[[10, 990]] = 1.0
    chart = position_chart(values, selected=np.array([990]), names=["x"], label="", height=100)
    stems = re.search(r'd="([^"]+)" class="stem selected"', chart)
    assert stems
    assert stems[1] == "M990.5 100V0"
    assert 'data-tip="Column 990: x' in chart
