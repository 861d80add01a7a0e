"""Makes and restores copies of a whole store in one file, each with a manifest that says what it holds."""
