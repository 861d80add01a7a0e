"""The audit judges a log: the rules predict each event, and the first one that differs is explained. Pure."""
