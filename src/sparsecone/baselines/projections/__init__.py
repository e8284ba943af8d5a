"""Projections whose rows score the features: the mathematics of the graph-based selectors."""
