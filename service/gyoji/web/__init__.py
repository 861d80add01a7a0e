"""Serves HTTP with Flask: thin handlers, problem details, logs."""
