"""deal/v1 a second time, from its page alone: the root, the stream, the shuffle, the canonical order of piles.

Nothing here comes from the package under test. A :class:`Table` follows the open cards of a log, deals each shuffle
again from the server's secret and holds what was recorded against it, as far as the reader may see it.
"""

import hmac
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256, sha512
from typing import Any

Doc = Mapping[str, Any]

LONGEST_STREAM = 255 * 64
COFFEE = ["B1", "B3", "B5", "B7", "B9", "W2", "W4", "W6", "W8", "W10", "K5", "K10", "K15"]
ERRANDS = {
    1: "R6 B6 G6 R9 B9 G9 R12 B12 G12",
    2: "R15 B15 G15 R18 B18 G18 R6B6 R6G6 B6G6",
    3: "R21 B21 G21 R12B5 B12G5 R5G12 R9B9 R9G9 B9G9",
}
SUITS = {
    "tomorrow-never-meows": ["F", "C", "R", "T", "S"],
    "catte": ["B", "W", "K"],
    "towai": ["D", "N", "T"],
    "familiars-trouble": ["R", "B", "G", "RB", "RG", "BG", "RBG"],
}


def lp(*fields: str | bytes) -> bytes:
    """Every field behind its length of 4 bytes."""
    raw = [field.encode() if isinstance(field, str) else field for field in fields]
    return b"".join(u32(len(field)) + field for field in raw)


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def commitment(deal_id: str, game: str, version: int, secret: bytes) -> str:
    return sha256(lp("deal/v1/commit", deal_id, game, u32(version), secret)).hexdigest()


def player_commitment(deal_id: str, seat: int, entropy: bytes) -> str:
    return sha256(lp("deal/v1/player", deal_id, u32(seat), entropy)).hexdigest()


def root(
    deal_id: str, game: str, version: int, secret: bytes, entropies: Sequence[bytes], beacon: bytes = b""
) -> bytes:
    """The 64 bytes from which all shuffles of a game come."""
    salt = sha512(lp("deal/v1/salt", game, u32(version), deal_id)).digest()
    return hmac.digest(salt, lp(secret, *entropies, beacon), "sha512")


def branch_root(
    deal_id: str, game: str, version: int, match: str, seq: int, secret: bytes, entropies: Sequence[bytes], share: bytes
) -> bytes:
    """The 64 bytes from which the shuffles come after event ``seq`` has taken others back."""
    salt = sha512(lp("deal/v1/branch", game, u32(version), deal_id, match, u32(seq))).digest()
    return hmac.digest(salt, lp(secret, *entropies, share), "sha512")


