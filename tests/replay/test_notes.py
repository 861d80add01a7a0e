"""Signed notes: the example of the Go implementation, the checkpoint of the specification, and notes that are none."""

from base64 import b64decode

import pytest

from gyoji.log.signatures import public_bytes, signer
from gyoji.trust.transparency.notes import (
    BadNote,
    Checkpoint,
    Verifier,
    checkpoint_text,
    key_hash,
    log_name,
    open_note,
    read_checkpoint,
    read_vkey,
    sign_note,
    write_vkey,
)
from gyoji.trust.transparency.tree import EMPTY

VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PRIVATE = b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
LINE = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
NOTE = f"{TEXT}\n{LINE}"
PETER = read_vkey(VKEY)

SPECIFIED = """\
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
"""


def why(note: str | bytes, *keys: Verifier) -> str:
    """Why the note is refused."""
    with pytest.raises(BadNote) as found:
        open_note(note if isinstance(note, bytes) else note.encode(), keys or (PETER,))
    return found.value.why


def test_the_note_of_the_reference_implementation() -> None:
    signing = signer(PRIVATE, "PeterNeumann")
    assert sign_note(TEXT, signing) == NOTE
    assert write_vkey(Verifier("PeterNeumann", public_bytes(signing.private))) == VKEY
    assert PETER.id.hex() == key_hash("PeterNeumann", PETER.public).hex() == "c74f20a3"
    assert open_note(NOTE.encode(), [PETER]) == TEXT


def test_every_part_of_a_key_counts() -> None:
    for start in range(len(VKEY)):
        for end in range(start + 1, len(VKEY) + 1):
            if (start, end) != (0, len(VKEY)):
                with pytest.raises(ValueError, match=r"."):
                    read_vkey(VKEY[start:end])
    for place, char in enumerate(VKEY):
        with pytest.raises(ValueError, match=r"."):
            read_vkey(VKEY[:place] + chr(ord(char) + 1) + VKEY[place + 1 :])


@pytest.mark.parametrize(
    "text",
    [
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "",
        "+",
        "++",
    ],
)
def test_keys_of_another_length_or_kind(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_vkey(text)


def test_every_flipped_bit_of_the_text_and_of_the_signature_is_noticed() -> None:
    whole = NOTE.encode()
    for place in range(len(whole)):
        for bit in range(8):
            wrong = whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :]
            assert why(wrong) in ("malformed", "unknown-key", "wrong-signature")


def test_signatures_of_others_are_passed_over() -> None:
    other = signer(bytes(32), "Enoch.Root")
    both = f"{NOTE}{sign_note(TEXT, other).rpartition(chr(10) + chr(10))[2]}"
    enoch = Verifier("Enoch.Root", public_bytes(other.private))
    assert open_note(both.encode(), [PETER]) == open_note(both.encode(), [enoch]) == TEXT
    assert open_note(both.encode(), [PETER, enoch]) == TEXT
    assert why(NOTE, enoch) == "unknown-key"
    assert why(NOTE, Verifier("PeterNeumann", enoch.public)) == "unknown-key"


def test_one_wrong_signature_of_a_known_key_spoils_the_note() -> None:
    other = signer(bytes(32), "Enoch.Root")
    line = sign_note("another text\n", other).rpartition("\n\n")[2]
    enoch = Verifier("Enoch.Root", public_bytes(other.private))
    assert why(f"{NOTE}{line}", PETER, enoch) == "wrong-signature"
    assert why(NOTE.replace("answer", "Answer")) == "wrong-signature"


@pytest.mark.parametrize(
    "note",
    [
        "",
        TEXT,
        f"{TEXT}\n",
        NOTE[:-1],
        f"{NOTE}\n",
        NOTE.replace("\n\n", "\n"),
        NOTE.replace("— ", "- "),
        NOTE.replace("— ", "—"),
        NOTE.replace(" x08", "  x08"),
        NOTE.replace("AM=", "AM"),
        NOTE.replace("AM=", "AN="),
        f"{TEXT}\n— PeterNeumann x08g\n",
        f"{TEXT}\n— Peter+Neumann x08go/ZJ\n",
        NOTE.replace("you think", "you\tthink"),
        NOTE.replace("you think", "you\x00think"),
        f"{TEXT}\n{LINE * 101}",
        f"{'a' * (1 << 20)}\n\n{LINE}",
    ],
)
def test_what_is_no_note(note: str) -> None:
    assert why(note) == "malformed"


def test_a_note_is_utf8() -> None:
    assert why(b"\xff\n\n" + LINE.encode()) == "malformed"


def test_texts_and_names_that_cannot_be_signed() -> None:
    signing = signer(PRIVATE, "PeterNeumann")
    for text in ("no newline", "", "tab\there\n"):
        with pytest.raises(ValueError, match="no text or no name"):
            sign_note(text, signing)
    for name in ("", "two words", "a+b", "no\u2003break"):
        with pytest.raises(ValueError, match="no text or no name"):
            sign_note("text\n", signer(PRIVATE, name))


def test_the_checkpoint_of_the_specification() -> None:
    said = read_checkpoint(SPECIFIED)
    assert said[:2] == ("example.com/behind-the-sofa", 20_852_163)
    assert said.root.hex() == "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62"
    assert checkpoint_text(said) == SPECIFIED
    assert checkpoint_text(Checkpoint("a", 0, EMPTY)) == "a\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n"
    assert read_checkpoint(f"{SPECIFIED}an extension\n") == said


@pytest.mark.parametrize(
    "text",
    [
        "",
        SPECIFIED[:-1],
        SPECIFIED.replace("20852163", "020852163"),
        SPECIFIED.replace("20852163", "-1"),
        SPECIFIED.replace("20852163", "1e3"),
        SPECIFIED.replace("20852163", "9" * 20),
        SPECIFIED.replace("q2I=", "q2J="),
        SPECIFIED.replace("q2I=", "q2"),
        SPECIFIED.replace("CsUY", "CsUYCsUY"),
        f"\n{SPECIFIED}",
        f"{SPECIFIED}\n",
    ],
)
def test_what_is_no_checkpoint(text: str) -> None:
    with pytest.raises(BadNote, match="malformed"):
        read_checkpoint(text)


def test_the_name_of_a_log_has_neither_spaces_nor_plus_signs() -> None:
    assert log_name("gyoji.example") == "gyoji.example/log"
    assert log_name("Club+ of 100%") == "Club%2B%20of%20100%25/log"
