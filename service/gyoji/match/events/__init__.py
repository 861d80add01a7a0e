"""The kinds of events that a log holds, one module a kind: what is recorded, when it may happen, what it changes."""
