"""Measures what gyoji costs, as ratios to peers that run on the same machine in the same minutes (``make bench``)."""
