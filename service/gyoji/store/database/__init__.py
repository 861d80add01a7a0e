"""Runs SQL on SQLite and PostgreSQL behind one port, and guards against databases that have gone back."""
