"""API keys: their text, what is kept of them, what they may carry."""

import hashlib

import pytest

from gyoji.access.keys import (
    GRANTABLE_SCOPES,
    MEANINGS,
    KeyRole,
    digest,
    grantable_scopes,
    is_operator_key,
    key_id,
    new_key,
)
from gyoji.api.rights import Scope

RANDOM = bytes(range(224, 256))


@pytest.mark.parametrize(
    ("role", "prefix"), [("operator", "gyoji_op_"), ("referee", "gyoji_ref_"), ("auditor", "gyoji_aud_")]
)
def test_a_key_is_its_role_and_its_random_bytes(role: KeyRole, prefix: str) -> None:
    # base64url of e0 e1 ... ff, by hand: 11100000 11100001 11100010 -> 111000 001110 000111 100010 -> 4 O H i
    assert new_key(role, RANDOM) == prefix + "4OHi4-Tl5ufo6err7O3u7_Dx8vP09fb3-Pn6-_z9_v8"


@pytest.mark.parametrize("count", [0, 16, 31, 33, 64])
def test_a_key_of_less_or_more_is_none(count: int) -> None:
    with pytest.raises(ValueError, match="32 random bytes"):
        new_key("operator", bytes(count))


def test_what_is_kept_of_a_key_is_its_digest() -> None:
    # FIPS 180-2, appendix B.1
    assert digest("abc").hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    key = new_key("auditor", RANDOM)
    assert key_id(digest(key)) == hashlib.sha256(key.encode()).hexdigest()[:16]


def test_the_scopes_and_who_may_carry_them() -> None:
    named = {
        *("matches:create", "matches:read", "matches:play", "matches:tokens", "matches:fork", "matches:unseal"),
        *("matches:entropy", "matches:void", "matches:rule", "groups:manage", "replays:store"),
        *("tournaments:manage", "webhooks:manage"),
    }
    assert {str(scope) for scope in Scope} == named
    assert {role: {str(scope) for scope in scopes} for role, scopes in GRANTABLE_SCOPES.items()} == {
        "operator": named,
        "referee": {"matches:unseal"},
        "auditor": set(),
    }
    assert MEANINGS.keys() == named
    assert all(meaning.endswith(".") for meaning in MEANINGS.values())


def test_a_key_carries_what_its_role_may() -> None:
    assert grantable_scopes("operator", ("matches:read", "replays:store")) == {Scope.READ, Scope.STORE}
    assert grantable_scopes("referee", ("matches:play", "matches:unseal")) == {Scope.UNSEAL}
    assert grantable_scopes("auditor", [*Scope]) == set()
    assert grantable_scopes("operator", ("matches:delete", "matches", "*", "MATCHES:READ")) == set()
    assert grantable_scopes("operator", ()) == set()


@pytest.mark.parametrize(
    ("text", "may_be"),
    [
        ("x" * 31, False),
        ("x" * 32, True),
        ("x" * 256, True),
        ("x" * 257, False),
        ("!~" * 16, True),
        ("x" * 31 + " ", False),
        ("x" * 32 + "\n", False),
        ("x" * 31 + "\x7f", False),
        ("x" * 31 + "é", False),
        ("", False),
    ],
)
def test_what_may_be_the_operators_key(text: str, may_be: bool) -> None:
    assert is_operator_key(text) is may_be