def stream(seed: bytes, info: bytes) -> Iterator[int]:
    """The numbers of 16 bits of HKDF-Expand, block by block, until it has given all that it may."""
    block, left = b"", b""
    for counter in range(1, LONGEST_STREAM // 64 + 1):
        block = hmac.digest(seed, block + info + bytes([counter]), "sha512")
        left += block
        yield from (int.from_bytes(left[at : at + 2], "big") for at in range(0, len(left) - 1, 2))
        left = b""
    raise ValueError("the stream ran out")


def order(seed: bytes, label: str, k: int, n: int) -> list[int]:
    """The canonical index of the card at each position of a shuffled pile, the top first."""
    cards = list(range(n))
    words = stream(seed, lp("deal/v1/shuffle", label, u32(k), u32(n)))
    for i in range(n, 1, -1):
        word = next(w for w in words if w < 65536 - 65536 % i)
        cards[i - 1], cards[word % i] = cards[word % i], cards[i - 1]
    return cards


def hand_key(game: str, card: str) -> tuple[int, int]:
    suit = card.rstrip("0123456789")
    return SUITS[game].index(suit), int(card.removeprefix(suit) or 0)


def in_hand_order(game: str, cards: Sequence[str]) -> list[str]:
    """Suit by suit as the page lists them (the three ``RBG1`` have the suit RBG), then by number."""
    return sorted(cards, key=lambda card: hand_key(game, card))


def cards_of(game: str, options: Doc) -> list[str]:
    """All cards of the game's first shuffle, in hand order."""
    runs: dict[str, dict[str, Iterable[object]]] = {
        "tomorrow-never-meows": {**dict.fromkeys("FCR", range(1, 11)), **dict.fromkeys("TS", "123")},
        "catte": {"B": range(1, 14), "W": range(1, 14), "K": range(1, 16)},
        "towai": {"D": "34567" * 4, "N": "12345" * 4, "T": "123567" * 3 + "44"},
        "familiars-trouble": {
            **dict.fromkeys("RBG", range(3, 10)),
            **dict.fromkeys(["RB", "RG", "BG"], "2"),
            "RBG": "111",
        },
    }
    cards = options.get("deck") or [f"{suit}{number}" for suit, numbers in runs[game].items() for number in numbers]
    return in_hand_order(game, cards)


def errand_levels(options: Doc) -> dict[str, int]:
    """Level of every errand, in the order of the list in force."""
    if options["errands"] is not None:
        return {errand["id"]: errand["level"] for errand in options["errands"]}
    return {f"{level}-{name}": level for level, names in ERRANDS.items() for name in names.split()}


class Disagreement(Exception):
    """What was recorded is not what the secret deals, or not what lay there."""


def compare(recorded: Any, expected: Any, where: str) -> None:
    """Hold what the reader sees against what must be: null and ``{"count":n}`` stand for what is hidden from it."""
    if isinstance(expected, list) and isinstance(recorded, dict):
        recorded, expected = recorded.get("count"), len(expected)
    if isinstance(expected, dict) and isinstance(recorded, dict) and recorded.keys() == expected.keys():
        for name in expected:
            compare(recorded[name], expected[name], f"{where}/{name}")
    elif isinstance(expected, list) and isinstance(recorded, list) and len(recorded) == len(expected):
        for at, (one, other) in enumerate(zip(recorded, expected, strict=True)):
            compare(one, other, f"{where}/{at}")
    elif recorded is not None and expected is not None and recorded != expected:
        raise Disagreement(f"{where}: {recorded!r} instead of {expected!r}")


def as_list(recorded: Any) -> list[str | None]:
    """A pile as the reader knows it: cards, or as many unknown ones as are said to be there."""
    return [None] * recorded["count"] if isinstance(recorded, dict) else list(recorded)


def piles_of(table: Doc) -> dict[str, list[str | None]]:
    """Everything that is drawn from, by its name or its level."""
    piles = {name: as_list(table[name]) for name in ("deck", "draw") if name in table}
    return piles | {level: as_list(cards) for level, cards in table.get("piles", {}).items()}


class Table:
    """The cards of one match as a reader of its log can follow them, and the number of shuffles made."""

    def __init__(self, game: str, seats: int, options: Doc, seed: bytes | None) -> None:
        self.game, self.seats, self.options, self.seed = game, seats, options, seed
        self.shuffles = 0
        self.hands: list[Counter[str] | None] = [None] * seats
        self.stock: dict[str, list[str | None]] = {}
        self.pile: list[str] = []
        self.discard: list[str] = []
        self.display: list[str] = []

    def follow(self, event: Doc) -> None:
        """Take one domain event, merged with the openings that the reader has; raise :class:`Disagreement`."""
        taken = getattr(self, "_" + event["type"], None)
        if taken is not None:
            taken(event)

    def begin(self, state: Doc) -> None:
        """Take over the table that a fork begins with; what lay there before is not its own seed's doing."""
        table = state["table"]
        self.shuffles = state["shuffles"]
        self.hands = [Counter(hand) if isinstance(hand, list) else None for hand in table["hands"]]
        self.pile = list(table.get("pile", []))
        self.discard = list(table["discard"]) if "pile" in table else []
        self.stock = piles_of(table)
        self.display = list(table.get("errands", []))

    def shuffled(self, label: str, cards: Sequence[str]) -> list[str] | list[None]:
        """The next shuffle of a pile given in its canonical order; unknown cards where the seed is not disclosed."""
        k, self.shuffles = self.shuffles, self.shuffles + 1
        if self.seed is None:
            return [None] * len(cards)
        return [cards[at] for at in order(self.seed, label, k, len(cards))]

    # A deal

    def _hands_dealt(self, event: Doc) -> None:
        dealt = getattr(self, "_deal_" + self.game.replace("-", "_"))()
        for name, expected in dealt.items():
            compare(event[name], expected, name)
        hands = dealt["hands"] if self.seed else event["hands"]
        self.hands = [Counter(hand) if isinstance(hand, list) and None not in hand else None for hand in hands]
        self.pile, self.discard = [], []
        self.stock = piles_of(dealt if self.seed else event)
        self.display = list(event.get("errands", []))
        self._all_accounted_for(event)

    def _all_accounted_for(self, event: Doc) -> None:
        """Where every card is open to the reader, exactly the game's cards were dealt: also without the seed."""
        places = [*event["hands"], event.get("aside", []), event.get("deck", []), event.get("draw", [])]
        if all(isinstance(place, list) for place in places):
            found = Counter(card for place in places for card in place)
            if found != Counter(cards_of(self.game, self.options)):
                raise Disagreement("hands_dealt: other cards than the game has")

    def _split(self, cards: list[Any], each: int) -> tuple[list[list[Any]], list[Any]]:
        """Hands of so many cards from the top, seat by seat, and what is left."""
        hands = [cards[at * each : (at + 1) * each] for at in range(self.seats)]
        ordered = [hand if None in hand else in_hand_order(self.game, hand) for hand in hands]
        return ordered, cards[self.seats * each :]

    def _deal_tomorrow_never_meows(self) -> dict[str, Any]:
        cards = self.shuffled("deck", cards_of(self.game, self.options))
        hands, aside = self._split(cards, {3: 10, 4: 8}[self.seats])
        return {"hands": hands, "aside": aside}

    def _deal_catte(self) -> dict[str, Any]:
        hands, aside = self._split(self.shuffled("cats", cards_of(self.game, self.options)), {3: 13, 4: 10}[self.seats])
        unused, centre = self._split(self.shuffled("coffee", COFFEE), {3: 4, 4: 3}[self.seats])
        coffee = {"unused": unused, "acquired": [[] for _ in range(self.seats)], "centre": centre[0]}
        return {"hands": hands, "aside": aside, "coffee": coffee}

    def _deal_towai(self) -> dict[str, Any]:
        hands, deck = self._split(self.shuffled("deck", cards_of(self.game, self.options)), 7)
        return {"hands": hands, "deck": deck}

    def _deal_familiars_trouble(self) -> dict[str, Any]:
        hands, draw = self._split(self.shuffled("attributes", cards_of(self.game, self.options)), 5)
        levels = errand_levels(self.options)
        display: list[str | None] = []
        piles: dict[str, list[str] | list[None]] = {}
        for level, opened in zip((1, 2, 3), self.options["opening"], strict=True):
            errands = self.shuffled(f"errands-{level}", [errand for errand, at in levels.items() if at == level])
            display += errands[:opened]
            piles[str(level)] = errands[opened:]
        return {"hands": hands, "draw": draw, "errands": display, "piles": piles}

    # What happens with the cards afterwards

    def _card_played(self, event: Doc) -> None:
        self._leaves(event["seat"], event["card"])
        self.pile.append(event["card"])

    def _pile_discarded(self, event: Doc) -> None:
        compare(event["cards"], self.pile, "pile_discarded")
        self.discard += self.pile
        self.pile = []

    def _deck_reformed(self, event: Doc) -> None:
        taken = in_hand_order(self.game, self.pile[:-1] + self.discard)
        deck = self.shuffled("reform", taken)
        compare(event["count"], len(taken), "deck_reformed/count")
        compare(event["deck"], deck, "deck_reformed/deck")
        if isinstance(event["deck"], list) and Counter(event["deck"]) != Counter(taken):
            raise Disagreement("deck_reformed: other cards than were on the table")
        self.stock["deck"] = list(deck) if self.seed else as_list(event["deck"])
        self.pile, self.discard = self.pile[-1:], []

    def _card_drawn(self, event: Doc) -> None:
        drawn = self._top("draw" if "draw" in self.stock else "deck", event["card"], "card_drawn")
        self._reaches(event["seat"], drawn)

    def _card_passed(self, event: Doc) -> None:
        self._leaves(event["from"], event["card"])
        self._reaches(event["to"], event["card"])

    def _errand_turned_up(self, event: Doc) -> None:
        self.display.append(event["errand"])
        self._top(str(event["level"]), event["errand"], "errand_turned_up")

    def _errand_replaced(self, event: Doc) -> None:
        self._taken_up(event["discarded"])
        self.display.append(event["turned_up"])
        self._top(str(event["level"]), event["turned_up"], "errand_replaced")
        self.stock[str(errand_levels(self.options)[event["discarded"]])].append(event["discarded"])

    def _errands_completed(self, event: Doc) -> None:
        for errand in event["errands"]:
            self._taken_up(errand)

    def _taken_up(self, errand: str) -> None:
        if errand not in self.display:
            raise Disagreement(f"{errand} does not lie there")
        self.display.remove(errand)

    def _top(self, stock: str, recorded: str | None, where: str) -> str | None:
        if not self.stock[stock]:
            raise Disagreement(f"{where}: nothing left to draw")
        top = self.stock[stock].pop(0)
        compare(recorded, top, where)
        return recorded if top is None else top

    def _leaves(self, seat: int, card: str | None) -> None:
        hand = self.hands[seat]
        if hand is None or card is None:
            self.hands[seat] = None
        elif not hand[card]:
            raise Disagreement(f"seat {seat} does not hold {card}")
        else:
            hand[card] -= 1

    def _reaches(self, seat: int, card: str | None) -> None:
        hand = self.hands[seat]
        if card is None:
            self.hands[seat] = None
        elif hand is not None:
            hand[card] += 1
