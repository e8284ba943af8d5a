"""Hostile files in numbers: damaged ones of every kind, and texts that others read as well."""
