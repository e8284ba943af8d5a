"""Selections that reports are made of, and what the tests read out of a page."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sparsecone import SPCAPSD
from sparsecone.data import as_rows
from sparsecone.report import render_report
from sparsecone.selectors.ceiling import ceiling

#: The sections of a page that has all of them.
SECTIONS = (
    "summary",
    "explore",
    "features",
    "correlation",
    "preview",
    "stability",
    "weights",
    "evaluation",
    "certificate",
    "details",
)
#: Those that are there for what was not asked for.
ASKED_FOR = ("stability", "weights", "evaluation")

#: What a table may contain as names of columns.
HOSTILE = (
    "<script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "'></title></style></svg></script><script>window.hacked=1</script>",
    "<!--",
    "-->]]>&lt;&amp;",
    "{{ 7 * 7 }}{% raw %}",
    '=HYPERLINK("http://example.com/","click")',
    "two\nlines\tand\r\nmore",
    "👩‍🔬🧬 emoji",
    "\u202eright to left",
    "nul\x00 and bell\x07",
    "half of a pair \ud83d",
    "x" * 10_000,
    "<b>" * 3_000,
    "",
    "javascript:window.hacked=1",
)


@dataclass(frozen=True)
class FakeStability:
    """What a report needs to know of a stability selection."""

    frequencies: NDArray[Any]
    kuncheva: float


class Page(HTMLParser):
    """The elements of a page, as a browser would see them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.headings: list[int] = []
        self.words: list[str] = []
        self.data: list[Any] = []
        self.is_data = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.is_data = dict(attrs).get("type") == "application/json"
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append(int(tag[1]))

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002
        self.is_data = False

    def handle_data(self, data: str) -> None:
        if self.is_data:
            self.data.append(json.loads(data))
        else:
            self.words.append(data)

    @property
    def sections(self) -> list[str | None]:
        return [attributes["id"] for attributes in self.all("section")]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def blobs(n_samples: int, n_features: int, *, seed: int = 0) -> NDArray[np.float64]:
    """Return samples around three centres."""
    rng = np.random.default_rng(seed)
    centres = 3.0 * rng.standard_normal((3, n_features))
    return centres[np.arange(n_samples) % 3] + rng.standard_normal((n_samples, n_features))


def sparse_selector(n_features_to_select: int) -> SPCAPSD:
    """Return a selector under which some features have a score of exactly zero."""
    return SPCAPSD(n_features_to_select=n_features_to_select, eta=0.01, lam=0.1, selection="scores")


def page_of(X: Any, selector: Any = None, **content: Any) -> Page:
    """Return the page of a selector, fitted on X; by default half of the features are kept."""
    fitted = (SPCAPSD() if selector is None else selector).fit(X)
    return Page(render_report(selector=fitted, X=X, **{"title": "A report", **content}))


def report_verdict(X: Any, selector: Any, number: int) -> str:
    """Return what a report says of so many features: the ceiling is more thoroughly sought."""
    curve = selector.curve_
    most = ceiling(as_rows(X), curve.n_features.size)
    assert np.all(most <= curve.ceiling + 1e-12)
    return str(replace(curve, ceiling=most).verdict(number)).removeprefix("These ")
