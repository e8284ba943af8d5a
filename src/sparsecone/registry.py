"""Every method of the library in one list: what it is, where it is from and what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .selectors.base import Selector

PSD: dict[str, Any] = {
    "kind": "SPCA",
    "convexity": "convex",
    "paper": "Zheng et al., Fast Sparse PCA via Positive Semidefinite Projection",
    "year": 2023,
}


@dataclass(frozen=True, kw_only=True)
class Method:
    """One method.

    Costs are in d features, n samples, k neighbours, h selected features, m columns of a
    projection, the rank r of W, t iterations and t₁, t₂ inner ones.

    Attributes
    ----------
    name : str
        The key: lower case, no spaces.
    label : str
        The name in tables and plots.
    location : str
        "module:Class" within `sparsecone`; imported when first asked for.
    kind : {"SPCA", "spectral", "control"}
        What the method builds on.
    complexity : str
        The cost of one iteration of this implementation, and of what comes before the first.
    paper : str
        Authors and title, or "none" for a control.
    year : int or None
        Its year.
    published_complexity : str
        The total cost as the SPCA-PSD paper's table states it.
    convexity : str
        Whether the problem is convex.
    """

    name: str
    label: str
    location: str
    kind: str
    complexity: str
    paper: str = "none"
    year: int | None = None
    published_complexity: str = "not stated"
    convexity: str = "no optimisation"

    @property
    def selector(self) -> type[Selector]:
        """The class of the selector."""
        module, _, name = self.location.partition(":")
        selector: type[Selector] = getattr(import_module(f"sparsecone.{module}"), name)
        return selector

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the selector with their defaults."""
        arguments = signature(self.selector).parameters
        return {name: argument.default for name, argument in arguments.items()}


METHODS = (
    Method(
        name="spca-psd",
        label="SPCA-PSD",
        location="selectors.spca_psd:SPCAPSD",
        complexity="O(dr min(d, n) + dr²); O(d³) where the rank is high",
        published_complexity="O(d²n + td³)",
        **PSD,
    ),
    Method(
        name="cspca-psd",
        label="CSPCA-PSD",
        location="selectors.cspca_psd:CSPCAPSD",
        complexity="O(dnr + dr²); O(nd² + d³) where the rank is high",
        **PSD,
    ),
    Method(
        name="aw-spca-psd",
        label="AW-SPCA-PSD",
        location="selectors.aw_spca_psd:AWSPCAPSD",
        complexity="O(dnr + dr²); O(nd² + d³) where the rank is high",
        **PSD,
    ),
    Method(
        name="spcafs",
        label="SPCAFS",
        location="baselines.spcafs:SPCAFS",
        paper="Li et al., Sparse PCA via l2,p-Norm Regularization",
        year=2021,
        kind="SPCA",
        complexity="O(nd²) for S, then O(d³); O(dn² + dnm) if d > n",
        published_complexity="O(d²n + td³)",
        convexity="non-convex",
    ),
    Method(
        name="cspca",
        label="CSPCA",
        location="baselines.cspca:CSPCA",
        paper="Chang et al., Convex Sparse PCA for Unsupervised Feature Learning",
        year=2016,
        kind="SPCA",
        complexity="O(nd² + d³); O(dn²) if d > n",
        published_complexity="O(t(d³ + n²))",
        convexity="convex",
    ),
    Method(
        name="aw-spca",
        label="AW-SPCA",
        location="baselines.aw_spca:AWSPCA",
        paper="Yi et al., Adaptive Weighted Sparse Principal Component Analysis",
        year=2020,
        kind="SPCA",
        complexity="O(nd² + d³); O(dn²) if d > n",
        published_complexity="O(t(d³ + dn²))",
        convexity="convex",
    ),
    Method(
        name="laplacian-score",
        label="LapScore",
        location="baselines.laplacian_score:LaplacianScore",
        paper="He, Cai, Niyogi, Laplacian Score for Feature Selection",
        year=2005,
        kind="spectral",
        complexity="O(dn²) for the neighbours, O(dnk) for the scores",
        published_complexity="O(dn²)",
    ),
    Method(
        name="udfs",
        label="UDFS",
        location="baselines.udfs:UDFS",
        paper="Yang et al., l2,1-Norm Regularized Discriminative Feature Selection",
        year=2011,
        kind="spectral",
        complexity="O(dn²) for the neighbours, then O(d³); O(n³ + dn²) if d > n",
        published_complexity="O(dn² + td³)",
        convexity="non-convex",
    ),
    Method(
        name="sogfs",
        label="SOGFS",
        location="baselines.sogfs:SOGFS",
        paper="Nie, Zhu, Li, Unsupervised Feature Selection with Structured Graph Optimization",
        year=2016,
        kind="spectral",
        complexity="O(dn²) for the neighbours, then O(n²m + t₁d³); O(n³ + t₁dn²) if d > n",
        published_complexity="O(dn² + t(d³t₁ + n²m + ndm))",
        convexity="non-convex",
    ),
    Method(
        name="rne",
        label="RNE",
        location="baselines.rne:RNE",
        paper="Liu et al., Robust Neighborhood Embedding",
        year=2020,
        kind="spectral",
        complexity="O(dn²) for the neighbours, then O(t₁dh min(d, n) + t₁dh²)",
        published_complexity="O(dn² + t(t₁(n + s)d² + t₂n))",
        convexity="non-convex (the paper's table says convex)",
    ),
    Method(
        name="all-features",
        label="All features",
        location="selectors.controls:AllFeatures",
        kind="control",
        complexity="O(d)",
    ),
    Method(
        name="max-variance",
        label="Highest variance",
        location="selectors.controls:MaxVariance",
        kind="control",
        complexity="O(dn)",
    ),
    Method(
        name="random",
        label="Random subset",
        location="selectors.controls:RandomFeatures",
        kind="control",
        complexity="O(d)",
    ),
)


def methods() -> tuple[Method, ...]:
    """Return every method: those of the paper, those it compares with, and the controls.

    Examples
    --------
    >>> from sparsecone.registry import methods
    >>> [method.label for method in methods() if method.kind == "control"]
    ['All features', 'Highest variance', 'Random subset']
    """
    return METHODS
