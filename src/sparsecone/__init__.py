"""Unsupervised feature selection by convex sparse PCA on the positive semidefinite cone."""
