"""The transparency log over all matches, as a store keeps it: pending leaves, leaves in order, tiles, checkpoints."""
