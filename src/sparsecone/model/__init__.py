"""The problem: losses, formula, weights of the penalties, and when W = 0 is optimal."""
