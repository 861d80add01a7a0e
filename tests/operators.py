"""The operator of the services that tests start."""

OPERATOR_KEY = "the-key-of-the-operator-of-the-tests"
OPERATOR = {"Authorization": f"Bearer {OPERATOR_KEY}"}
"""What an operator with every scope sends."""
