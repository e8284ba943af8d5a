"""Linear algebra that more than one room needs, each thing once."""
