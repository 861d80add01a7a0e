"""The replay log: events, canonical bytes, chain, openings, fold, files, audit. Pure; the rules come in as a value."""
