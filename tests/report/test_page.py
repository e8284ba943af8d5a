from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError

from sparsecone import CSPCAPSD, SPCAPSD, AllFeatures, LaplacianScore, MaxVariance, RandomFeatures
from sparsecone.path import spca_psd_path
from sparsecone.report import render_report, write_report

from pages import (
    ASKED_FOR,
    HOSTILE,
    SECTIONS,
    FakeStability,
    Page,
    blobs,
    page_of,
    report_verdict,
    sparse_selector,
)
from shared import load

DATA = "application/json"


@pytest.fixture(scope="module")
def digits() -> Page:
    X, y = load_digits(return_X_y=True)
    return page_of(
        X,
        SPCAPSD(n_features_to_select=16),
        labels=y,
        image_shape=(8, 8),
        source="digits, 1,797 samples with 64 features",
        command="sparsecone demo",
        evaluation=[("SPCA-PSD", 74.4, 4.8, 70.1), ("random", 59.8, 2.3, 55.0)],
        stability=FakeStability(np.linspace(0.0, 1.0, 64), 0.875),
        lam_path=spca_psd_path(X, lams=4),
        preparation="X = load_digits().data",
        timings={"reading": 0.25, "fitting": 0.5},
    )


def test_all_sections_are_there_with_headings_in_order(digits: Page) -> None:
    assert digits.sections == list(SECTIONS)
    assert digits.headings[0] == 1
    assert digits.headings.count(1) == 1
    assert max(np.diff(digits.headings)) <= 1
    links = {attributes["href"] for attributes in digits.all("a")}
    assert {f"#{name}" for name in SECTIONS} <= links


def test_what_was_asked_and_found_is_told(digits: Page) -> None:
    for words in (
        "SPCA-PSD ranked the features of digits, 1,797 samples with 64 features.",
        "kept the best 16",
        "Proven: no matrix W has an objective more than 0.00",
        "features have a score of exactly zero",
        "Chosen automatically: eta is",
        "Kuncheva index of 0.88",
        "74.4 ± 4.8 %",
        "sparsecone demo",
        "X = load_digits().data",
        "selector = SPCAPSD(n_features_to_select=16).fit(X)",
        "The model solved for 4 weights lam",
        "0.75 s",
        "scikit-learn",
    ):
        assert words in digits.text, words


def test_features_without_a_score_are_counted() -> None:
    X, _ = load_digits(return_X_y=True)
    with pytest.warns(UserWarning, match="a score of zero"):
        selector = SPCAPSD(n_features_to_select=60).fit(X)
    n_without = int(np.count_nonzero(selector.scores_[selector.selected_] == 0.0))
    page = Page(render_report(selector=selector, X=X, title="Digits"))
    assert f"{n_without} of the 60 selected features have a score of zero" in page.text


def test_what_was_not_asked_for_takes_no_room() -> None:
    page = page_of(blobs(30, 8))
    assert page.sections == [name for name in SECTIONS if name not in ASKED_FOR]
    assert "Not asked for" not in page.text


