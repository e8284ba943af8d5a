"""A headless Chromium for the tests of pages; they skip, saying so, where there is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """Yield a browser with a fresh profile in the given folder; it is closed at the end."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("no chromium and chromedriver here: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        # The browser's own first page asks for things that are not the tests' business.
        opened.get("about:blank")
        yield opened
    finally:
        opened.quit()


def resize(browser: Any, width: int, height: int) -> None:
    """Give the page a width and height in CSS pixels, as a phone or a desk has them."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def prefer(browser: Any, scheme: str) -> None:
    """Make the page believe that its reader prefers `light` or `dark`."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def requested(browser: Any) -> list[str]:
    """Return the addresses that were asked for since the last question."""
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [m["params"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    return [parameters["request"]["url"] for parameters in sent]


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
