"""Tournaments: entrants, rounds, pairings, points and standings. Pure: chance and results come in as values."""
