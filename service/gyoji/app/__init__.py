"""What the service does, apart from HTTP: rulings, matches, tournaments, webhooks, settings, logs and metrics."""
