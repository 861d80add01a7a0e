"""The shapes of JSON in HTTP and files, and the gate that JSON passes."""
