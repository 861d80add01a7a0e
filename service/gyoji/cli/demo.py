"""``gyoji demo``: starts a server of its own, plays each game, sees a move refused, and audits the replays."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_bytes
from shutil import which
from textwrap import fill
from typing import Any

import click
import orjson

from gyoji.app.conformance import cases, request_of
from gyoji.audit.audit import audit
from gyoji.cli.options import LANGUAGE_OPTION
from gyoji.games.catalogue import BY_SLUG, EXAMPLE
from gyoji.games.chance import player_commitment
from gyoji.log.signatures import Trusted
from gyoji.messages.game_words import game_words
from gyoji.messages.rulebooks import rulebook
from gyoji.messages.verdicts import rules_for
from gyoji.published_files import CHECKOUT
from gyoji.simulation.client import Answer, RetryingClient, UnexpectedAnswer
from gyoji.simulation.server import NotStarted, local_server
from gyoji.trust.trusted_keys import read_trusted_keys

SEED = "4e6f72ed99ea8fa134b09fc4667f908aa9c78f37532268b8b30a4ac85ce4f4cd" * 2
"""A fixed seed, so that the page reads the same every time."""

MOST_SEATS = 4
"""More are not played for."""


@click.command()
@LANGUAGE_OPTION
def demo(lang: str) -> None:
    """Play one game of each kind over HTTP against a server of its own, see a move refused, and audit the replays."""
    try:
        with local_server() as server, closing(RetryingClient(server.port, lang, 30)) as client:
            click.echo(f"A server of its own listens on port {server.port}.\n")
            games = client.get("/v1/games").document["games"]
            for game in games:
                _play(client, game, lang)
            _break_rule(client)
            _play_stored_matches(client, server.key, games, lang)
    except (NotStarted, UnexpectedAnswer) as failure:
        raise click.ClickException(str(failure)) from None
    _audit_golden_replays()
    click.echo(
        f"The server has stopped. The same with curl: see README.md. To serve for yourself: {_program_name()} serve"
    )


def _program_name() -> str:
    """Return how this program is called where nothing was done to find it."""
    program = sys.argv[0]
    return program if Path(program).name == "gyoji" and which("gyoji") is None else "gyoji"


def _post(client: RetryingClient, path: str, body: Mapping[str, Any]) -> Answer:
    return client.ask("POST", path, None, body)


def _play(client: RetryingClient, game: Mapping[str, Any], lang: str) -> None:
    slug, seats = game["game"], min(game["seats"]["max"], MOST_SEATS)
    answer = _post(client, f"/v1/games/{slug}/states", {"seats": seats, "seed": SEED}).document
    plies, requests = 0, 0
    while answer["outcome"] is None:
        moves = [_vary_move(answer, plies)]
        asked = {"state": answer["state"], "moves": moves}
        answer = _post(client, f"/v1/games/{slug}/adjudications", asked).document
        plies, requests = plies + len(moves), requests + 1
    outcome = answer["outcome"]
    scored = _post(client, f"/v1/games/{slug}/scores", {"state": answer["state"]}).document
    click.echo(f"{game['title'][lang]} ({slug}), {seats} seats")
    click.echo(f"  {plies} moves, each ruled on by a request; scores {outcome['scores']}; winners {outcome['winners']}")
    for line in scored["lines"][-2:]:
        click.echo(
            fill(
                f"{line['rule']}: {line['why']} ({line['points']:+})",
                100,
                initial_indent="  ",
                subsequent_indent="    ",
            )
        )
    click.echo("")


def _break_rule(client: RetryingClient) -> None:
    """Make the move of a conformance case that breaks a rule which players argue about: the referee cites the rule."""
    disputed = game_words(EXAMPLE.slug).disputed
    case = next(case for case in cases(EXAMPLE.slug) if case["case"] == disputed)
    _method, path, body = request_of(case)
    refused = _post(client, path, body)
    ruling, title = refused.document, rulebook(EXAMPLE.slug).title["en"]
    click.echo(fill(f"And a move that the rules forbid, in {title}: {case['title']}", 100, subsequent_indent="  "))
    click.echo(f"  HTTP {refused.status} {ruling['code']}, {ruling['reason']}, rule {ruling['rule']}")
    click.echo(fill(ruling["because"], 100, initial_indent="  ", subsequent_indent="  "))
    click.echo(fill(ruling["rule_text"], 100, initial_indent="  ", subsequent_indent="  "))
    click.echo(f"  Moves that it may make: {len(ruling['legal_moves'])}\n")


SEATS = 3
"""Seats of every match, so that the page is there in seconds."""


def _vary_move(answer: Mapping[str, Any], ply: int) -> Any:
    """Choose a legal move: no strategy, only variety."""
    legal = answer["legal_moves"]
    return legal[(7 * ply + ply // 3) % len(legal)]


def _play_stored_matches(client: RetryingClient, key: str, games: Sequence[Mapping[str, Any]], lang: str) -> None:
    """Play a stored match of each game, every seat with its own token, and audit what the service gives out."""
    click.echo("Matches that are kept: the operator creates them, each seat moves with its own token.")
    trusted = read_trusted_keys(client.get("/v1/keys").document)
    for game in games:
        events = _play_stored(client, key, game["game"])
        verdict = _audit(events.splitlines(keepends=True), trusted)
        number = events.count(b'"prev"')
        click.echo(f"  {game['title'][lang]}: {number} events, a replay of {len(events):,} bytes: {verdict}")
    click.echo("  Audited here, move by move, with nothing of the server's but its public key.\n")


def _play_stored(client: RetryingClient, key: str, slug: str) -> bytes:
    """Play one match to its end; return its replay file."""
    created = client.ask("POST", "/v1/matches", key, {"game": slug, "seats": SEATS, **BY_SLUG[slug].demo})
    match = created.document
    if created.status != 201:
        raise click.ClickException(f"the server did not create a match: {match['code']}")
    url = match["links"]["self"]
    tokens = [seat["token"] for seat in match["seats"]]
    if match["status"] == "seeding":
        _seed(client, match["match"], tokens)
    if slug == EXAMPLE.slug:
        _move_out_of_turn(client, url, tokens)
    seen = client.get(url, tokens[0]).document
    plies = 0
    while seen["outcome"] is None:
        seat = seen["view"]["to_act"][0]
        if not seen["legal_moves"] or seen["legal_moves"][0]["seat"] != seat:
            seen = client.get(url, tokens[seat]).document
        made = client.ask("POST", f"{url}/moves", tokens[seat], {"move": _vary_move(seen, plies)})
        seen = made.document
        if made.status != 200:
            raise click.ClickException(f"the server refused a legal move: {seen['code']}")
        plies += 1
    return client.get(f"{url}/replay", key).body


def _seed(client: RetryingClient, match: str, tokens: Sequence[str]) -> None:
    """Let every seat commit to 32 bytes of its own, then all reveal them; the last one deals."""
    entropies = [token_bytes(32) for _ in tokens]
    commits = [{"commit": player_commitment(match, seat, entropy)} for seat, entropy in enumerate(entropies)]
    seq = 0
    for sent in (commits, [{"entropy": entropy.hex()} for entropy in entropies]):
        for body, token in zip(sent, tokens, strict=True):
            answer = client.ask("POST", f"/v1/matches/{match}/entropy", token, body)
            if answer.status != 200:
                raise click.ClickException(f"the server refused a contribution: {answer.document['code']}")
            seq = answer.document["seq"]
    click.echo(f"  The seats commit to chance of their own, then reveal it; dealt at event {seq + 1}.")


def _move_out_of_turn(client: RetryingClient, url: str, tokens: Sequence[str]) -> None:
    """Let seat 1 move before seat 0 has: a refusal, and nothing is written."""
    move = {**client.get(url, tokens[0]).document["legal_moves"][0], "seat": 1}
    answer = client.ask("POST", f"{url}/moves", tokens[1], {"move": move})
    ruling, seq = answer.document, client.get(url, tokens[1]).document["seq"]
    refusal = f"HTTP {answer.status} {ruling['code']}, {ruling['reason']}"
    click.echo(f"  Seat 1 moves out of turn: {refusal}; the log stays at event {seq}.")


def _audit(lines: Sequence[bytes], trusted: Sequence[Trusted]) -> str:
    """Audit a replay; anything but that it is true, a referee's rulings included, ends the demonstration."""
    found = audit(lambda: lines, rules_for, trusted)
    if found.verdict not in ("verified", "verified_with_rulings"):
        raise click.ClickException(f"a replay audits to {found.verdict}: {found.first_divergence}")
    return found.verdict


def _audit_golden_replays() -> None:
    """Audit the golden replays, where they are: a checkout has them."""
    folder = CHECKOUT / "replays"
    files = sorted(folder.glob("*/*.jsonl"))
    if not files:
        return
    trusted = read_trusted_keys(orjson.loads((folder / "trust.json").read_bytes()))
    for file in files:
        _audit(file.read_bytes().splitlines(keepends=True), trusted)
    click.echo(f"The golden replays of the checkout: {len(files)} of {len(files)} verified.\n")
