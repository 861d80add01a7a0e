"""The receiver of webhooks in Go, asked as the others are; ``make clients`` runs this, since it brings a compiler."""

import subprocess
from pathlib import Path

from client.receivers import FOLDER, check_receiver
from generators.places import ENVIRONMENT


def test_what_is_genuine_is_taken_once_and_nothing_else(tmp_path: Path) -> None:
    program = str(tmp_path / "receiver")
    for step in (("vet",), ("build", "-o", program)):
        subprocess.run(["go", *step, str(FOLDER / "receiver.go")], env=ENVIRONMENT, check=True, timeout=300)
    check_receiver([program])
