"""The report as a browser shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sparsecone import SPCAPSD
from sparsecone.report import write_report

from browser import chromium, prefer, requested, resize
from pages import HOSTILE, SECTIONS, FakeStability, blobs, sparse_selector

RANKS = "return [...document.querySelectorAll('#features tbody tr:not([hidden])')].map(r => %s)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the addresses of a report of images, and of one whose names are hostile."""
    folder = tmp_path_factory.mktemp("reports")
    X, y = load_digits(return_X_y=True)
    write_report(
        folder / "digits.html",
        selector=sparse_selector(16).fit(X),
        X=X,
        title="Digits",
        feature_names=[f"pixel {j}" for j in range(64)],
        labels=y,
        image_shape=(8, 8),
        evaluation=[("SPCA-PSD", 74.4, 4.8, 70.1)],
        stability=FakeStability(np.linspace(0, 1, 64), 0.9),
    )
    X = blobs(50, 200)
    names = [HOSTILE[j % len(HOSTILE)] for j in range(200)]
    write_report(
        folder / "hostile.html",
        selector=SPCAPSD(n_features_to_select=80).fit(X),
        X=X,
        title=HOSTILE[2],
        feature_names=names,
        labels=names[:50],
        command=HOSTILE[0],
    )
    return {path.stem: path.as_uri() for path in folder.iterdir()}


@pytest.fixture(params=["digits", "hostile"])
def opened(request: pytest.FixtureRequest, browser: Any, reports: dict[str, str]) -> Any:
    requested(browser)
    browser.get(reports[request.param])
    return browser


def show(browser: Any, element: Any) -> Any:
    """Scroll to an element without the page's own smoothness, and return it."""
    go = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})"
    browser.execute_script(go, element)
    return element


def hover(browser: Any, element: Any, *, right: int = 0) -> str:
    """Return what the tip says over the middle of an element, or so many pixels beside it."""
    from selenium.webdriver import ActionChains

    show(browser, element)
    ActionChains(browser).move_to_element_with_offset(element, right, right).perform()
    return browser.find_element("id", "tip").text


def test_sections_without_errors_or_requests(opened: Any) -> None:
    shown = opened.execute_script(
        "return [...document.querySelectorAll('section')]"
        ".filter(s => s.offsetHeight > 0).map(s => s.id)"
    )
    assert shown == list(SECTIONS)
    assert opened.get_log("browser") == []
    addresses = requested(opened)
    assert addresses
    assert [address for address in addresses if not address.startswith(("file:", "data:"))] == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_overflows(opened: Any, width: int) -> None:
    resize(opened, width, 844)
    assert opened.execute_script("return document.documentElement.scrollWidth") == width
    beyond = opened.execute_script(
        "return [...document.querySelectorAll('main *')].filter(e =>"
        " !e.closest('.table, .scroll, .chips li, svg, .visually-hidden')"
        " && e.getBoundingClientRect().right > innerWidth).map(e => e.outerHTML.slice(0, 80))"
    )
    assert beyond == []


def test_hostile_names_run_nothing(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["hostile"])
    assert browser.execute_script("return window.hacked === undefined")
    assert browser.execute_script("return document.scripts.length") == 1
    rows = browser.execute_script(RANKS % "r.cells[1].textContent")
    assert "<script>window.hacked = 1</script>" in rows
    matrix = browser.find_element("css selector", ".grid.matrix")
    assert "correlation" in hover(browser, matrix)
    assert browser.execute_script("return window.hacked === undefined")


def test_a_script_that_slipped_in_would_not_run(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["digits"])
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.hacked = 1';"
        "document.body.append(s)"
    )
    assert browser.execute_script("return window.hacked === undefined")
    assert "Content Security Policy" in browser.get_log("browser")[0]["message"]


def test_search_and_sort(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["digits"])
    resize(browser, 1280, 900)
    columns = list(map(int, browser.execute_script(RANKS % "r.cells[2].textContent")))
    box = browser.find_element("id", "search")
    box.send_keys("PIXEL 2")
    found = browser.execute_script(RANKS % "r.cells[1].textContent")
    assert sorted(found) == sorted(f"pixel {j}" for j in columns if str(j).startswith("2"))
    assert browser.find_element("id", "found").text == f"{len(found)} of 16"
    box.clear()
    box.send_keys(" ")
    head = show(browser, browser.find_element("css selector", "#features th:nth-child(3)"))
    head.click()
    assert browser.execute_script(RANKS % "+r.cells[2].textContent") == sorted(columns)
    assert head.get_attribute("aria-sort") == "ascending"
    head.click()
    ordered = browser.execute_script(RANKS % "+r.cells[2].textContent")
    assert ordered == sorted(columns, reverse=True)
    browser.find_element("css selector", "#features th:nth-child(2)").click()
    names = browser.execute_script(RANKS % "r.cells[1].textContent")
    assert names == [f"pixel {j}" for j in sorted(columns)]


def test_the_pointer_tells_what_is_there(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["digits"])
    resize(browser, 1280, 900)
    bar = browser.find_element("css selector", "#scores .linear .bar.selected")
    assert hover(browser, bar).startswith("Rank 1: pixel")
    pixels = browser.find_element("css selector", ".grid.scores")
    # The middle of an 8 x 8 image is a corner of four pixels; a little to the right is one of them.
    assert hover(browser, pixels, right=5) == "row 4, column 4\nscore 0.613"


def test_scale_can_be_changed(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["digits"])
    linear, log = (browser.find_element("css selector", f"#scores .{s}") for s in ("linear", "log"))
    assert (linear.is_displayed(), log.is_displayed()) == (True, False)
    show(browser, browser.find_element("css selector", "label[for=scale-log]")).click()
    assert (linear.is_displayed(), log.is_displayed()) == (False, True)


def test_light_and_dark_differ_and_can_be_read(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["digits"])
    contrasts, pages = [], set()
    for scheme in ("light", "dark"):
        prefer(browser, scheme)
        read = "return getComputedStyle(document.querySelector('%s')).%s"
        page = browser.execute_script(read % ("body", "backgroundColor"))
        pages.add(page)
        for selector in ("body", ".lead", "figcaption", ".aside", "nav a"):
            text = browser.execute_script(read % (selector, "color"))
            contrasts.append(_luminance_ratio(text, page))
        tick = browser.execute_script(read % (".tick", "fill"))
        contrasts.append(_luminance_ratio(tick, page))
    prefer(browser, "")
    assert len(pages) == 2
    # The contrast that WCAG 2 asks of small text.
    assert min(contrasts) >= 4.5


def _luminance_ratio(first: str, second: str) -> float:
    """Return the contrast of two colours, written as rgb(r, g, b), by the formula of WCAG 2."""

    def luminance(colour: str) -> float:
        parts = np.array([int(c) for c in colour[4:-1].split(",")]) / 255.0
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


def test_it_reads_without_its_script(browser: Any, reports: dict[str, str]) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(reports["digits"])
        assert not browser.find_element("id", "search").is_displayed()
        assert browser.find_element("css selector", "#features tbody tr").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
