"""The methods that choose one feature after the other, and the controls."""

from __future__ import annotations

from .method import Method

CHOICES = (
    Method(
        name="cur",
        label="CUR",
        location="sparsecone.baselines.cur:CUR",
        paper="Mahoney, Drineas, CUR Matrix Decompositions for Improved Data Analysis",
        year=2009,
        kind="geometric",
        complexity="O(d²n) once, then O(td²) a feature; O(dn²), then O(dn + tn²) if d > n",
        convexity="greedy choice",
    ),
    Method(
        name="fps",
        label="FPS",
        location="sparsecone.baselines.fps:FPS",
        paper="Eldar et al., The Farthest Point Strategy for Progressive Image Sampling",
        year=1997,
        kind="geometric",
        complexity="O(dn) a feature",
        convexity="greedy choice",
    ),
)

CONTROLS = (
    Method(
        name="all-features",
        label="All features",
        location="sparsecone.selectors.controls:AllFeatures",
        kind="control",
        complexity="O(d)",
    ),
    Method(
        name="max-variance",
        label="Highest variance",
        location="sparsecone.selectors.controls:MaxVariance",
        kind="control",
        complexity="O(dn)",
    ),
    Method(
        name="random",
        label="Random subset",
        location="sparsecone.selectors.controls:RandomFeatures",
        kind="control",
        complexity="O(d)",
    ),
)
