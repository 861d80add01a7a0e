"""The texts for people, in English and Japanese: problems, verdicts, matches move by move, rulebooks."""
