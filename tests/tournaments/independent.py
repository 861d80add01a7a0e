"""Computes standings once more, in another way: from a flat list of raw results, with dictionaries and sums.

It knows nothing of lines and groups, and shares no function with what it checks.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from hmac import new
from statistics import median
from typing import Any

from gyoji.tournaments.match_points import MatchResult
from gyoji.tournaments.tournament import Tournament

Number = Fraction | None


def raw(tournament: Tournament, results: Mapping[str, MatchResult]) -> list[dict[str, Any]]:
    """List every match that came to a result."""
    found = []
    for round_ in tournament.rounds:
        for table in round_.tables:
            result = results.get(str(table.match))
            if result is not None and result.status == "finished":
                match = {"round": round_.number, "who": table.seats, **result._asdict()}
                found.append(reduce(left_behind, map(table.seats.index, table.forfeited), match))
    return found


def left_behind(match: dict[str, Any], seat: int) -> dict[str, Any]:
    """Return the match as it counts if a stand-in has played this seat for somebody who has forfeited."""
    gone = sorted({*match["forfeited"], seat})
    others = {at: score for at, score in enumerate(match["scores"]) if at not in gone}
    first = [at for at in match["winners"] if at != seat]
    if match["winners"] and not first:
        first = [at for at, score in others.items() if score == max(others.values())]
    return {**match, "forfeited": gone, "winners": first, "stood_in": {*match.get("stood_in", ()), seat}}


def game_scores(match: Mapping[str, Any], teams: bool) -> dict[str, Fraction]:
    """Return the score of everybody at the table; who forfeits has at most 0."""
    scores = dict(enumerate(match["scores"]))
    stood_in = match.get("stood_in", ())
    least = min(0, *[score for seat, score in scores.items() if seat not in stood_in])
    scores |= dict.fromkeys(stood_in, least)
    if teams:
        base = Fraction(sum(scores.values()), len(scores)) - Fraction(sum(match["adjustments"]), len(scores))
        whole = base + sum(match["adjustments"])
        return {match["who"][0]: min(whole, Fraction(0)) if match["forfeited"] else whole}
    return {
        match["who"][seat]: Fraction(min(score, 0) if seat in match["forfeited"] else score)
        for seat, score in scores.items()
    }


def match_points(tournament: Tournament, match: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return what the match is worth to everybody at the table."""
    points, teams = tournament.rules.points, tournament.rules.teams
    if points.by == "score":
        return game_scores(match, teams)
    if points.by == "wins":
        sides = 1 if teams else len(match["winners"])
        won = {match["who"][seat] for seat in match["winners"]}
        return {
            who: Fraction(points.loss if who not in won else points.draw if sides > 1 else points.win)
            for who in match["who"]
        }
    merit: dict[int, tuple[int, ...]] = {}
    for seat, score in enumerate(match["scores"]):
        merit[seat] = (0, 0) if seat in match["forfeited"] else (2, 0) if seat in match["winners"] else (1, score)
    ladder = sorted(merit.values(), reverse=True)
    shares: dict[tuple[int, ...], list[int]] = defaultdict(list)
    worths = {len(places): places for places in points.by_size}.get(len(ladder), points.places)
    for value, worth in zip(ladder, worths, strict=False):
        shares[value].append(worth)
    got = {match["who"][seat]: Fraction(sum(shares[value]), len(shares[value])) for seat, value in merit.items()}
    if points.forfeit is not None:
        last = worths[len(ladder) - 1]
        got |= {match["who"][seat]: Fraction(min(points.forfeit, last)) for seat in match["forfeited"]}
    return got


def bye_points(tournament: Tournament, matches: list[dict[str, Any]], number: int) -> Fraction:
    """Return what a bye in that round is worth."""
    rules = tournament.rules
    if rules.bye is not None:
        return Fraction(rules.bye)
    if rules.points.by != "score":
        return Fraction(max([*rules.points.places, rules.points.win]))
    scores = [
        score for match in matches if match["round"] == number for score in match_points(tournament, match).values()
    ]
    return median(scores) if scores else Fraction(0)


