"""Feature selectors, one method a file."""
