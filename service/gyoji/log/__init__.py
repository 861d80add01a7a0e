"""How a match is written: canonical bytes, hash chain, commitments, openings, signatures, replay files. Pure."""
