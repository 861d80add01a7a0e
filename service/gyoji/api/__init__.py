"""The HTTP contract: shapes of what is sent and answered, operations, and the gate that JSON passes."""
