"""The soak: mixed traffic at a fixed rate for long, every answer checked."""
