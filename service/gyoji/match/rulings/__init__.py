"""Each module records one kind of ruling: what it holds, when it can be made, and what it changes."""
