"""Each module records one kind of event: what its ``data`` holds, when it may happen, and what it changes."""
