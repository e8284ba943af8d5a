"""The documentation: its code runs, every public name is in it, and the site is whole."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
MADE = ("_build", "generated", "gallery")
FENCE = re.compile(r"^```(python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
    if not set(MADE) & set(page.parts) and FENCE.search(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_code_of_a_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    for package in ("anndata", "dask", "pyarrow"):
        if re.search(rf"(import|from) (sparsecone\.)?{package}\b", text):
            pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr("sparsecone.registry.own._registered", {})
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in FENCE.finditer(text):
        line = text.count("\n", 0, block.start()) + 1
        if block[1] == "python":
            exec(compile("\n" * line + block[2], str(page), "exec"), names)
        else:
            run_doctest(block[2], names, page, line)


def run_doctest(code: str, names: dict[str, object], page: Path, line: int) -> None:
    """Run examples with prompts in the given namespace and compare what they print."""
    examples = doctest.DocTestParser().get_doctest(code, names, page.name, str(page), line)
    examples.globs = names
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert not runner.run(examples, out=report.append, clear_globs=False).failed, "".join(report)


@pytest.mark.parametrize(
    "module",
    [
        "sparsecone",
        "sparsecone.anndata",
        "sparsecone.datasets",
        "sparsecone.display",
        "sparsecone.metrics",
        "sparsecone.report",
    ],
)
def test_every_public_name_is_in_the_reference(module: str) -> None:
    listed, current = set(), ""
    for line in (DOCS / "api" / "index.rst").read_text(encoding="utf-8").splitlines():
        if line.startswith(".. currentmodule::"):
            current = line.split()[-1]
        elif current == module:
            listed.add(line.strip())
    missing = set(importlib.import_module(module).__all__) - listed
    assert not missing, f"add to docs/api/index.rst: {sorted(missing)}"


class Page(HTMLParser):
    """The anchors of a page, what it links to, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif "src" in found:
            self.loaded.append(found["src"])
        elif tag == "link" and "href" in found:
            self.loaded.append(found["href"])


def test_site_builds_without_a_warning_and_is_whole(tmp_path: Path) -> None:
    for package in ("sphinx", "myst_parser", "sphinx_gallery", "anndata"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install '.[docs]'")
    site = build(tmp_path)
    pages = {path: Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}
    assert {path.stem for path in pages} >= {"index", "quick_start", "mathematics", "plot_digits"}
    broken = [
        f"{path.relative_to(site)} -> {link}"
        for path, page in pages.items()
        for link in [*page.links, *page.loaded]
        if not is_whole(link, path, pages)
    ]
    assert not broken
    outside = {
        f"{path.relative_to(site)} loads {address}"
        for path, page in pages.items()
        for address in page.loaded
        if urlsplit(address).netloc
    }
    shown, _, _ = (site / "index.html").read_text(encoding="utf-8").partition(">More<")
    assert {"Results", "Extending it"} <= {text.strip() for text in re.findall(r">([^<]+)<", shown)}
    styles = [path.read_text(encoding="utf-8") for path in site.rglob("*.css")]
    outside |= {
        found for style in styles for found in re.findall(r"url\(['\"]?(?:https?:)?//", style)
    }
    assert not outside


def build(folder: Path) -> Path:
    """Build the site from a copy, without the pictures of the gallery."""
    for name in ("docs", "examples", "src"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*MADE, "*.pyc"))
    shutil.copy(ROOT / "CHANGELOG.md", folder)
    command = [sys.executable, "-m", "sphinx", "-W", "-n", "--keep-going", "-q", "docs", "site"]
    environment = {**os.environ, "SPARSECONE_GALLERY": "0", "PYTHONPATH": str(folder / "src")}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return folder / "site"


def is_whole(link: str, path: Path, pages: dict[Path, Page]) -> bool:
    """Return whether a link leads out of the site, or to a file and an anchor that exist."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return True
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return False
    return not parts.fragment or unquote(parts.fragment) in pages[target].anchors
