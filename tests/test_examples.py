"""The programs of the gallery run, and each of them draws something."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").rglob("plot_*.py"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if "import AnnData" in path.read_text(encoding="utf-8"):
        pytest.importorskip("anndata", reason="anndata is not installed")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    plt.close("all")
    try:
        runpy.run_path(str(path), run_name="__main__")
        figures = [plt.figure(number) for number in plt.get_fignums()]
        assert any(ax.has_data() for figure in figures for ax in figure.axes)
        assert capsys.readouterr().out.strip(), "an example says what it found"
    finally:
        plt.close("all")


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 10
