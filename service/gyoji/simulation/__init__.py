"""Plays matches and whole tournaments at random, and checks them; nothing of the service imports this room."""
