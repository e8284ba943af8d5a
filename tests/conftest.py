"""Puts this folder on the import path, so that tests in every subfolder can import `shared`."""
