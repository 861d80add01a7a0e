"""Tournaments over HTTP: set up, paired, closed, and their standings."""
