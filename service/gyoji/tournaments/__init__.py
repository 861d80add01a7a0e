"""Tournaments: their log, pairings, points and standings. Pure; chance and results come in as values."""
