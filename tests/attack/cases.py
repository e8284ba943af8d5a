"""One case of the attack: data, model, weights and solver, drawn from a seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sparsecone import AWSPCAPSD, CSPCAPSD, SPCAPSD, from_blocks, from_gram

from . import data

Array = NDArray[Any]

MODELS = {"spca": SPCAPSD, "cspca": CSPCAPSD, "aw": AWSPCAPSD}
SOLVERS = {"auto": 0.5, "factored": 0.2, "admm": 0.15, "published": 0.07, "reweighted": 0.08}
LAYOUTS = {
    "dense": 0.42,
    "csr": 0.2,
    "blocks": 0.12,
    "csr-blocks": 0.08,
    "gram": 0.08,
    "columns": 0.06,
    "frame": 0.04,
}
UNITS = {"relative": 0.75, "converted": 0.15, "absolute": 0.1}
# Decades that the scale of the data spans, either way; a Gram matrix must not overflow by itself.
WIDEST: dict[int | str, float] = {64: 150.0, 32: 15.0, "gram": 75.0}
# What an honest refusal speaks of.
REFUSALS = ("rounding", "overflow", "vanish")
LARGEST = 1e300
MAX_ITER = 300
MAX_TIME = 2.0


@dataclass(frozen=True, repr=False)
class Case:
    """A problem as a user would state it, and how.

    Attributes
    ----------
    seed : int
        Draws the entries of the data.
    recipe : Recipe
        What is in the data.
    model, solver : str
        Names in `MODELS` and `SOLVERS`.
    layout, bits : str, int
        How the data are handed over, and the length of their numbers.
    eta, lam : float or "auto"
        The weights in the units below.
    units : {"relative", "absolute", "converted"}
        Relative, absolute, or absolute ones that are made from relative ones by the case itself.
    tol : float
        Relative gap asked for.
    delta : float or None
        Smoothing of the residual norms, as a part of their mean square in converted units.
    """

    seed: int
    recipe: data.Recipe
    model: str = "spca"
    solver: str = "auto"
    layout: str = "dense"
    bits: int = 64
    eta: float | str = 1e-2
    lam: float | str = 1e-1
    units: str = "relative"
    tol: float = 1e-4
    delta: float | None = None

    def __repr__(self) -> str:
        weights = " ".join(
            f"{name}={value if isinstance(value, str) else f'{value:.3g}'}"
            for name, value in {"eta": self.eta, "lam": self.lam, "delta": self.delta}.items()
            if value is not None
        )
        return (
            f"Case({self.seed}: {self.model} {self.solver} {self.layout}{self.bits} "
            f"{self.recipe!r} {weights} {self.units} tol={self.tol:.1e})"
        )

    @property
    def kind(self) -> str:
        """How the data are handed over."""
        return f"{self.layout}{self.bits}"

    def rows(self) -> Array:
        """Return the samples as a dense array of the numbers that are handed over."""
        rows = data.make(self.recipe, np.random.default_rng([self.seed, 1]))
        return rows.astype(np.float32 if self.bits == 32 else np.float64)

    def gram(self, rows: Array) -> Array:
        """Return the matrix that stands for the samples in the layout of that name."""
        centred = rows - rows.mean(axis=0)
        return np.asarray(centred.T @ centred)

    def given(self, rows: Array) -> Any:
        """Return the samples in the layout in which `fit` is to take them."""
        match self.layout:
            case "gram":
                return from_gram(self.gram(rows), n_samples=len(rows))
            case "blocks" | "csr-blocks":
                rng = np.random.default_rng([self.seed, 2])
                cuts = np.sort(rng.integers(0, len(rows) + 1, size=rng.integers(1, 6)))
                return from_blocks(
                    [data.arranged(part, self.layout) for part in np.split(rows, cuts)]
                )
            case layout:
                return data.arranged(rows, layout)

    def selector(self, rows: Array) -> SPCAPSD | CSPCAPSD | AWSPCAPSD:
        """Return the selector that is to be fitted, with its weights."""
        eta, lam, delta = self._weights(rows)
        options: dict[str, Any] = {"lam": lam}
        if self.model != "aw":
            options["eta"] = eta
        if self.model != "spca":
            options["delta"] = delta
        return MODELS[self.model](
            **options,
            units="relative" if self.units == "relative" else "absolute",
            selection="scores" if self.seed % 2 else "diverse",
            solver=self.solver,
            tol=self.tol,
            max_iter=MAX_ITER,
            max_time=MAX_TIME,
            random_state=0,
        )

    def _weights(self, rows: Array) -> tuple[float | str, float | str, float | None]:
        """Return eta, lam and delta as the selector takes them."""
        if self.units != "converted":
            return self.eta, self.lam, self.delta
        assert not isinstance(self.eta, str)
        assert not isinstance(self.lam, str)
        exact = rows.astype(np.longdouble)
        squares = ((exact - exact.mean(axis=0)) ** 2).sum(axis=1)
        loss = squares.sum() if self.model == "spca" else np.sqrt(squares).sum()
        eta = 1.0 if self.model == "aw" else self.eta
        # Samples that are all the same leave nothing to smooth.
        delta = None if self.delta is None else float(self.delta * squares.mean()) or None
        eta, lam = (min(weight * loss, LARGEST) for weight in (eta, self.lam * eta))
        return float(eta), float(lam), delta


def draw(seed: int) -> Case:
    """Return the case of a seed."""
    rng = np.random.default_rng(seed)
    model = str(rng.choice(list(MODELS), p=[0.5, 0.3, 0.2]))
    squared = model == "spca"
    layout = _chosen(rng, LAYOUTS)
    solver = _chosen(rng, SOLVERS)
    units = _chosen(rng, UNITS)
    bits = 32 if layout != "gram" and rng.random() < 0.3 else 64
    recipe = data.draw_recipe(rng, WIDEST[layout if layout == "gram" else bits])
    delta = None if squared or rng.random() < 0.8 else float(10.0 ** rng.uniform(-8.0, 0.0))
    units = units if delta is None else "converted"
    eta, lam = (_weight(rng, units) for _ in range(2))
    if not squared and "blocks" in layout and solver in ("admm", "published"):
        solver = "factored"  # these want all rows of a robust model in memory, and say so
    if squared and recipe.content == "crowded":
        eta, units = data.crowded_eta(recipe), "relative"
    return Case(
        seed,
        recipe,
        model,
        "auto" if squared and solver == "reweighted" else solver,
        "dense" if layout == "gram" and not squared else layout,
        bits,
        eta,
        lam,
        units,
        float(10.0 ** rng.uniform(-7.0, -3.0)),
        delta,
    )


def is_refusal(error: Exception) -> bool:
    """Return whether an error says that doubles cannot hold what is asked for."""
    return isinstance(error, ValueError) and any(word in str(error) for word in REFUSALS)


def _chosen(rng: np.random.Generator, shares: dict[str, float]) -> str:
    return str(rng.choice(list(shares), p=list(shares.values())))


def _weight(rng: np.random.Generator, units: str) -> float | str:
    """Return a weight: often a usual one, sometimes any of twelve decades, none or automatic."""
    kind = rng.random()
    if kind < 0.1 and units == "relative":
        return "auto"
    if kind < 0.15:
        return 0.0
    if units == "absolute":
        return float(10.0 ** rng.uniform(-6.0, 6.0))
    return float(10.0 ** (rng.uniform(-4.0, 0.0) if kind < 0.6 else rng.uniform(-11.0, 1.0)))
