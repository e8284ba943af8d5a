"""Attacks on the certificate from outside, through the public selectors alone."""
