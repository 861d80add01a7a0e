"""Runs the command line: ``python -m gyoji`` is the command ``gyoji``."""

from gyoji.cli.main import main

main(prog_name="gyoji")
