"""The command line: the same service for people at a terminal."""
