"""Reads secrets from the environment: from a variable, or from the file that the variable with ``_FILE`` names.

A file is what an orchestrator hands a secret over in: it is in no list of processes and in no description of a
container. No text repeats what a variable or a file holds.
"""

from collections.abc import Mapping
from pathlib import Path

SECRETS = (
    "GYOJI_STORE",
    "GYOJI_STORE_REPLICA",
    "GYOJI_STORE_LISTEN",
    "GYOJI_STORE_KEY",
    "GYOJI_OPERATOR_KEY",
    "GYOJI_KEY",
)
"""The variables whose values are secrets, or may hold a password. (Those that name files of keys are none.)"""

FILE = "_FILE"
LONGEST = 1 << 16
"""Bytes of a file that is read."""


class InvalidVariable(Exception):
    """A variable of the environment yields no secret; the text names the variable and says why."""


def read_secret(name: str, environment: Mapping[str, str]) -> str | None:
    """Read the secret of that name: the value of the variable, or the content of its file without the final line end.
    ``None`` if neither is set. An empty variable counts as not set. Raises ``InvalidVariable``."""
    value, file = environment.get(name), environment.get(name + FILE)
    if not file:
        return value or None
    if value:
        raise InvalidVariable(f"{name} and {name}{FILE} are both set: expected one of them")
    return _content(name + FILE, Path(file))


def _content(variable: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            held = file.read(LONGEST + 1)
        content = held.decode("utf-8").rstrip("\r\n")
    except OSError as failure:
        raise InvalidVariable(f"{variable}: the file cannot be read: {failure.strerror}") from None
    except ValueError:  # of a path, a zero byte; of its content, bytes that are no text
        raise InvalidVariable(f"{variable}: the file holds no text") from None
    if not content or len(held) > LONGEST or not content.isprintable():
        raise InvalidVariable(f"{variable}: expected a file with one line")
    return content
