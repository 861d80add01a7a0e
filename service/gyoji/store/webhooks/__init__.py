"""Webhooks, as a store keeps them: subscriptions, news, and the queues of deliveries."""
