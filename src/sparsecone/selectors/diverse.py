"""What chosen features leave open of W: the repulsion of a diverse choice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..linalg.types import Array

# The part of its own weight by which a chosen feature is taken to be noise: the choice goes on
# beyond the rank of W. What a feature without any weight adds counts as much beside one of W.
OWN_NOISE = 0.03


class Repulsion:
    """The part of each feature in W that the chosen ones leave open.

    With W = L L' as a covariance, and each chosen feature seen with a noise of the part c of its
    own weight, `left_j = w_jj - W_jC (W_CC + c diag(W_CC))^-1 W_Cj`. This is pivoted Cholesky, the
    greedy choice of the largest determinant, with a repulsion that does not depend on the scale of
    W. Choices cost a product with L, which is `factor`. `parts` is what is left open of each
    feature, beside the largest weight of one.
    """

    def __init__(self, factor: Array) -> None:
        own = np.einsum("jk,jk->j", factor, factor)
        most = max(float(own.max()), np.finfo(float).tiny)
        # L' and all that follows, beside the largest weight of a feature.
        self.factor, self.own = np.ascontiguousarray(factor.T) / np.sqrt(most), own / most
        self.parts, self.inverse = self.own.copy(), np.eye(factor.shape[1])

    def choose(self, features: Sequence[int]) -> None:
        """Add features to the chosen ones."""
        weighty = np.asarray(features, dtype=np.intp)
        weighty = weighty[self.own[weighty] > 0.0]
        rows = self.factor[:, weighty].T
        directions = rows @ self.inverse
        block = directions @ rows.T
        block[np.diag_indices_from(block)] += OWN_NOISE * self.own[weighty]
        self.follow(np.linalg.solve(np.linalg.cholesky(block), directions))

    def follow(self, found: Array, parts: Array | None = None) -> None:
        """Follow choices by what each adds to the directions that are not open, a row each.

        What they leave of the parts may be known.
        """
        self.inverse -= found.T @ found
        if parts is None:
            images = found @ self.factor
            parts = self.parts - np.einsum("kj,kj->j", images, images)
        self.parts = np.maximum(parts, 0.0)
