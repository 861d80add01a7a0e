"""``gyoji keys signing``: lists, rotates, exports and revokes the keys that a service signs with."""

from pathlib import Path

import click
import orjson

from gyoji.app.clock import current_time
from gyoji.app.signing_keys import keys_document
from gyoji.cli.groups import Group
from gyoji.cli.options import JSON_OPTION, OUT_OPTION, setting_option
from gyoji.cli.output import print_result, write_output
from gyoji.cli.stores import KEY_OPTION, STORE_OPTION, open_keyless, open_with_key
from gyoji.store.interface import SigningKey, Store
from gyoji.store.keys import in_force, new_key

LONGEST_REASON = 500

ORIGIN_OPTION = setting_option(
    "origin", help="The name that the key signs under; that of the log over all matches ends with /log."
)


@click.group(cls=Group)
def signing() -> None:
    """List, rotate, export and revoke the keys that receipts, heads and checkpoints are signed with.

    The service makes the first one by itself. A running service follows a change within two seconds.
    """


@signing.command(name="list")
@STORE_OPTION
@JSON_OPTION
def listed(store: str, as_json: bool) -> None:
    """List the keys, oldest first; their public halves alone."""
    with open_keyless(store) as kept:
        keys = kept.signing_keys()
    width = max((len(key.origin) for key in keys), default=0)
    lines = [f"{key.key}  {key.origin:<{width}}  {key.since}  {_state(key)}" for key in keys]
    print_result(as_json, keys_document(keys), *lines)


def _state(key: SigningKey) -> str:
    if key.revoked is not None:
        return f"revoked {key.revoked}: {key.reason or 'no reason given'}"
    return "in force" if key.until is None else f"retired {key.until}"


@signing.command()
@ORIGIN_OPTION
@STORE_OPTION
@KEY_OPTION
@JSON_OPTION
def rotate(origin: str, store: str, store_key: str | None, as_json: bool) -> None:
    """Put a new key in the place of the one in force. What the old one has signed stays good for ever."""
    with open_with_key(store, store_key) as kept:
        old = in_force(kept.signing_keys(), origin)
        if old is None:
            raise click.ClickException(f"no key is in force for {origin}; there are keys for {_origins(kept)}")
        key = new_key(origin, current_time())
        kept.retire_signing_key(old.key, key)
    document = {"retired": old.key, "key": key.key, "origin": origin, "from": key.since}
    print_result(as_json, document, f"{key.key} signs for {origin} from now on, in the place of {old.key}")


def _origins(kept: Store) -> str:
    return ", ".join(dict.fromkeys([key.origin for key in kept.signing_keys()])) or "none"


@signing.command()
@OUT_OPTION
@STORE_OPTION
def export(out: Path | None, store: str) -> None:
    """Write the public keys, old ones and revoked ones too, as `GET /v1/keys` serves them and --trust takes them."""
    with open_keyless(store) as kept:
        document = keys_document(kept.signing_keys(), kept.restorations.documents())
    write_output([orjson.dumps(document), b"\n"], out)


@signing.command()
@click.argument("key", metavar="ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why, in words; everybody can read it.")
@STORE_OPTION
@KEY_OPTION
@JSON_OPTION
def revoke(key: str, reason: str, store: str, store_key: str | None, as_json: bool) -> None:
    """Revoke the key with that ID for good: what it has ever signed is not to be believed any more.

    If it was in force, a new one takes its place. Whoever has pinned the keys needs them anew.
    """
    if not reason.strip() or not reason.isprintable() or len(reason) > LONGEST_REASON:
        raise click.BadParameter(f"1 to {LONGEST_REASON} characters in one line", param_hint="--reason")
    with open_with_key(store, store_key) as kept:
        made = _revoke_key(kept, key, reason)
    document = {"revoked": key, "reason": reason, "key": None if made is None else made.key}
    after = "" if made is None else f"; {made.key} signs for {made.origin} from now on"
    print_result(as_json, document, f"revoked {key}{after}")


def _revoke_key(kept: Store, name: str, reason: str) -> SigningKey | None:
    """Revoke a key; return the key that has taken its place, if there had to be one."""
    known = next((key for key in kept.signing_keys() if key.key == name), None)
    if known is None or known.revoked is not None:
        raise click.ClickException("no such key, or it has been revoked before")
    at = current_time()
    made = new_key(known.origin, at) if known.is_in_force else None
    kept.revoke_signing_key(name, at, reason, made)
    return made
