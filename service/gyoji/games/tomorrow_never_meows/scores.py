"""Scores of Tomorrow Never Meows (section 6 of the rulebook, and TNM-7.4): what a round is worth, and why."""

from gyoji.games.game import Card, Line, RuleId
from gyoji.games.tomorrow_never_meows.components import BASIC_WISHES, SUITS
from gyoji.games.tomorrow_never_meows.state import BY_THE_CARD, WISH_POINTS, Options, Round, State, WishRow, Won


def _counted(won: Won, row: WishRow) -> int:
    """TNM-6.1: Thunder and Snow cancel in pairs. TNM-6.2: what is left scores by the wish's row."""
    fine, cloudy, rainy, thunder, snow = won
    pairs = min(thunder, snow)
    common = fine * row.F + cloudy * row.C + rainy * row.R
    return common + (thunder - pairs) * row.T + (snow - pairs) * row.S


def _snow(tricks: int) -> int:
    """TNM-6.3: 6 for no trick at all, otherwise -3 a trick."""
    return -3 * tricks if tricks else 6


def _very_fine(won: Won) -> int:
    """TNM-6.4: 3 a Fine, -1 a Cloudy or Rainy, -2 a Thunder or Snow; nothing cancels."""
    fine, cloudy, rainy, thunder, snow = won
    return 3 * fine - cloudy - rainy - 2 * (thunder + snow)


def _very_cloudy(won: Won) -> int:
    """TNM-6.5: 1 a common card, the sum's sign turned once for each Thunder and Snow."""
    common = won.F + won.C + won.R
    return -common if (won.T + won.S) % 2 else common


def _very_rainy(won: Won) -> int:
    """TNM-6.6: 2 a Rainy, -1 a Fine, and the product (TNM-R7, TNM-R11 set the printed example right)."""
    return 2 * won.R - won.F + _product(won)


def _product(won: Won) -> int:
    """TNM-6.6: 1 for each Thunder times 2 for each Snow. TNM-R5: with neither there is nothing to add."""
    return 2**won.S if won.T or won.S else 0


def _bluff(announced: str | None, wish: str) -> int:
    """TNM-7.4 (TNM-R6: printed twice, meant once): 3 a trick for a true announcement, -3 for a false one."""
    return 3 if announced == wish else -3


def _wish_points(options: Options, wish: str, won: Won, tricks: int) -> int:
    if wish in BY_THE_CARD:
        return _counted(won, getattr(options.wish_points or WISH_POINTS, wish))
    if wish == "snow":
        return _snow(tricks)
    if wish == "very_fine":
        return _very_fine(won)
    return _very_cloudy(won) if wish == "very_cloudy" else _very_rainy(won)


def round_points(options: Options, done: Round) -> tuple[int, ...]:
    """Return the points of each seat: those of its wish and, where they are scored, of its announcement."""
    tricks = done.tricks
    points = [_wish_points(options, wish, done.won[seat], tricks[seat]) for seat, wish in enumerate(done.wishes)]
    if options.bluff_scoring == "per_trick":
        for seat, wish in enumerate(done.wishes):
            points[seat] += _bluff(done.announced[seat], wish) * tricks[seat]
    return tuple(points)


def _by_name(won: Won) -> dict[str, int]:
    """The counts by the names that a line has for them."""
    return dict(zip(BASIC_WISHES, won, strict=True))


def _reckoning(wish: str, won: Won, tricks: int) -> tuple[RuleId, dict[str, int]]:
    """The rule that a wish scores by, and the whole numbers that go into it."""
    if wish in BY_THE_CARD:
        return "TNM-6.2", {**_by_name(won), "pairs": min(won.T, won.S)}
    if wish == "snow":
        return "TNM-6.3", {"tricks": tricks}
    if wish == "very_fine":
        return "TNM-6.4", _by_name(won)
    if wish == "very_cloudy":
        return "TNM-6.5", {"common": sum(won[:3]), "special": sum(won[3:])}
    return "TNM-6.6", {"fine": won.F, "rainy": won.R, "product": _product(won)}


def round_lines(options: Options, number: int, done: Round) -> tuple[Line, ...]:
    """Return the score items of round ``number``: seat by seat its wish, then its announcement."""
    made: list[Line] = []
    for seat, wish in enumerate(done.wishes):
        won, tricks = done.won[seat], done.tricks[seat]
        rule, facts = _reckoning(wish, won, tricks)
        points = _wish_points(options, wish, won, tricks)
        made.append({"seat": seat, "rule": rule, "points": points, "round": number, **facts})
        if options.bluff_scoring == "per_trick":
            each = _bluff(done.announced[seat], wish)
            line = {"seat": seat, "rule": "TNM-7.4", "points": each * tricks, "round": number}
            made.append({**line, "tricks": tricks, "each": each})
    return tuple(made)


def _won(cards: tuple[Card, ...]) -> Won:
    codes = "".join(cards)  # in which the letters of the suits stand once a card
    return Won(*map(codes.count, SUITS))


def scored_round(state: State) -> Round:
    """TNM-5.1, TNM-7.3: return the round on the table, all its cards played, with the points of each seat."""
    wishes = tuple([wish for wish in state.wishes if wish])
    won = tuple([_won(cards) for cards in state.captured])
    done = Round((), state.tricks_won, wishes, state.announced, won)
    return done._replace(points=round_points(state.options, done))


def totals(seats: int, rounds: tuple[Round, ...]) -> tuple[int, ...]:
    """Return the scores after these rounds."""
    if not rounds:
        return (0,) * seats
    return tuple([sum(points) for points in zip(*[done.points for done in rounds], strict=True)])


def lines(state: State) -> tuple[Line, ...]:
    """Return all score items of the finished rounds."""
    return tuple([line for at, done in enumerate(state.rounds, 1) for line in round_lines(state.options, at, done)])
