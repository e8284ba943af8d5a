"""The data of a case: spectra, tails, copies, means and scales that are hard on a certificate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Array = NDArray[Any]

CONTENTS = ("flat", "steep", "crowded", "low-rank", "cauchy", "counts")
FLAWS = ("rows", "columns", "constant")
SHAPES = {"small": 0.8, "tall": 0.08, "wide": 0.08, "large": 0.04}
# Eigenvalues of crowded data lie about this one, apart by the fraction below.
LEVEL, APART = 0.5, 1e-3


@dataclass(frozen=True, repr=False)
class Recipe:
    """What is in the data.

    Attributes
    ----------
    n, d : int
        Samples and features.
    content : str
        One of `CONTENTS`, or "spread" (singular values 1000 to 1) or "pair" (eigenvalues 1.002 and
        1 above others below 0.9, samples of the same length).
    flaws : tuple of str
        Some of `FLAWS`: copies of rows, copies of columns, a constant column.
    mean : float
        Largest mean of a column, in standard deviations of the data.
    scale : float
        Factor of all numbers.
    """

    n: int
    d: int
    content: str = "low-rank"
    flaws: tuple[str, ...] = ()
    mean: float = 0.0
    scale: float = 1.0

    def __repr__(self) -> str:
        parts = [f"{self.n}x{self.d}", self.content]
        parts += [f"copied-{flaw}" if flaw != "constant" else flaw for flaw in self.flaws]
        if self.mean:
            parts.append(f"mean={self.mean:.1e}")
        if self.scale != 1.0:
            parts.append(f"scale={self.scale:.1e}")
        return " ".join(parts)


def draw_recipe(rng: np.random.Generator, widest: float) -> Recipe:
    """Return a recipe at random, with scales of at most so many decades."""
    n, d = _shape(rng)
    content = str(rng.choice(CONTENTS))
    crowded = content == "crowded"
    flaws = tuple(flaw for flaw in FLAWS if not crowded and rng.random() < 0.12)
    mean = float(10.0 ** rng.uniform(0.0, 7.0)) if rng.random() < 0.35 else 0.0
    exponent = rng.uniform(-widest, widest) if rng.random() < 0.3 else rng.uniform(-3.0, 3.0)
    return Recipe(n, d, content, flaws, mean, float(10.0**exponent))


def _shape(rng: np.random.Generator) -> tuple[int, int]:
    match str(rng.choice(list(SHAPES), p=list(SHAPES.values()))):
        case "tall":
            return 300, 8
        case "wide":
            return 8, 300
        case "large":
            return 400, 40
    return int(2.0 * 30.0 ** rng.random()), int(60.0 ** rng.random())


def singular_values(recipe: Recipe) -> Array:
    """Return the singular values of the centred data, before copies and scales."""
    count = min(recipe.n - 1, recipe.d)
    match recipe.content:
        case "flat":
            return np.ones(count)
        case "steep":
            return np.geomspace(1.0, 1e-8, count)
        case "crowded":
            top = np.linspace(3.0, 1.0, count // 3)
            crowd = LEVEL * (1.0 + APART * np.linspace(-1.0, 1.0, count - len(top)))
            return np.sqrt(np.append(top, crowd))
        case "spread":
            return np.geomspace(1e3, 1.0, count)
        case "pair":
            return np.sqrt(np.append([1.002, 1.0], np.linspace(0.9, 0.0, count - 2)))
    return np.where(np.arange(count) < 3, 3.0, 0.1)


def crowded_eta(recipe: Recipe) -> float:
    """Return the eta, as a part of tr S, at whose half the eigenvalues of crowded data lie."""
    return float(2.0 * LEVEL / (singular_values(recipe) ** 2).sum())


def make(recipe: Recipe, rng: np.random.Generator) -> Array:
    """Return the samples of a recipe in double precision."""
    n, d = recipe.n, recipe.d
    if recipe.content == "counts":
        X = rng.poisson(rng.gamma(0.3, 2.0, size=d), size=(n, d)).astype(np.float64)
    else:
        values = singular_values(recipe)
        left = _waves(n) if recipe.content == "pair" else _directions(n, len(values), rng)
        right, _ = np.linalg.qr(rng.normal(size=(d, len(values))))
        X = (left * values) @ right.T
    if recipe.content == "cauchy":
        X = X + 0.1 * np.clip(rng.standard_cauchy(size=(n, d)), -1e6, 1e6)
    if "rows" in recipe.flaws:
        X[n - n // 2 :] = X[: n // 2]
    if "columns" in recipe.flaws:
        X[:, d - d // 2 :] = X[:, : d // 2]
    if recipe.mean:
        X = X + _means(recipe, float(X.std()) or 1.0, rng)
    if "constant" in recipe.flaws:
        X[:, -1] = 1.0 / 3.0
    return np.asarray(X * recipe.scale)


def _directions(n: int, count: int, rng: np.random.Generator) -> Array:
    """Return orthonormal columns without a mean."""
    columns = rng.normal(size=(n, count))
    return np.asarray(np.linalg.qr(columns - columns.mean(axis=0))[0])


def _waves(n: int) -> Array:
    """Return such columns that give all samples nearly the same length, for an odd number."""
    angles = 2.0 * np.pi / n * np.outer(np.arange(n), np.arange(1, n // 2 + 1))
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(n, -1)
    return np.asarray(waves * np.sqrt(2.0 / n))


def _means(recipe: Recipe, deviation: float, rng: np.random.Generator) -> Array:
    """Return means of the columns: some the largest, some smaller, some none."""
    sizes = recipe.mean ** rng.choice([1.0, 0.5, -np.inf], size=recipe.d, p=[0.5, 0.25, 0.25])
    signs = rng.choice([-1.0, 1.0], size=recipe.d)
    return np.asarray(deviation * sizes * signs * rng.uniform(0.5, 1.0, size=recipe.d))


def arranged(rows: Array, layout: str) -> Any:
    """Return rows in a layout."""
    match layout:
        case "csr" | "csr-blocks":
            return sp.csr_matrix(rows)
        case "columns":
            return np.asfortranarray(rows)
        case "frame":
            # Only this layout needs it.
            import pandas as pd

            return pd.DataFrame(rows, columns=[f"feature {j}" for j in range(rows.shape[1])])
    return np.ascontiguousarray(rows)
