"""The data behind the few questions the mathematics asks."""
