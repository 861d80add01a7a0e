"""Plays the stored matches of the demonstration, and audits their replays and the golden ones."""

from collections.abc import Mapping, Sequence
from secrets import token_bytes
from typing import Any

import click
import orjson

from gyoji.audit.audit import audit
from gyoji.cli.demo_conversation import Conversation, choose_move
from gyoji.games.chance import player_commitment
from gyoji.log.signatures import Trusted
from gyoji.messages.verdicts import rules_for
from gyoji.published_files import CHECKOUT
from gyoji.trust.trusted_keys import read_trusted_keys

TABLES: Mapping[str, dict[str, Any]] = {
    "tomorrow-never-meows": {"seats": 3, "options": {"concealed": True}},
    "catte": {"seats": 3},
    "towai": {"seats": 3, "options": {"finishes_to_win": 1}, "randomness": {"policy": "players"}},
    "familiars-trouble": {"seats": 3, "options": {"hand_exchange": False, "errand_exchange": False}},
}
"""Short games, so that the page is there in seconds."""


def play_stored_matches(talk: Conversation, key: str, games: Sequence[Mapping[str, Any]], lang: str) -> None:
    """Play a stored match of each game, every seat with its own token, and audit what the service gives out."""
    click.echo("Matches that are kept: the operator creates them, each seat moves with its own token.")
    trusted = read_trusted_keys(talk.get("/v1/keys"))
    for game in games:
        events = _play(talk, key, game["game"])
        verdict = _audit(events.splitlines(keepends=True), trusted)
        number = events.count(b'"prev"')
        click.echo(f"  {game['title'][lang]}: {number} events, a replay of {len(events):,} bytes: {verdict}")
    click.echo("  Audited here, move by move, with nothing of the server's but its public key.\n")


def _play(talk: Conversation, key: str, slug: str) -> bytes:
    """Play one match to its end; return its replay file."""
    status, match = talk.post("/v1/matches", {"game": slug, **TABLES[slug]}, key)
    if status != 201:
        raise click.ClickException(f"the server did not create a match: {match['code']}")
    url = match["links"]["self"]
    tokens = [seat["token"] for seat in match["seats"]]
    if match["status"] == "seeding":
        _seed(talk, match["match"], tokens)
    if slug == "catte":
        _move_out_of_turn(talk, url, tokens[1])
    seen = talk.get(url, tokens[0])
    plies = 0
    while seen["outcome"] is None:
        seat = seen["view"]["to_act"][0]
        if not seen["legal_moves"] or seen["legal_moves"][0]["seat"] != seat:
            seen = talk.get(url, tokens[seat])
        status, seen = talk.post(f"{url}/moves", {"move": choose_move(seen, plies)}, tokens[seat])
        if status != 200:
            raise click.ClickException(f"the server refused a legal move: {seen['code']}")
        plies += 1
    return talk.download(f"{url}/replay", key)


def _seed(talk: Conversation, match: str, tokens: Sequence[str]) -> None:
    """Let every seat commit to 32 bytes of its own, then all reveal them; the last one deals."""
    entropies = [token_bytes(32) for _ in tokens]
    commits = [{"commit": player_commitment(match, seat, entropy)} for seat, entropy in enumerate(entropies)]
    said: Any = None
    for sent in (commits, [{"entropy": entropy.hex()} for entropy in entropies]):
        for body, token in zip(sent, tokens, strict=True):
            status, said = talk.post(f"/v1/matches/{match}/entropy", body, token)
            if status != 200:
                raise click.ClickException(f"the server refused a contribution: {said['code']}")
    click.echo(f"  The seats of TOWAI commit to chance of their own, then reveal it; dealt at event {said['seq'] + 1}.")


def _move_out_of_turn(talk: Conversation, url: str, token: str) -> None:
    """Let seat 1 move before seat 0 has: a refusal, and nothing is written."""
    card = talk.get(url, token)["view"]["table"]["hands"][1][0]
    status, ruling = talk.post(f"{url}/moves", {"move": {"type": "play", "seat": 1, "card": card}}, token)
    seq = talk.get(url, token)["seq"]
    said = f"HTTP {status} {ruling['code']}, {ruling['reason']}"
    click.echo(f"  Seat 1 of Catte moves out of turn: {said}; the log stays at event {seq}.")


def _audit(lines: Sequence[bytes], trusted: Sequence[Trusted]) -> str:
    """Audit a replay; anything but that it is true, a referee's rulings included, ends the demonstration."""
    found = audit(lambda: lines, rules_for, trusted)
    if found.verdict not in ("verified", "verified_with_rulings"):
        raise click.ClickException(f"a replay audits to {found.verdict}: {found.first_divergence}")
    return found.verdict


def audit_golden_replays() -> None:
    """Audit the golden replays, where they are: a checkout has them."""
    folder = CHECKOUT / "replays"
    files = sorted(folder.glob("*/*.jsonl"))
    if not files:
        return
    trusted = read_trusted_keys(orjson.loads((folder / "trust.json").read_bytes()))
    for file in files:
        _audit(file.read_bytes().splitlines(keepends=True), trusted)
    click.echo(f"The golden replays of the checkout: {len(files)} of {len(files)} verified.\n")
