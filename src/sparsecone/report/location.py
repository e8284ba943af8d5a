"""Where the selected features lie: in the image, or along the columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..charts import Cells, pixel_grid, position_chart
from ..linalg.types import Array
from .features import as_json
from .inputs import Inputs

#: Pixels along the longer side of a picture; larger images are shown by the largest of a block.
FINEST = 160
#: Selected columns that say under the pointer what they are.
NAMED = 500


@dataclass(frozen=True)
class Picture:
    """An image with its caption."""

    svg: str
    caption: str


@dataclass(frozen=True)
class Location:
    """The section: pictures for images, else a chart along the columns.

    `ranks` is the best rank among the pixels of each cell of a picture, as JSON for the page.
    """

    pictures: list[Picture]
    chart: str | None
    ranks: str


def location_of(inputs: Inputs) -> Location:
    """Return where the selected features lie."""
    if inputs.image_shape is not None:
        shape = inputs.image_shape
        worst = -inputs.selector.ranking_.reshape(shape)
        ranks = -_coarse(worst, _side(shape))
        known = {"columns": ranks.shape[1], "ranks": ranks.ravel().tolist()}
        return Location(_pictures(inputs, shape), None, as_json(known))
    chart = position_chart(
        inputs.drawn_scores,
        selected=inputs.selected,
        names=inputs.names(inputs.selected[:NAMED]),
        label=f"Scores by column; the {inputs.selected.size:,} selected columns are marked.",
    )
    return Location([], chart, "null")


def _pictures(inputs: Inputs, shape: tuple[int, int]) -> list[Picture]:
    scores = inputs.drawn_scores.reshape(shape)
    mask = inputs.selector.support_.reshape(shape)
    mean = np.asarray(inputs.X.mean(axis=0), dtype=np.float64).reshape(shape)
    return [
        Picture(
            _picture(scores, mask, kind="scores", what="score"),
            "The scores; the kept pixels lie within the outline.",
        ),
        Picture(
            _picture(mean, mask, kind="mean", what="mean"),
            "The mean of all samples, with the same outline.",
        ),
    ]


def _picture(values: Array, mask: Array, *, kind: str, what: str) -> str:
    side = _side(values.shape)
    values, mask = _coarse(values, side), _coarse(mask, side)
    low, spread = float(values.min()), float(np.ptp(values))
    scaled = (values - low) / spread if spread > 0.0 else np.zeros_like(values)
    return pixel_grid(
        Cells(scaled, values, side),
        outlined=mask,
        kind=kind,
        what=what,
        label=f"Image of the {what} of each pixel, with the selected pixels outlined.",
    )


def _side(shape: tuple[int, ...]) -> int:
    """Return how many pixels along each side a cell of the picture stands for."""
    return -(-max(shape) // FINEST)


def _coarse(image: Array, side: int) -> Array:
    """Return the largest of each block of pixels."""
    rows = np.maximum.reduceat(image, np.arange(0, image.shape[0], side), axis=0)
    return np.asarray(np.maximum.reduceat(rows, np.arange(0, image.shape[1], side), axis=1))
