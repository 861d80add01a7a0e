"""Matches and whole tournaments played at random, and checks of them; nothing of the service needs it."""
