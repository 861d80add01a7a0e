"""The PostgreSQL database: connections, statements, the notifier, a read replica."""
