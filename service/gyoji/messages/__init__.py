"""What is said to people, in English and Japanese: problems, verdicts, matches told move by move, rulebooks."""
