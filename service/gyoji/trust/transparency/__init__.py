"""The transparency log over all matches: its Merkle tree, checkpoints, and checks of both from outside. Pure."""
