"""Makes, looks up and replaces the keys that this service signs with, and shows them to whoever verifies.

A key signs for one origin, and one purpose is one origin: receipts and heads under the service's name, checkpoints
under that of its log. Which key is in force stands in the store alone, so that a running service follows what the
command line changes there.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.app.clock import current_time
from gyoji.log.signatures import Signer, signer
from gyoji.store.interface import Conflict, SigningKey, Store
from gyoji.store.keys import in_force, new_key

FRESH = 2.0
"""Seconds after which a process looks up again which key is in force."""


def current_signer(store: Store, origin: str) -> Signer:
    """Return the signer of the store's key of that origin that is in force; make the key if there is none."""
    for _attempt in range(2):
        kept = in_force(store.signing_keys(), origin)
        if kept is not None:
            return signer(kept.private, origin)
        _make(store, origin)
    raise RuntimeError("a signing key was made and is not there")


def _make(store: Store, origin: str) -> None:
    try:
        store.add_signing_key(new_key(origin, current_time()))
    except Conflict:  # another process was first; its key is as good
        return


def keys_document(keys: Sequence[SigningKey], restorations: Sequence[Mapping[str, Any]] = ()) -> Mapping[str, Any]:
    """Write the public keys as ``GET /v1/keys`` serves them and ``--trust`` takes them: the old ones too, since what
    they have signed is to be verified for ever; and what was signed each time that the store had gone back."""
    restored = {"restorations": list(restorations)} if restorations else {}
    return {
        **restored,
        "keys": [
            {
                "key": key.key,
                "origin": key.origin,
                "public": key.public.hex(),
                "from": key.since,
                "until": key.until,
                "revoked": key.revoked,
                "reason": key.reason,
            }
            for key in keys
        ],
    }
