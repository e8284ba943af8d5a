"""The report as a browser shows it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from browser import hover, prefer, requested, resize, show
from pages import ASKED_FOR, SECTIONS

ROWS = "return [...document.querySelectorAll('#all tbody tr:not(.space)')].map(r => %s)"
NAMES = ROWS % "r.cells[1].textContent"


@pytest.fixture(params=["digits", "hostile"])
def opened(request: pytest.FixtureRequest, browser: Any, reports: dict[str, str]) -> Any:
    requested(browser)
    browser.get(reports[request.param])
    return browser


def test_sections_without_errors_or_requests(opened: Any) -> None:
    shown = opened.execute_script(
        "return [...document.querySelectorAll('section')]"
        ".filter(s => s.offsetHeight > 0).map(s => s.id)"
    )
    asked = "Digits" in opened.title
    assert shown == [name for name in SECTIONS if asked or name not in ASKED_FOR]
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
    kinds = browser.execute_script("return [...document.scripts].map(s => s.type)")
    assert kinds == ["application/json", "application/json", ""]
    assert "<script>window.hacked = 1</script>" in browser.execute_script(NAMES)
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
    box = browser.find_element("id", "search")
    box.send_keys("PIXEL 2")
    found = browser.execute_script(NAMES)
    assert sorted(found) == sorted(["pixel 2"] + [f"pixel {j}" for j in range(20, 30)])
    assert browser.find_element("id", "found").text == "11 of 64"
    head = show(browser, browser.find_element("css selector", "#all th:nth-child(2)"))
    head.find_element("css selector", "button").click()
    assert browser.execute_script(NAMES) == ["pixel 2"] + [f"pixel {j}" for j in range(20, 30)]
    assert head.get_attribute("aria-sort") == "ascending"
    head.find_element("css selector", "button").click()
    assert browser.execute_script(NAMES)[0] == "pixel 29"
    box.clear()
    box.send_keys(" ")
    browser.find_element("css selector", "#all th:nth-child(3) button").click()
    scores = browser.execute_script(ROWS % "+r.cells[2].textContent")
    assert scores == sorted(scores)


def test_the_pointer_tells_what_is_there(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["digits"])
    resize(browser, 1280, 900)
    bar = browser.find_element("css selector", "#explore .linear .bar.selected")
    assert hover(browser, bar).startswith("Rank 1: pixel")
    pixels = browser.find_element("css selector", ".grid.scores")
    # The middle of an 8 x 8 image is a corner of four pixels; a little to the right is one of them.
    assert hover(browser, pixels, right=5) == "row 4, column 4\nscore 0.613"


def test_scale_can_be_changed(browser: Any, reports: dict[str, str]) -> None:
    browser.get(reports["digits"])
    linear, log = (
        browser.find_element("css selector", f"#explore .{s}") for s in ("linear", "log")
    )
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
        assert not browser.find_element("id", "cut").is_displayed()
        assert browser.find_element("css selector", "#all tbody tr").is_displayed()
        assert "explain" in browser.find_element("id", "verdict").text
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
