"""The peers' side of each comparison: one driver a peer, as lean as that peer allows."""
