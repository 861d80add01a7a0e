"""Stored matches over HTTP: created, played, read, followed, forked, exported, imported, audited."""
