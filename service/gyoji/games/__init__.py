"""The rules. Pure: no JSON, clock, randomness, I/O, Flask or marshmallow."""
