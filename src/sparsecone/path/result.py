"""What a path has found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..charts.box import box, heads, some, table_row
from ..linalg.types import Array


@dataclass(frozen=True, repr=False)
class Path:
    """Solutions over a grid of eta and lam.

    Attributes
    ----------
    etas : ndarray of shape (n_etas,)
        Weights of the trace in absolute units, descending; a single 0 for AW-SPCA-PSD.
    lams : ndarray of shape (n_lams,)
        Weights of the column norms in absolute units, descending.
    scores : ndarray of shape (n_etas, n_lams, n_features)
        Column norms of W.
    values, bounds : ndarray of shape (n_etas, n_lams)
        Objective and lower bound on the optimum.
    ranks : ndarray of shape (n_etas, n_lams)
        Ranks of W.
    statuses : ndarray of shape (n_etas, n_lams)
        "converged" where the gap is at most `tol` ("estimated" where its bound is not proven), else
        how the solve ended.
    solved : ndarray of bool of shape (n_etas, n_lams)
        Which points were solved. The others are mixtures of the solutions to both sides, with the
        features of both: their bounds prove that these are good enough.
    loss_at_zero : float
        The objective at W = 0 in absolute units: what relative weights are fractions of.
    elapsed : float
        Seconds in all.
    """

    etas: Array
    lams: Array
    scores: Array
    values: Array
    bounds: Array
    ranks: Array
    statuses: Array
    solved: Array
    loss_at_zero: float
    elapsed: float

    @property
    def relative_etas(self) -> Array:
        """The etas in the units of the selectors: fractions of the loss at W = 0."""
        return self.etas / max(self.loss_at_zero, np.finfo(float).tiny)

    @property
    def relative_lams(self) -> Array:
        """The lams in the units of `spca_psd_path`: fractions of the largest eta.

        For a path with one eta these are the units of the selectors. Without a trace term they are
        fractions of the loss at W = 0.
        """
        largest = float(self.etas[0])
        return self.lams / max(largest or self.loss_at_zero, np.finfo(float).tiny)

    @property
    def n_nonzero(self) -> Array:
        """Number of features with a score, of shape (n_etas, n_lams)."""
        return np.count_nonzero(self.scores, axis=2)

    @property
    def gaps(self) -> Array:
        """Relative duality gaps, of shape (n_etas, n_lams)."""
        return (self.values - self.bounds) / np.maximum(self.values, np.finfo(float).tiny)

    def __repr__(self) -> str:
        lams, counts = self.relative_lams, self.n_nonzero
        return (
            f"Path({self.etas.size} eta x {self.lams.size} lam from {lams[0]:.3g} to "
            f"{lams[-1]:.3g}: {counts.min()} to {counts.max()} features with a score, gaps up to "
            f"{self.gaps.max():.1e}, {int(self.solved.sum())} solved, {self.elapsed:.2f} s)"
        )

    def _repr_html_(self) -> str:
        lams, counts, gaps = self.relative_lams, self.n_nonzero[0], self.gaps[0]
        rows = [heads("lam", "features with a score", "rank of W", "relative gap")]
        rows += [
            table_row(f"{lams[k]:.3g}", str(counts[k]), str(self.ranks[0, k]), f"{gaps[k]:.1e}")
            for k in some(lams.size)
        ]
        return box(f"Path at eta = {self.relative_etas[0]:.3g}", repr(self), rows)
