"""Webhooks: whoever wants to hear what happens says where, and is told by a process of its own."""
