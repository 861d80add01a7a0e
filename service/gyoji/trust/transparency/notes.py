"""Writes and reads signed notes and checkpoints, byte for byte as C2SP has them (signed-note, tlog-checkpoint).

A note is text, an empty line, and a line for each signature. Only Ed25519 (type 1) is written and read; signatures of
other kinds, or by keys that the reader does not know, are passed over, as the specification demands.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from gyoji.log.signatures import Signer, public_bytes

ED25519 = b"\x01"
LONGEST = 1 << 20
"""Bytes of a note that is read."""
MOST_SIGNATURES = 100

CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
LINE = re.compile("— ([^ ]+) ([A-Za-z0-9+/]+={0,2})")
SIZE = re.compile("0|[1-9][0-9]{0,18}")


class Verifier(NamedTuple):
    """A key that notes are verified with, and the name that it signs under."""

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that a signature begins with."""
        return key_hash(self.name, self.public)


class Checkpoint(NamedTuple):
    """A checkpoint: the root of the tree of a log at some size."""

    origin: str
    size: int
    root: bytes


class BadNote(Exception):
    """A note that must not be believed; ``why`` tells whether its form, its key or its signature is wrong."""

    def __init__(self, why: Literal["malformed", "unknown-key", "wrong-signature"]) -> None:
        super().__init__(why)
        self.why = why


def log_name(origin: str, generation: int = 0) -> str:
    """Return the origin of a service's log, which is its key's name too; a name has neither spaces nor plus signs.

    After a recovery it is another log, of that ``generation``.
    """
    name = f"{origin.replace('%', '%25').replace(' ', '%20').replace('+', '%2B')}/log"
    return f"{name}/{generation}" if generation else name


def is_log_name(name: str, origin: str) -> bool:
    """Tell whether it is the name of a log of that service, of any generation."""
    base = log_name(origin)
    return name == base or name.startswith(f"{base}/")


def key_hash(name: str, public: bytes) -> bytes:
    """Return the four bytes that tell keys of one name apart."""
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:4]


def write_vkey(verifier: Verifier) -> str:
    """Write a key as text: ``name+hash+base64``."""
    return f"{verifier.name}+{verifier.id.hex()}+{b64encode(ED25519 + verifier.public).decode()}"


def read_vkey(text: str) -> Verifier:
    """Read a key from a text that ``write_vkey`` has written. Raises ``ValueError`` where it is not exactly that, or
    its hash is another key's."""
    name, _, rest = text.partition("+")
    hexed, _, encoded = rest.partition("+")
    key = b64decode(encoded, validate=True)
    verifier = Verifier(name, key[1:])
    if len(key) != 33 or not _is_name(name) or write_vkey(verifier) != text or hexed != verifier.id.hex():
        raise ValueError("expected NAME+HASH+KEY, an Ed25519 key of a signed note")
    return verifier


def _is_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(char.isspace() or char < " " for char in name)


def sign_note(text: str, signing: Signer) -> str:
    """Sign a text, which ends with a newline, under the signer's origin; return the note."""
    if not text.endswith("\n") or CONTROL.search(text) or not _is_name(signing.origin):
        raise ValueError("no text or no name of a note")
    raw = key_hash(signing.origin, public_bytes(signing.private)) + signing.private.sign(text.encode())
    return f"{text}\n— {signing.origin} {b64encode(raw).decode()}\n"


def open_note(note: bytes, verifiers: Sequence[Verifier]) -> str:
    """Return the text of a note that one of these keys has signed. Raises ``BadNote``, also where a signature by any of
    the keys is wrong."""
    text, signatures = _split_note(note)
    known = {(verifier.name, verifier.id): verifier for verifier in verifiers}
    by = [(known[name, raw[:4]], raw[4:]) for name, raw in signatures if (name, raw[:4]) in known]
    if not by:
        raise BadNote("unknown-key")
    for verifier, raw in by:
        try:
            Ed25519PublicKey.from_public_bytes(verifier.public).verify(raw, text.encode())
        except InvalidSignature:
            raise BadNote("wrong-signature") from None
    return text


def _split_note(note: bytes) -> tuple[str, list[tuple[str, bytes]]]:
    try:
        whole = note.decode() if len(note) <= LONGEST else "\x00"
    except UnicodeDecodeError:
        raise BadNote("malformed") from None
    end = whole.rfind("\n\n")
    lines = whole[end + 2 :].split("\n")
    if CONTROL.search(whole) or end < 0 or lines.pop() != "" or not 0 < len(lines) <= MOST_SIGNATURES:
        raise BadNote("malformed")
    return whole[: end + 1], [_signature(line) for line in lines]


def _signature(line: str) -> tuple[str, bytes]:
    found = LINE.fullmatch(line)
    if found is None or not _is_name(found[1]):
        raise BadNote("malformed")
    try:
        raw = b64decode(found[2], validate=True)
    except ValueError:
        raise BadNote("malformed") from None
    if len(raw) < 5 or b64encode(raw).decode() != found[2]:
        raise BadNote("malformed")
    return found[1], raw


def checkpoint_text(checkpoint: Checkpoint) -> str:
    """Write the text of a checkpoint: three lines."""
    return f"{checkpoint.origin}\n{checkpoint.size}\n{b64encode(checkpoint.root).decode()}\n"


def read_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint; lines after the third are somebody else's. Raises ``BadNote``."""
    lines = text.split("\n")
    if len(lines) < 4 or lines.pop() != "" or "" in lines or SIZE.fullmatch(lines[1]) is None:
        raise BadNote("malformed")
    try:
        root = b64decode(lines[2], validate=True)
    except ValueError:
        raise BadNote("malformed") from None
    if len(root) != 32 or b64encode(root).decode() != lines[2]:
        raise BadNote("malformed")
    return Checkpoint(lines[0], int(lines[1]), root)
