"""Encodes canonical bytes (RFC 8785) and computes the hashes and commitments over them.

Documents hold strings, integers within plus or minus 2^53 - 1, booleans, ``None``, lists and objects with ASCII names.
For those RFC 8785 is sorted names, no spaces and UTF-8, which orjson writes; a test compares it with another library.
"""

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from typing import Any

import orjson

from gyoji.games.chance import length_prefixed

ZERO = bytes(32)
"""What stands in ``prev`` at ``seq`` 0."""

SALT_LENGTH = (32).to_bytes(4, "big")
SECRET = length_prefixed("secret/1") + SALT_LENGTH
POSITION = length_prefixed("position/1") + SALT_LENGTH
"""What ``LP`` begins with before a salt of 32 bytes; ``LP`` itself is slow where thousands of openings are checked."""


canonical: Callable[[Any], bytes] = partial(orjson.dumps, option=orjson.OPT_SORT_KEYS)
"""The document's canonical bytes."""


def leaf_hash(body: bytes) -> bytes:
    """Return the hash of a log event: that of a leaf (RFC 9162, section 2.1.1), 32 bytes."""
    return sha256(b"\x00" + body).digest()


def secret_commitment(salt: bytes, payload: bytes) -> str:
    """Return the commitment to something hidden in the log; ``payload`` are canonical bytes, ``salt`` 32 random
    ones."""
    return sha256(b"%b%b%b%b" % (SECRET, salt, len(payload).to_bytes(4, "big"), payload)).hexdigest()


def position_commitment(salt: bytes, state: Mapping[str, Any]) -> str:
    """Return the commitment to a whole position: the state envelope without seed and options."""
    held = {**state}
    held.pop("seed", None)
    held.pop("options", None)
    bare = canonical(held)
    return sha256(b"%b%b%b%b" % (POSITION, salt, len(bare).to_bytes(4, "big"), bare)).hexdigest()
