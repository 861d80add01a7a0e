"""The log writes a match down: canonical bytes, hash chain, commitments, openings, signatures, replay files. Pure."""
