"""Reading tables of all kinds, and writing files whole or not at all."""
