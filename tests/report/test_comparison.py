"""The page of a comparison."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale

from sparsecone import SPCAPSD, MaxVariance, RandomFeatures
from sparsecone.data import as_rows
from sparsecone.report import write_comparison
from sparsecone.report.cuts import Cuts

from browser import requested, resize, show
from pages import HOSTILE, Page

MOVE = (
    "document.getElementById('cut').value = %d;"
    "document.getElementById('cut').dispatchEvent(new Event('input'))"
)
CELLS = "return [...document.querySelectorAll('#%s tbody tr')].map(r => r.cells[%d].textContent)"


@pytest.fixture(scope="module")
def frame() -> Any:
    data = load_breast_cancer(as_frame=True).data
    return data.assign(**dict(zip(data, scale(data).T, strict=True)))


@pytest.fixture(scope="module")
def selectors(frame: Any) -> dict[str, Any]:
    fitted = {
        "SPCA-PSD": SPCAPSD(n_features_to_select=6),
        "Highest variance": MaxVariance(n_features_to_select=6),
        "Random": RandomFeatures(n_features_to_select=6, random_state=1),
    }
    return {name: selector.fit(frame) for name, selector in fitted.items()}


@pytest.fixture(scope="module")
def file(frame: Any, selectors: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("comparison") / "comparison.html"
    write_comparison(
        path,
        selectors=selectors,
        X=frame,
        title="Tumours",
        seconds={"SPCA-PSD": 0.25},
        evaluation={"SPCA-PSD": (75.5, 2.5, 18.4)},
        failures={"UDFS": "it did not work"},
    )
    return path


def test_methods_stand_side_by_side(file: Path, frame: Any, selectors: dict[str, Any]) -> None:
    page = Page(file.read_text(encoding="utf-8"))
    data = page.data[0]
    assert data["methods"] == list(selectors)
    for name, curve in zip(selectors, data["explained"], strict=True):
        order = np.argsort(selectors[name].ranking_)
        expected = Cuts(as_rows(frame.to_numpy()), order).explained
        np.testing.assert_allclose(curve, 1e3 * expected, atol=1.0)
    ranks = dict(zip(data["names"], data["ranks"][0], strict=True))
    assert ranks == dict(zip(frame, selectors["SPCA-PSD"].ranking_, strict=True))
    for words in ("UDFS failed: it did not work", "75.5 ± 2.5 %", "'Random': RandomFeatures("):
        assert words in page.text


def test_the_slider_moves_shares_and_overlaps(
    browser: Any, file: Path, selectors: dict[str, Any]
) -> None:
    requested(browser)
    browser.get(file.as_uri())
    resize(browser, 1280, 900)
    browser.execute_script(MOVE % 10)
    first = {name: set(np.argsort(s.ranking_)[:10]) for name, s in selectors.items()}
    common = [round(100 * len(first["SPCA-PSD"] & other) / 10) for other in first.values()]
    assert browser.execute_script(CELLS % ("common", 1)) == [f"{share} %" for share in common]
    assert browser.execute_script(CELLS % ("compared", 2)) == [f"{share} %" for share in common]
    assert browser.find_element("id", "verdict").text.startswith("With 10 features ")
    browser.find_element("id", "search").send_keys("worst texture")
    row = show(browser, browser.find_element("css selector", "#all tbody tr:not(.space)"))
    keepers = sum(
        list(selectors["Random"].feature_names_in_).index("worst texture") in kept
        for kept in first.values()
    )
    assert row.text.startswith(f"{keepers} of 3")
    assert browser.get_log("browser") == []
    assert all(address.startswith(("file:", "data:")) for address in requested(browser))


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_overflows(browser: Any, file: Path, width: int) -> None:
    browser.get(file.as_uri())
    resize(browser, width, 844)
    assert browser.execute_script("return document.documentElement.scrollWidth") == width


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    X = np.random.default_rng(0).random((20, len(HOSTILE)))
    file = tmp_path / "comparison.html"
    fitted = {HOSTILE[0]: MaxVariance().fit(X), HOSTILE[1]: MaxVariance().fit(X)}
    write_comparison(file, selectors=fitted, X=X, feature_names=HOSTILE, title=HOSTILE[2])
    page = Page(file.read_text(encoding="utf-8"))
    assert len(page.all("script")) == 2
    assert not page.all("img")


def test_nothing_to_compare_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no selector to compare"):
        write_comparison(tmp_path / "c.html", selectors={}, X=np.eye(3), title="")
    assert not list(tmp_path.iterdir())
