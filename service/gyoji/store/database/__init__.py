"""SQL on SQLite and PostgreSQL behind one port, the statements, and the guard against databases that have gone back."""
