"""The methods that build on principal components."""

from __future__ import annotations

from typing import Any

from .method import Method

PSD: dict[str, Any] = {
    "kind": "SPCA",
    "convexity": "convex",
    "paper": "Zheng et al., Fast Sparse PCA via Positive Semidefinite Projection",
    "year": 2023,
}

COMPONENTS = (
    Method(
        name="spca-psd",
        label="SPCA-PSD",
        location="sparsecone.selectors.spca_psd:SPCAPSD",
        complexity="O(dr min(d, n) + dr²); O(d³) where the rank is high",
        published_complexity="O(d²n + td³)",
        **PSD,
    ),
    Method(
        name="cspca-psd",
        label="CSPCA-PSD",
        location="sparsecone.selectors.cspca_psd:CSPCAPSD",
        complexity="O(dnr + dr²); O(nd² + d³) where the rank is high",
        **PSD,
    ),
    Method(
        name="aw-spca-psd",
        label="AW-SPCA-PSD",
        location="sparsecone.selectors.aw_spca_psd:AWSPCAPSD",
        complexity="O(dnr + dr²); O(nd² + d³) where the rank is high",
        **PSD,
    ),
    Method(
        name="spcafs",
        label="SPCAFS",
        location="sparsecone.baselines.spcafs:SPCAFS",
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
        location="sparsecone.baselines.cspca:CSPCA",
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
        location="sparsecone.baselines.aw_spca:AWSPCA",
        paper="Yi et al., Adaptive Weighted Sparse Principal Component Analysis",
        year=2020,
        kind="SPCA",
        complexity="O(nd² + d³); O(dn²) if d > n",
        published_complexity="O(t(d³ + dn²))",
        convexity="convex",
    ),
)