def test_explained_variance_is_that_of_the_selected_features(digits: Page) -> None:
    X, _ = load_digits(return_X_y=True)
    selector = SPCAPSD(n_features_to_select=16).fit(X)
    assert report_verdict(X, selector, 16) in digits.text


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
def test_explained_variance_is_there_for_large_and_sparse_data(kind: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.random((400, 1500)) * (rng.random((400, 1500)) < 0.2)
    selector = MaxVariance(n_features_to_select=700).fit(X)
    page = page_of(kind(X), selector)
    share = page.data[0]["explained"][699] / 10
    assert f"700 features explain {share:.1f} % of the variance of all" in page.text
    assert 50.0 < share < 100.0


def test_pictures_speak_and_load_nothing(digits: Page) -> None:
    for attributes in digits.all("svg"):
        if attributes.get("class") in ("axis",):
            assert attributes["aria-hidden"] == "true"
        elif "class" in attributes:
            assert attributes["role"] == "img"
            assert attributes["aria-label"]
    assert not digits.all("img")
    loaded = [attributes.get("src") or attributes.get("href") for _, attributes in digits.elements]
    assert all(link is None or link.startswith(("#", "data:")) for link in loaded)


def test_ids_are_unique(digits: Page) -> None:
    ids = [attributes["id"] for _, attributes in digits.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_hostile_names_stay_text() -> None:
    X = blobs(40, 2 * len(HOSTILE))
    names = [*HOSTILE, *reversed(HOSTILE)]
    page = page_of(
        X,
        SPCAPSD(n_features_to_select=len(HOSTILE)),
        feature_names=names,
        title=HOSTILE[2],
        source=HOSTILE[0],
        command=HOSTILE[1],
        labels=names[:1] * 20 + names[1:2] * 20,
        evaluation=[(HOSTILE[0], 1.0, 2.0, 3.0)],
        timings={HOSTILE[1]: 1.0},
    )
    assert [attributes.get("type") for attributes in page.all("script")] == [*[DATA] * 2, None]
    assert not page.all("img")
    assert not page.all("b")
    handlers = [key for _, attributes in page.elements for key in attributes if key[:2] == "on"]
    assert not handlers
    assert "<script>window.hacked = 1</script>" in page.text
    assert "49" not in [word for word in page.words if "7 * 7" in word]
    assert max(map(len, page.data[0]["names"])) == 140


def test_hostile_names_can_be_written(tmp_path: Path) -> None:
    X = blobs(20, len(HOSTILE))
    file = tmp_path / "report.html"
    selector = AllFeatures().fit(X)
    half = "\ud83d"
    write_report(file, selector=selector, X=X, feature_names=HOSTILE, title=half, command=half)
    text = file.read_text(encoding="utf-8")
    assert not re.search("[\x00-\x09\x0b-\x1f\ufffe\uffff]", text)
    assert list(tmp_path.iterdir()) == [file]


def test_a_failure_leaves_no_file(tmp_path: Path) -> None:
    X = blobs(20, 6)
    selector = SPCAPSD().fit(X)
    with pytest.raises(ValueError, match="image_shape=2x4 has 8 pixels, but there are 6 features"):
        write_report(tmp_path / "r.html", selector=selector, X=X, title="", image_shape=(2, 4))
    assert not list(tmp_path.iterdir())


def test_wrong_input_is_named() -> None:
    X = blobs(20, 6)
    fitted = SPCAPSD().fit(X)
    cases: dict[str, dict[str, object]] = {
        "fitted on 6 features": {"X": X[:, :5]},
        "2 feature names for 6": {"feature_names": ["a", "b"]},
        "3 labels for 20 samples": {"labels": [1, 2, 3]},
        "one frequency a feature": {"stability": FakeStability(np.ones(5), 1.0)},
    }
    for message, wrong in cases.items():
        with pytest.raises(ValueError, match=message):
            render_report(**{"selector": fitted, "X": X, "title": "", **wrong})
    with pytest.raises(NotFittedError):
        render_report(selector=SPCAPSD(), X=X, title="")


@pytest.mark.parametrize(
    "selector", [MaxVariance(), LaplacianScore(), RandomFeatures(random_state=0), AllFeatures()]
)
def test_methods_without_certificate_say_so(selector: object) -> None:
    page = page_of(blobs(30, 8), selector)
    assert "computes no lower bound, and so gives no certificate" in page.text
    assert "features explain" in page.text


@pytest.mark.filterwarnings("ignore:W = 0 is optimal:UserWarning")
def test_zero_solution() -> None:
    page = page_of(blobs(30, 8), SPCAPSD(eta=0.01, lam=1e3))
    assert "Every score is zero" in page.text
    assert "no matrix W has an objective more than 0.000001 % below" in page.text


@pytest.mark.filterwarnings("ignore:All features are constant:UserWarning")
def test_constant_data() -> None:
    page = page_of(np.ones((5, 4)))
    assert "preview" not in page.sections
    assert "is 0.00" in page.text
    assert page.data[0]["constant"] == [0, 1, 2, 3]


def test_constant_columns_among_others() -> None:
    X = blobs(20, 6)
    X[:, 2] = 4.0
    page = page_of(X, sparse_selector(5))
    assert "1 feature has a score of exactly zero" in page.text


def test_features_without_a_score_are_drawn_with_the_lowest() -> None:
    X = blobs(30, 8)
    X[:, 3] = 1.0
    page = page_of(X, LaplacianScore(n_features_to_select=8).fit(X), image_shape=(2, 4))
    assert "-inf" in page.text


def test_one_selected_feature() -> None:
    page = page_of(blobs(20, 6), SPCAPSD(n_features_to_select=1))
    assert "correlation" not in page.sections
    assert "which hold 100 % and 0 % of their variance" in page.text


@pytest.mark.parametrize("shape", [(2, 1), (2, 5), (3, 2)])
def test_tiny_data(shape: tuple[int, int]) -> None:
    page = page_of(blobs(*shape), labels=["a"] * shape[0])
    assert {"summary", "explore", "features", "certificate"} <= set(page.sections)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_unproven_and_published_results_are_not_called_optimal() -> None:
    early = page_of(blobs(30, 8), SPCAPSD(max_iter=2, solver="factored"))
    assert "Nothing is proven" in early.text
    assert "No lower bound was found" in early.text
    published = page_of(blobs(30, 8), SPCAPSD(solver="published"))
    assert "before the gap asked for" in published.text


def test_sparse_and_dense_data_give_the_same_page() -> None:
    X = blobs(60, 30) * (np.random.default_rng(1).random((60, 30)) < 0.3)
    fitted = CSPCAPSD(n_features_to_select=10).fit(X)
    labels = np.arange(60) % 3
    texts = []
    for data in (X, sp.csr_matrix(X), sp.csc_array(X)):
        page = Page(render_report(selector=fitted, X=data, title="", labels=labels))
        grid = next(a for a in page.all("svg") if a.get("class") == "grid matrix")
        texts.append((grid["data-values"], [word for word in page.words if "variance." in word]))
    assert texts[0] == texts[1] == texts[2]


def test_tables_are_taken() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(blobs(20, 6), columns=list("abcdef"))
    page = page_of(frame, labels=pd.Series(["x", "y"] * 10))
    assert sorted(page.data[0]["names"]) == list("abcdef")
    fitted = SPCAPSD().fit(frame)
    plain = Page(render_report(selector=fitted, X=frame.to_numpy(), title=""))
    assert sorted(plain.data[0]["names"]) == list("abcdef")


def test_many_classes_are_gathered() -> None:
    page = page_of(blobs(60, 6), labels=np.arange(60) % 15)
    assert "5 other classes" in page.text


def test_classes_that_are_numbers_are_in_order() -> None:
    page = page_of(blobs(60, 6), labels=np.arange(60) % 10 + 5)
    legend = page.text.partition("first component")[2]
    assert legend.strip().startswith("5 6 7 8 9 10 11 12 13 14")


def test_small_for_ten_thousand_features_with_everything() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((30, 10_000))
    selector = RandomFeatures(n_features_to_select=5_000, random_state=0)
    names = [f"<{j}>" + "&" * 9_000 for j in range(10_000)]
    text = render_report(
        selector=selector.fit(X),
        X=X,
        feature_names=names,
        title="large",
        labels=np.arange(30),
        image_shape=(100, 100),
        stability=FakeStability(rng.random(10_000), 0.5),
    )
    # The worst case: every name too long and in need of escaping.
    assert len(text.encode()) < 2_000_000


def test_huge_width_stays_small_and_quick() -> None:
    X = sp.random_array(
        (50, 200_000), density=1e-3, random_state=np.random.default_rng(0), format="csr"
    )
    selector = MaxVariance(n_features_to_select=100).fit(X)
    start = time.process_time()
    text = render_report(selector=selector, X=X, title="huge")
    assert time.process_time() - start < 5.0
    assert len(text.encode()) < 4_000_000
    assert "The table has the first 50,000 of 200,000 features" in text
    image = render_report(selector=selector, X=X, title="huge", image_shape=(400, 500))
    assert len(image.encode()) < 4_500_000


def test_gene_expression_takes_less_than_a_second(tmp_path: Path) -> None:
    X, y = load("allaml")
    selector = MaxVariance(n_features_to_select=72).fit(X)
    seconds = []
    # Other work on the machine makes single runs slower.
    for _ in range(3):
        start = time.process_time()
        write_report(tmp_path / "r.html", selector=selector, X=X, title="ALLAML", labels=y)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 1.0
    assert (tmp_path / "r.html").stat().st_size < 1_500_000


def test_wishes_leave_the_numbers_that_can_be_had() -> None:
    X = blobs(30, 8)
    whole = SPCAPSD(n_features_to_select=4, groups=[[0, 1, 2]], per_group="all", exclude=[7])
    data = page_of(X, whole).data[0]
    assert data["eligible"] == data["most"] == 7
    sizes = data["sizes"]
    assert len(sizes) == 5
    assert 3 in np.diff([0, *sizes])
    one = page_of(X, SPCAPSD(n_features_to_select=4, keep=[1, 2])).data[0]
    assert (one["least"], one["most"], one.get("sizes")) == (2, 8, None)
    assert set(one["columns"][:2]) == {1, 2}
