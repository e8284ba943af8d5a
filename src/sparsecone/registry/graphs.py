"""The methods that build on a graph of the samples."""

from __future__ import annotations

from .method import Method

GRAPHS = (
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
        name="mcfs",
        label="MCFS",
        location="baselines.mcfs:MCFS",
        paper="Cai, Zhang, He, Unsupervised Feature Selection for Multi-Cluster Data",
        year=2010,
        kind="spectral",
        complexity="O(dn²) for the neighbours, then O(h(dn + h²)) a cluster",
        convexity="no optimisation",
    ),
    Method(
        name="spec",
        label="SPEC",
        location="baselines.spec:SPEC",
        paper="Zhao, Liu, Spectral Feature Selection",
        year=2007,
        kind="spectral",
        complexity="O(dn²) for the neighbours, O(dnk) for the scores",
        convexity="no optimisation",
    ),
)
