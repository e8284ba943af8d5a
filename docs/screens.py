"""Pictures of three reports, as a desk and a phone show them in light and dark: `make screens`."""

from __future__ import annotations

import base64
import io
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits
from sklearn.metrics import pairwise_distances_argmin

from sparsecone import SPCAPSD, LaplacianScore, MaxVariance, RandomFeatures
from sparsecone.datasets import load
from sparsecone.metrics import evaluate_selection
from sparsecone.report import write_comparison, write_report
from sparsecone.stability import selection_stability

from browser import chromium, prefer, resize

FOLDER = Path(__file__).parent / "screens"
WIDTHS = {"desktop": 1280, "phone": 390}
#: Where a picture starts and ends: the first of one section to the last of another.
PARTS = {"explore": ("body", "explore"), "features": ("#features", "correlation")}
COMPARED = {"explore": ("body", "overlap")}
#: Colours of a picture: text stays sharp and the file small.
COLOURS = 256


def write_digits(path: Path) -> None:
    """Write the report of the handwritten digits, with everything in it."""
    X, y = load_digits(return_X_y=True)
    selectors = {
        "SPCA-PSD": SPCAPSD(n_features_to_select=16),
        "highest variance": MaxVariance(n_features_to_select=16),
        "random": RandomFeatures(n_features_to_select=16, random_state=0),
    }
    rows = []
    for name, selector in selectors.items():
        selected = selector.fit(X).selected_
        (score,) = evaluate_selection(X, y, selected, n_features=[16], random_state=0)
        rows.append((name, score.acc_mean, score.acc_std, score.nmi_mean))
    write_report(
        path,
        selector=selectors["SPCA-PSD"],
        X=X,
        title="Handwritten digits",
        source="the handwritten digits of scikit-learn (1,797 samples with 64 features)",
        feature_names=[f"pixel {row},{column}" for row in range(8) for column in range(8)],
        labels=y,
        evaluation=rows,
        image_shape=(8, 8),
        stability=selection_stability(selectors["SPCA-PSD"], X, random_state=0),
    )


def write_genes(path: Path) -> None:
    """Write the report of ALLAML, from the data folder."""
    data = load("allaml")
    assert data.y is not None
    write_report(
        path,
        selector=SPCAPSD(n_features_to_select=72).fit(data.X),
        X=data.X,
        title="ALLAML: gene expression in leukaemia",
        source="ALLAML (72 samples with 7,129 features)",
        feature_names=[f"gene {j}" for j in range(data.X.shape[1])],
        labels=np.array(["class 0", "class 1"])[data.y],
    )


def write_methods(path: Path) -> None:
    """Write the comparison of three methods on the handwritten digits."""
    X, _ = load_digits(return_X_y=True)
    kinds = {"SPCA-PSD": SPCAPSD, "highest variance": MaxVariance, "LapScore": LaplacianScore}
    write_comparison(
        path,
        selectors={name: kind(n_features_to_select=16).fit(X) for name, kind in kinds.items()},
        X=X,
        title="Methods on the handwritten digits",
        feature_names=[f"pixel {row},{column}" for row in range(8) for column in range(8)],
    )


def take(browser: Any, width: int, first: str, last: str) -> bytes:
    """Return the page from one element to the end of a section, as a picture of few colours."""
    resize(browser, width, 900)
    place = "return document.querySelector('%s').getBoundingClientRect().%s + scrollY"
    start = browser.execute_script(place % (first, "top"))
    end = browser.execute_script(place % (f"#{last}", "bottom"))
    clip = {"x": 0, "y": start, "width": width, "height": end - start, "scale": 1}
    command = {"captureBeyondViewport": True, "clip": clip}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", command)["data"]
    picture = Image.open(io.BytesIO(base64.b64decode(shot))).convert("RGB")
    file = io.BytesIO()
    with_few_colours(picture).save(file, "PNG", optimize=True)
    return file.getvalue()


def with_few_colours(picture: Image.Image) -> Image.Image:
    """Return the picture in its most frequent colours, all others as the nearest of them.

    Whatever has an area keeps its exact colour; only the edges of letters change a little.
    """
    pixels = np.asarray(picture).astype(np.uint32)
    codes = pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]
    found, where, counts = np.unique(codes, return_inverse=True, return_counts=True)
    colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.float64)
    palette = colours[np.argsort(-counts, kind="stable")[:COLOURS]]
    nearest = pairwise_distances_argmin(colours, palette).astype(np.uint8)
    few = Image.fromarray(nearest[where].reshape(codes.shape), mode="P")
    few.putpalette(palette.astype(np.uint8).tobytes())
    return few


def main() -> None:
    """Write the reports and take the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, chromium(Path(folder) / "profile") as browser:
        for name, write, parts in (
            ("digits", write_digits, PARTS),
            ("allaml", write_genes, PARTS),
            ("methods", write_methods, COMPARED),
        ):
            page = Path(folder) / f"{name}.html"
            write(page)
            browser.get(page.as_uri())
            for scheme in ("light", "dark"):
                prefer(browser, scheme)
                for (device, width), (part, ends) in product(WIDTHS.items(), parts.items()):
                    file = FOLDER / f"{name}-{part}-{device}-{scheme}.png"
                    file.write_bytes(take(browser, width, *ends))


if __name__ == "__main__":
    main()
