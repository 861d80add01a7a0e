"""The kinds of rulings that a referee can make, one module a kind: when it can be made, and what it changes."""
