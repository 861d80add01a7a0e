"""Webhooks: from what has happened to messages that are signed, sent and tried again."""
