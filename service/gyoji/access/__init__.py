"""Who may do what: keys, tokens, and decisions by the rights of operations. What keeps the keys comes in as a port."""
