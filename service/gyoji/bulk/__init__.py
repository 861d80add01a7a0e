"""Audits of many replays: where they lie, who audits them, and the reports about them. Knows no command line."""
