"""``python -m gyoji``."""

from gyoji.cli.main import main

main(prog_name="gyoji")
