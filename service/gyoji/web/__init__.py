"""The Flask application: thin handlers, problem details, logs."""
