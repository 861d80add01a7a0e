"""``gyoji keys``: makes, lists and revokes the API keys of operators, referees and auditors."""

from secrets import token_bytes

import click

from gyoji.access.keys import GRANTABLE_SCOPES, MEANINGS, OPERATOR, RANDOM_BYTES, KeyRole, digest, key_id, new_key
from gyoji.api.rights import Scope
from gyoji.app.clock import current_time
from gyoji.cli.groups import Group
from gyoji.cli.options import JSON_OPTION
from gyoji.cli.output import print_result
from gyoji.cli.signing_keys import signing
from gyoji.cli.stores import KEY_OPTION, STORE_OPTION, open_keyless, open_with_key, store_errors
from gyoji.messages.problems import wrong_name
from gyoji.names import isolate_direction, name_fault, printable
from gyoji.store import migrate
from gyoji.store.interface import ApiKey, Store
from gyoji.store.urls import parse_url

USUAL = frozenset(Scope) - {Scope.UNSEAL}
"""The scopes of an operator's key for which none are named."""

SCOPES = "\b\nScopes:\n" + "\n".join(f"  {scope.value:20}{MEANINGS[scope]}" for scope in Scope)


@click.group(cls=Group)
def keys() -> None:
    """Make, list and revoke API keys; and the keys that the service signs with.

    An API key is shown once; only its hash is kept.
    """


keys.add_command(signing)


@keys.command(epilog=SCOPES)
@click.option("--role", required=True, type=click.Choice([*GRANTABLE_SCOPES]), help="Whose key it is.")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice([scope.value for scope in Scope]),
    metavar="SCOPE",
    help="What it may do; can be repeated. Default: an operator's all but matches:unseal, others none.",
)
@click.option(
    "--match", "matches", multiple=True, metavar="ID", help="Referees and auditors: a match it is for; repeat."
)
@click.option(
    "--tournament",
    "tournaments",
    multiple=True,
    metavar="ID",
    help="Referees and auditors: a tournament it is for, with all its matches; repeat.",
)
@click.option(
    "--account", metavar="NAME", help=f"Operators: the account whose matches it reaches. Default: {OPERATOR}."
)
@STORE_OPTION
@KEY_OPTION
@JSON_OPTION
def create(
    role: KeyRole,
    scopes: tuple[str, ...],
    matches: tuple[str, ...],
    tournaments: tuple[str, ...],
    account: str | None,
    store: str,
    store_key: str | None,
    as_json: bool,
) -> None:
    """Make a key and print it, this once."""
    bound = (*matches, *tournaments)
    _check_role(role, scopes, bound, account)
    with store_errors():
        place = parse_url(store)
        migrated = migrate(store)
    with open_with_key(store, store_key) as kept:
        for match in matches:
            if kept.match(match) is None:
                raise click.ClickException(f"the store has no match {match}")
        for tournament in tournaments:
            if kept.tournaments.tournament(tournament) is None:
                raise click.ClickException(f"the store has no tournament {tournament}")
        key = new_key(role, token_bytes(RANDOM_BYTES))
        record = _record(key, role, scopes, matches, account)._replace(tournaments=tuple(dict.fromkeys(tournaments)))
        kept.add_key(record)
    print_result(as_json, {"key": key, **_document(record)}, key)
    is_new = migrated is not None and migrated.before is None
    click.echo(f"{'Made' if is_new else 'Used'} {printable(str(place))}.", err=True)
    if not as_json:
        click.echo(f"Key {record.id}, {role}. It is not shown again.", err=True)


def add_referee_key(kept: Store, tournament: str) -> str:
    """Make and keep a key for a referee of that tournament."""
    key = new_key("referee", token_bytes(RANDOM_BYTES))
    kept.add_key(_record(key, "referee", (), (), None)._replace(tournaments=(tournament,)))
    return key


def _check_role(role: KeyRole, scopes: tuple[str, ...], bound: tuple[str, ...], account: str | None) -> None:
    """Refuse a key that its role gives no meaning to."""
    beyond = [scope for scope in scopes if scope not in GRANTABLE_SCOPES[role]]
    if beyond:
        raise click.UsageError(f"the key of a role {role} does not carry {', '.join(beyond)}")
    if role == "operator" and bound:
        raise click.UsageError("an operator's key is for an account, not for matches and tournaments")
    if role != "operator" and account is not None:
        raise click.UsageError(f"the key of a role {role} is for matches, not for an account")
    if role != "operator" and not bound:
        raise click.UsageError(f"the key of a role {role} is for matches: name them with --match or --tournament")
    wrong = None if account is None else name_fault(account)
    if wrong is not None:
        raise click.UsageError(f"--account: {wrong_name(wrong, 'en')}")


def _record(key: str, role: KeyRole, scopes: tuple[str, ...], matches: tuple[str, ...], account: str | None) -> ApiKey:
    usual = sorted(USUAL) if role == "operator" else []
    kept = digest(key)
    owner = (account or OPERATOR) if role == "operator" else ""
    return ApiKey(
        key_id(kept),
        kept,
        role,
        owner,
        tuple(sorted({*scopes}) or usual),
        tuple(dict.fromkeys(matches)),
        current_time(),
    )


@keys.command(name="list")
@STORE_OPTION
@JSON_OPTION
def listed(store: str, as_json: bool) -> None:
    """List the keys, oldest first; never the keys themselves."""
    with open_keyless(store) as kept:
        records = kept.keys()
    print_result(as_json, {"keys": [_document(record) for record in records]}, *map(_line, records))


def _line(record: ApiKey) -> str:
    is_operator = record.role == "operator"
    reach = (
        f"account {isolate_direction(record.account)}"
        if is_operator
        else " ".join((*record.matches, *record.tournaments))
    )
    state = f"revoked {record.revoked}" if record.revoked else "in force"
    return printable(f"{record.id}  {record.role:8}  {record.created}  {state}  {reach}  {' '.join(record.scopes)}")


@keys.command()
@click.argument("key", metavar="ID")
@STORE_OPTION
@JSON_OPTION
def revoke(key: str, store: str, as_json: bool) -> None:
    """Revoke the key with that ID, from now on and for good."""
    with open_keyless(store) as kept:
        if not kept.revoke_key(key, current_time()):
            raise click.ClickException("no such key, or it has been revoked before")
    print_result(as_json, {"revoked": key}, f"revoked {key}")


def _document(record: ApiKey) -> dict[str, object]:
    """Return a key as it may be shown."""
    return {
        "id": record.id,
        "role": record.role,
        "account": record.account or None,
        "scopes": record.scopes,
        "matches": record.matches,
        "tournaments": record.tournaments,
        "created": record.created,
        "revoked": record.revoked,
    }
