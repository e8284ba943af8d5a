"""Features that are the pixels of images."""

from __future__ import annotations

import numpy as np

from ..linalg.types import Array


def check_image_shape(shape: tuple[int, int], *, n_features: int) -> tuple[int, int]:
    """Return the rows and columns of an image, or say why the features are not its pixels.

    Examples
    --------
    >>> check_image_shape((8, 8), n_features=64)
    (8, 8)
    """
    rows, columns = shape
    if min(rows, columns) < 1 or rows * columns != n_features:
        raise ValueError(
            f"image_shape={rows}x{columns} has {rows * columns} pixels, but there are "
            f"{n_features} features: give the rows and columns of one image."
        )
    return rows, columns


def borders(mask: Array) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return the edges between the pixels of a mask and the others, as rows and columns of pixels.

    Along the upper edges of the first a border runs across, along the left ones of the second down.

    Examples
    --------
    >>> across, down = borders(np.array([[False, True]]))
    >>> list(zip(*across)) == [(0, 1), (1, 1)], list(zip(*down)) == [(0, 1), (0, 2)]
    (True, True)
    """
    padded = np.pad(mask, 1).astype(np.int8)
    across = np.nonzero(np.diff(padded, axis=0)[:, 1:-1])
    down = np.nonzero(np.diff(padded, axis=1)[1:-1])
    return (across[0], across[1]), (down[0], down[1])
