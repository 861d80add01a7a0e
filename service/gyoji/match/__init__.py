"""A match is a sequence of events: its state, clocks, seeding and rulings, and what is recorded of each. Pure."""
