"""The page: whole, readable, the same for the same rows; and the committed one."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from sparsecone.reproduction.claims import Claim
from sparsecone.reproduction.experiment import Section
from sparsecone.reproduction.page import HTML_NAME, write_page
from sparsecone.reproduction.plan import shipped_plan
from sparsecone.reproduction.reproduction import ROWS_NAME, plans_of, write_results
from sparsecone.reproduction.section import Figure, Table
from sparsecone.reproduction.store import RowFile

from fabricated import fabricate
from shared import folder

COMMITTED = Path(__file__).parents[2] / "docs" / "results"
#: Bytes.
LARGEST = 8_000_000


def test_page_has_all_sections(tmp_path: Path) -> None:
    plans = {number: shipped_plan(number, "quick") for number in range(1, 7)}
    cells = {cell.key: cell for plan in plans.values() for cell in plan.cells}
    with RowFile(tmp_path / ROWS_NAME) as store:
        for cell in cells.values():
            store.append(fabricate(cell))
    sections, (html, markdown, paper) = write_results(plans, tmp_path, latex=True)
    text, plain = html.read_text(), markdown.read_text()
    for number in range(1, 7):
        assert f'<section id="experiment-{number}">' in text
        assert f"## Experiment {number}: " in plain
    # The claims come first, then the protocol.
    heads = re.findall("^## (.*)$", plain, re.MULTILINE)
    assert heads[:3] == ["Claim by claim", "Data and protocol", "Provenance"]
    blocks = [block for section in sections for block in section.blocks]
    figures = [block for block in blocks if isinstance(block, Figure)]
    assert text.count("<svg") == plain.count("](figures/") == len(figures)
    for figure in figures:
        ET.fromstring((tmp_path / "figures" / f"{figure.name}.svg").read_text())
        assert (paper / f"{figure.name}.pdf").is_file()
    assert all(loaded not in text for loaded in ("<script", "<link", 'src="http'))
    tables = [block for block in blocks if isinstance(block, Table)]
    assert plain.count("| --- |") >= len(tables)
    assert {path.stem for path in paper.glob("*.tex")} == {table.name for table in tables}


def test_text_is_escaped_and_tables_are_whole(tmp_path: Path) -> None:
    table = Table("A <b> caption", ("a|b", "c"), (("1 < 2", "x|y"), ("3", "**4**")))
    verdict = Claim("Here", "It <holds>.", "A test.").judged(False, "0 of 1")
    section = Section(1, "Title & more", (verdict,), (table, "A <b> *word*, `code`, [so](there)."))
    html, markdown = write_page([section], 0, tmp_path)
    text = html.read_text()
    assert 'A &lt;b&gt; <em>word</em>, <code>code</code>, <a href="there">so</a>.' in text
    assert '<td class="word">1 &lt; 2</td><td class="word">x|y</td>' in text
    assert '<td class="number">3</td><td class="number"><strong>4</strong></td>' in text
    assert 'It &lt;holds&gt;. <span class="not-reproduced">not reproduced</span>' in text
    expected = "| a\\|b | c |\n| --- | --- |\n| 1 < 2 | x\\|y |\n| 3 | **4** |\n"
    assert expected in markdown.read_text()


def test_figures_of_an_earlier_page_are_gone(tmp_path: Path) -> None:
    (tmp_path / "figures").mkdir()
    for name in ("6_gone.svg", "choosing_acc.svg"):
        (tmp_path / "figures" / name).touch()
    write_page([Section(1, "Title", (), ("words",))], 0, tmp_path)
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["choosing_acc.svg"]


def test_same_rows_give_the_same_page(tmp_path: Path) -> None:
    plan = shipped_plan(5, "quick")
    rows = list(map(fabricate, plan.cells))
    pages = []
    for name in ("first", "second"):
        with RowFile(tmp_path / name / ROWS_NAME) as store:
            for row in rows:
                store.append(row)
        _, (html, _) = write_results({5: plan}, tmp_path / name)
        pages.append(html.read_bytes())
    assert pages[0] == pages[1]


def test_the_committed_page_is_that_of_the_committed_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARSECONE_DATA", str(folder("data")))
    (tmp_path / ROWS_NAME).write_bytes((COMMITTED / ROWS_NAME).read_bytes())
    plans = plans_of(range(1, 7), level="standard", path=None)
    _, (_, markdown) = write_results(plans, tmp_path)
    written = (COMMITTED / markdown.name).read_text(encoding="utf-8")
    assert markdown.read_text(encoding="utf-8") == written, "run `make page`"
    for picture in (tmp_path / "figures").iterdir():
        assert (COMMITTED / "figures" / picture.name).is_file()


def test_the_results_are_small_enough_to_keep() -> None:
    files = [path for path in COMMITTED.rglob("*") if path.is_file() and path.suffix != ".tex"]
    kept = [path for path in files if path.parent.name != "paper" and path.name != HTML_NAME]
    assert sum(path.stat().st_size for path in kept) < LARGEST
