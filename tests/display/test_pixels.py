"""The scores of pixels."""

from __future__ import annotations

import numpy as np
import pytest

from sparsecone import SPCAPSD
from sparsecone.display import PixelMapDisplay


def test_pixels_show_scores_and_outline(digits: SPCAPSD) -> None:
    display = PixelMapDisplay.from_estimator(digits, image_shape=(8, 8))
    (image,) = display.ax_.images
    np.testing.assert_array_equal(image.get_array(), digits.scores_.reshape(8, 8))
    across, down = display.ax_.collections
    mask = np.pad(display.selected, 1).astype(int)
    assert len(across.get_segments()) == np.abs(np.diff(mask, axis=0)).sum()
    assert len(down.get_segments()) == np.abs(np.diff(mask, axis=1)).sum()


def test_pixels_must_fit(digits: SPCAPSD) -> None:
    with pytest.raises(ValueError, match="image_shape=8x9 has 72 pixels, but there are 64"):
        PixelMapDisplay.from_estimator(digits, image_shape=(8, 9))
