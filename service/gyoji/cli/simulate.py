"""``gyoji simulate``: plays matches at random, and writes them as replay files."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any

import click
import orjson

from gyoji.api.bodies import Malformed, body_errors, check_json, parse_json
from gyoji.audit.commitments import UnreadableBeacons, beacons_document, known_beacons
from gyoji.cli.options import GAME_ARGUMENT, JSON_OPTION, hex_digits
from gyoji.cli.output import print_result
from gyoji.games.catalogue import BY_SLUG
from gyoji.log.canonical import canonical
from gyoji.log.signatures import Signer, signer
from gyoji.match.seeding import Disclosure, Policy, PolicyName
from gyoji.simulation.derivation import beacon_policy, beacon_value, derive_origin, derive_signing_key
from gyoji.simulation.matches import MatchPlan, plan_match, simulate_match, trust_document, write_replay_file
from gyoji.trust.trusted_keys import UntrustworthyKeys, read_trusted_keys


def _hex(_context: click.Context, _parameter: click.Parameter, seed: str | None) -> str:
    return token_hex(32) if seed is None else hex_digits(seed)


def _object(_context: click.Context, _parameter: click.Parameter, text: str) -> Mapping[str, Any]:
    try:
        options = parse_json(text.encode())
        check_json(options)
    except (Malformed, UnicodeEncodeError):
        options = None
    if not isinstance(options, dict):
        raise click.BadParameter("one JSON object")
    return options


@click.command()
@GAME_ARGUMENT
@click.option("--games", "count", default=1, type=click.IntRange(1), show_default=True, help="How many.")
@click.option("--seats", type=int, help="Default: the fewest the game takes.")
@click.option("--options", default="{}", callback=_object, show_default=True, help="The game's options, as JSON.")
@click.option("--seed", callback=_hex, help="1 to 128 hex digits; the same seed gives the same bytes. Default: fresh.")
@click.option(
    "--disclosure",
    default="public_on_close",
    type=click.Choice(["public_on_close", "auditors_only"]),
    show_default=True,
    help="Who learns the secret behind the deals when a match is over.",
)
@click.option(
    "--randomness",
    default="server",
    type=click.Choice(["server", "players", "director", "external"]),
    show_default=True,
    help="Who contributes to the deals beside the server: every seat, a director, or a public beacon.",
)
@click.option(
    "--out",
    default=Path("simulated"),
    type=click.Path(path_type=Path, file_okay=False),
    show_default=True,
    help="A folder; one .jsonl file a match, the public key in trust.json, the values of a beacon in beacons.json.",
)
@click.option("--max-plies", default=20_000, type=click.IntRange(1), show_default=True, help="Stop a game after these.")
@JSON_OPTION
def simulate(
    game: str,
    count: int,
    seats: int | None,
    options: Mapping[str, Any],
    seed: str,
    disclosure: Disclosure,
    randomness: PolicyName,
    out: Path,
    max_plies: int,
    as_json: bool,
) -> None:
    """Play GAME at random and write replay files.

    Ids, secrets, salts, choices and the signing key all come from the seed: these are matches for tests and
    demonstrations. One that is stopped by --max-plies is written as a running match.
    """
    rules = BY_SLUG[game]
    at_table = rules.min_seats if seats is None else seats
    _check_setup(game, at_table, options)
    policies = (
        beacon_policy(seed, index) if randomness == "external" else Policy(randomness) for index in range(count)
    )
    tables = (plan_match(rules, at_table, options, disclosure, seed, at, policy) for at, policy in enumerate(policies))
    signing = signer(derive_signing_key(seed), derive_origin(seed))
    try:
        plies, unfinished = _write_matches(out, tables, count, max_plies, signing)
        if randomness == "external":
            _add_beacon_values(out / "beacons.json", [beacon_policy(seed, index) for index in range(count)], seed)
    except OSError as error:
        raise click.ClickException(f"cannot write: {error}") from None
    report = {"game": game, "games": count, "seats": at_table, "seed": seed, "plies": plies, "unfinished": unfinished}
    print_result(as_json, report, *_lines(report, out))


def _write_matches(
    out: Path, tables: Iterable[MatchPlan], count: int, max_plies: int, signing: Signer
) -> tuple[int, list[str]]:
    """Write every match; return how many moves they have, and the files of those that are not finished."""
    out.mkdir(parents=True, exist_ok=True)
    _add_trusted_key(out / "trust.json", signing)
    plies, unfinished = 0, []
    with click.progressbar(tables, length=count, file=sys.stderr, hidden=not sys.stderr.isatty()) as waiting:
        for index, at_table in enumerate(waiting):
            log = simulate_match(at_table, max_plies)
            file = out / f"{at_table.beginning.game.slug}-{index:05}.jsonl"
            file.write_bytes(write_replay_file(log, signing))
            plies += log.match.state.ply
            if not log.match.over:
                unfinished.append(file.name)
    return plies, unfinished


def _add_trusted_key(file: Path, signing: Signer) -> None:
    """Add the key to those in the folder: the matches that lie there already go on being verified."""
    document = trust_document(signing)
    if file.exists():
        earlier = _read_keys(file)
        document = {"keys": [*earlier, *(key for key in document["keys"] if key not in earlier)]}
    file.write_bytes(canonical(document) + b"\n")


def _read_keys(file: Path) -> list[Any]:
    try:
        document = orjson.loads(file.read_bytes())
        read_trusted_keys(document)
    except (orjson.JSONDecodeError, UntrustworthyKeys):
        raise click.ClickException(f"{file} is there already and holds no trusted keys") from None
    keys: list[Any] = document["keys"]
    return keys


def _add_beacon_values(file: Path, policies: Iterable[Policy], seed: str) -> None:
    """Add the values of the beacon to those that lie there already."""
    known = {(policy.beacon, policy.reference): beacon_value(seed, policy) for policy in policies}
    if file.exists():
        try:
            known = {**known_beacons(orjson.loads(file.read_bytes())), **known}
        except (orjson.JSONDecodeError, UnreadableBeacons):
            raise click.ClickException(f"{file} is there already and holds no values of beacons") from None
    file.write_bytes(canonical(beacons_document(known)) + b"\n")


def _check_setup(game: str, seats: int, options: Mapping[str, Any]) -> None:
    """Check a new game as the API does."""
    wrong = [pointer for pointer, _code in body_errors(game, "states", {"seats": seats, "options": options})]
    if not wrong:
        rules = BY_SLUG[game]
        wrong = [found.pointer for found in rules.contradictions(seats, rules.read_options(options))]
    if wrong:
        raise click.UsageError(f"the game cannot be set up like this; see {', '.join(wrong)}")


def _lines(report: Mapping[str, Any], out: Path) -> list[str]:
    matches = (
        f"{report['games']} game(s) of {report['game']} with {report['seats']} seats, {report['plies']} moves, in {out}"
    )
    seeded = f"seed {report['seed']}"
    late = [f"not finished within the limit: {', '.join(report['unfinished'])}"] if report["unfinished"] else []
    return [matches, seeded, *late]
