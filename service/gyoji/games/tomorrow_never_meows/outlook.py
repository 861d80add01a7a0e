"""The outlook of Tomorrow Never Meows: what a player makes of its view."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.games.game import Chance
from gyoji.games.tomorrow_never_meows.components import DECK, HAND_SIZE, RANK, WISHES
from gyoji.games.tomorrow_never_meows.rules import wish_forbidden
from gyoji.games.tomorrow_never_meows.scores import scored_round
from gyoji.games.tomorrow_never_meows.state import RECORDS, Options, State
from gyoji.games.unseen import cards_of, deal_unseen, with_table


def deal_hidden(view: Mapping[str, Any], chance: Chance) -> State:
    """TNM-1.2, TNM-3.6, TNM-7.1: other hands, the cards aside, those won, and concealed wishes: any that can be."""
    table, options = view["table"], RECORDS.codec.read_options(view["options"])
    seats = view["seats"]
    piles = (*table["hands"], *table["captured"], table["aside"])
    *dealt, aside = deal_unseen(DECK, cards_of(table["trick"]), piles, chance)
    hands = [tuple(sorted(hand, key=RANK.__getitem__)) for hand in dealt[:seats]]
    wishes = [*_wishes(view, options, chance)]
    state: State = RECORDS.codec.read(with_table(view, hands=hands, captured=dealt[seats:], aside=aside, wishes=wishes))
    return state


def _wishes(view: Mapping[str, Any], options: Options, chance: Chance) -> Iterator[str | None]:
    """TNM-2.4: any wish that the seat could choose, where it has chosen one that is not shown."""
    table = view["table"]
    waiting = view["to_act"] if view["phase"] == "wish" else ()
    for seat, wish in enumerate(table["wishes"]):
        if wish is not None or not options.concealed or seat in waiting:
            yield wish
        else:
            last, advanced = table["last_wishes"][seat], table["advanced"][seat]
            can_be = [each for each in WISHES if wish_forbidden(options.wishes, last, advanced, each) is None]
            yield chance("wish", seat, can_be)[0]


def worth(state: State) -> tuple[float, ...]:
    """TNM-5.1: the scores, and what the round would bring as it stands. TNM-6.3: of what no trick at all brings, as
    much as has been played of the round."""
    if state.phase != "trick":
        return state.scores
    done = scored_round(state)
    played = sum(done.tricks) / HAND_SIZE[state.seats]
    return tuple(
        [
            score + (points * played if wish == "snow" and tricks == 0 else points)
            for score, points, wish, tricks in zip(state.scores, done.points, done.wishes, done.tricks, strict=True)
        ]
    )
