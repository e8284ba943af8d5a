"""A basis of the span of a factor that takes in an offset, or leading eigenvectors, and its image.

What is known less exactly than is aimed at takes a product with the data.
"""

from __future__ import annotations

import numpy as np

from ..data import Spectrum
from ..linalg.basis import whitening
from ..linalg.in_place import add_product
from ..linalg.rounding import norm, sum_error
from ..linalg.types import Array
from ..model.problem import Point
from .matrix import apply, low_rank_part, matrix_rounding

# The squared length that an eigenvector has outside of the span of the factor, or is left out.
LEFT_OUT = 1e-10
# The squared length below which little of it is new: its image takes a product.
LITTLE = 0.1
# The part of the offset outside of the span of L that is none.
SHORTEST_OFFSET = 1e-8


def with_offset(
    point: Point, basis: Array, image: Array, errors: Array
) -> tuple[Array, Array, Array]:
    """Return a basis with the offset in it, and (M - eta I) times that, by a product."""
    assert point.v is not None
    rest = point.v[:, None]
    for _ in range(2):
        rest = rest - basis @ (basis.T @ rest)
    if norm(rest) <= SHORTEST_OFFSET * norm(point.v):
        return basis, image, errors
    rest /= norm(rest)
    left, right = low_rank_part(point)
    product = apply(point, left, right, rest) - point.problem.eta * rest
    errors = np.append(errors, matrix_rounding(point, left, right))
    return np.column_stack([basis, rest]), np.column_stack([image, product]), errors


def extended(
    point: Point,
    added: tuple[Spectrum, Array | None],
    left: Array,
    right: Array,
    given: tuple[Array, Array, Array, float],
) -> tuple[Array, Array, Array, float]:
    """Return a basis with the eigenvectors in it, (M - eta I) times that, and its errors.

    The image of an eigenvector of which little is new is known less exactly there, and takes a
    product. One of which nothing is new is left out. It still counts by the squared length that
    was new, which is returned as well, times its eigenvalue.
    """
    (basis, image, errors, exactness), (spectrum, products) = given, added
    eta, vectors = point.problem.eta, spectrum.vectors
    rounding = matrix_rounding(point, left, right)
    inside = basis.T @ vectors
    rest_image = vectors * spectrum.values if products is None else products.copy()
    size = norm(rest_image)
    rest = eta * vectors
    rest_image -= rest
    add_product(rest_image, image, inside, -1.0)
    add_product(rest_image, left, right.T @ vectors, -0.5)
    add_product(rest_image, right, left.T @ vectors, -0.5)
    rest[:] = vectors
    add_product(rest, basis, inside, -1.0)
    # What the eigenpairs are off by is the spectral norm of a matrix: it counts once for all.
    known = rounding + errors @ np.abs(inside)
    known += sum_error(len(basis)) * (norm(image) + size)
    shared = spectrum.error + norm(known)
    white = whitening(rest.T @ rest, LEFT_OUT, unit=1.0)
    left_out = LEFT_OUT * float(spectrum.values[0]) if white.dropped.shape[1] else 0.0
    basis, rest = _beside(basis, rest, white.transform)
    image, rest_image = _beside(image, rest_image, white.transform)
    # Errors of all images together: those of directions that are as long as any count once.
    known = shared / np.sqrt(white.lengths)
    is_little = white.lengths < LITTLE
    known = improved(point, left, right, rest, rest_image, known, exactness, is_little)
    together = float(np.hypot(norm(known[is_little]), known.max(initial=0.0)))
    return basis, image, np.append(errors, together), left_out


def _beside(first: Array, columns: Array, transform: Array) -> tuple[Array, Array]:
    """Return [first, columns @ transform], and the second part of it."""
    (d, r), k = first.shape, transform.shape[1]
    both = np.empty((d, r + k))
    both[:, :r] = first
    return both, np.matmul(columns, transform, out=both[:, r:])


def improved(
    point: Point,
    left: Array,
    right: Array,
    basis: Array,
    image: Array,
    errors: Array,
    exactness: float,
    short: Array | bool = True,
) -> Array:
    """Replace inexact images of short directions by products; return all errors."""
    if exactness == np.inf:
        return errors
    rounding = matrix_rounding(point, left, right)
    weight = max(point.problem.eta, point.problem.lam)
    loose = short & (errors > max(exactness * weight, rounding))
    if loose.any():
        image[:, loose] = apply(point, left, right, basis[:, loose])
        image[:, loose] -= point.problem.eta * basis[:, loose]
    return np.where(loose, rounding, errors)
