"""Who may do what: keys, tokens and the table of rights. What keeps the keys comes in as a port."""