def places(tournament: Tournament, results: Mapping[str, MatchResult]) -> dict[str, tuple[int, Fraction, list[Number]]]:
    """By entrant: the place, the points, and the tie-breaks in their order."""
    matches = raw(tournament, results)
    everybody = [entrant.id for entrant in tournament.entrants]
    total: dict[str, Fraction] = dict.fromkeys(everybody, Fraction(0))
    for match in matches:
        for who, points in match_points(tournament, match).items():
            total[who] += points
    for round_ in tournament.rounds:
        for who in round_.byes:
            total[who] += bye_points(tournament, matches, round_.number)
    for correction in tournament.corrections:
        total[correction.entrant] += correction.points
    keys: dict[str, list[Number]] = {who: [total[who]] for who in everybody}
    for name in tournament.rules.tie_breaks:
        found = figure(name, tournament, matches, total, keys)
        for who in everybody:
            keys[who].append(found[who])
    sign = [1] + [-1 if name == "lot" else 1 for name in tournament.rules.tie_breaks]
    order = {who: [s * (value or 0) for s, value in zip(sign, keys[who], strict=True)] for who in everybody}
    return {
        who: (1 + sum([order[other] > order[who] for other in everybody]), total[who], keys[who][1:])
        for who in everybody
    }


def figure(
    name: str,
    tournament: Tournament,
    matches: list[dict[str, Any]],
    total: dict[str, Fraction],
    keys: dict[str, list[Number]],
) -> dict[str, Number]:
    """Return one tie-break of everybody."""
    if name == "lot":
        return lots(tournament, total)
    if name == "head_to_head":
        return head_to_head(tournament, matches, keys)
    sums = dict.fromkeys(total, Fraction(0))
    for match in matches:
        for who, amount in of_match(name, tournament, match, total).items():
            sums[who] += amount
    for round_ in tournament.rounds if name == "opponents" else ():
        for who in round_.byes:
            sums[who] += total[who]
    return {**sums}


def of_match(
    name: str, tournament: Tournament, match: dict[str, Any], total: dict[str, Fraction]
) -> dict[str, Fraction]:
    """Return what one match adds to ``score``, ``wins`` or ``opponents``."""
    if name == "score":
        return game_scores(match, tournament.rules.teams)
    if name == "wins":
        won = {match["who"][seat] for seat in match["winners"]}
        return {who: Fraction(1, len(won)) for who in won}
    names = set(match["who"])
    return {who: sum([total[other] for other in names - {who}], Fraction(0)) / (len(names) - 1) for who in names}


def lots(tournament: Tournament, total: dict[str, Fraction]) -> dict[str, Number]:
    """Return the place of everybody's lot, the lowest being 1."""
    if not tournament.rounds:
        return dict.fromkeys(total)
    seed, label = bytes.fromhex(tournament.rounds[0].seed), b"tournament/1/lot"
    drawn = {}
    for who in total:
        text = len(label).to_bytes(4, "big") + label + len(who).to_bytes(4, "big") + who.encode()
        drawn[who] = new(seed, text, sha256).digest()
    return {who: Fraction(1 + sum([other < drawn[who] for other in drawn.values()])) for who in total}


def head_to_head(
    tournament: Tournament, matches: list[dict[str, Any]], keys: dict[str, list[Number]]
) -> dict[str, Number]:
    """Among those equal so far: 1 for everybody outdone, half for everybody equalled, if all met equally often."""
    answer: dict[str, Number] = {}
    for who, key in keys.items():
        equal = {other for other in keys if keys[other] == key}
        often, won = set(), Fraction(0)
        for one in equal:
            for other in equal - {one}:
                together = [m for m in matches if one in m["who"] and other in m["who"]]
                often.add(len(together))
                if one == who:
                    for match in together:
                        points = match_points(tournament, match)
                        difference = points[one] - points[other]
                        won += 1 if difference > 0 else Fraction(1, 2) if difference == 0 else 0
        answer[who] = won if len(often) == 1 and often != {0} else None
    return answer
