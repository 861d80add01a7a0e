"""Players for every game: at random, with an eye on the next turn, and searching. They are pure."""
