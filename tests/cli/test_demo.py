"""`sparsecone demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_demo_compares_and_reports(
    run: Any, reports: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("demo")
    assert result.exit_code == 0, result.output
    assert "1797 samples, 64 pixels, 16 selected" in result.stdout
    assert result.stdout.count("#") == 17
    assert "Written: sparsecone-demo.html" in result.stdout
    (page,) = reports
    assert page["image_shape"] == (8, 8)
    labels, accuracies, _, information = zip(*page["evaluation"], strict=True)
    assert labels == ("SPCA-PSD", "Highest variance", "Random subset")
    assert min(accuracies[:2]) > accuracies[2]
    assert information[0] > information[1] > information[2]
    assert run("demo", "--report", tmp_path / "nowhere" / "d.html").exit_code == 2
