"""What a paper takes from the page."""

from __future__ import annotations

import csv
from pathlib import Path

from sparsecone.reproduction.export import write_for_paper
from sparsecone.reproduction.figures import Curve, Panel, lines
from sparsecone.reproduction.section import Figure, Table


def test_tables_and_figures_have_files(tmp_path: Path) -> None:
    table = Table("ACC in %.", ("Method", "A"), (("x", "**61.2**"), ("y & z", "*61.0*")), "acc")
    picture = lines([Panel("A", [Curve("x", [1, 2], [3, 4], "SPCA-PSD", [0.1, 0.2])])])
    (folder,) = write_for_paper([table, "words", Figure("curve", "A curve.", picture)], tmp_path)
    assert {path.name for path in folder.iterdir()} == {"acc.tex", "acc.csv", "curve.pdf"}
    latex = (folder / "acc.tex").read_text()
    assert r"\label{tab:acc}" in latex
    assert r"x & \textbf{61.2} \\" in latex
    assert r"y \& z & \textit{61.0} \\" in latex
    with (folder / "acc.csv").open() as file:
        assert list(csv.reader(file)) == [["Method", "A"], ["x", "61.2"], ["y & z", "61.0"]]
    assert (folder / "curve.pdf").read_bytes().startswith(b"%PDF")


def test_the_same_picture_is_the_same_file() -> None:
    pictures = [lines([Panel("A", [Curve("x", [1, 2], [3, 4], "UDFS")])]) for _ in range(2)]
    assert pictures[0].pdf() == pictures[1].pdf()
    assert pictures[0].svg == pictures[1].svg
