"""The documents of the service, by game. Made of the contract by ``make_documents.py``."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AcceptRuling(TypedDict):
    kind: Literal["accept"]


class Actor(TypedDict):
    role: Literal["service", "operator", "referee", "director", "seat"]
    seat: NotRequired[Seat]
    key: NotRequired[KeyId]


class CatteAdjudication(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["catte"]
    state: CatteState
    events: list[CatteEvent]
    legal_moves: CatteMoves
    outcome: CatteOutcome | None


class CatteCardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: CatteSeat
    card: CatteCard


class CatteClockExpiredData(TypedDict):
    seats: SomeSeats
    deadlines: list[Timestamp]
    then: Literal["referee", "forfeit", "default", "pass"]
    game: Literal["catte"]
    move: NotRequired[CatteLoggedMove]
    events: NotRequired[list[CatteLoggedEvent]]


class CatteCoffee(TypedDict):
    unused: list[CatteCoffeeCards]
    acquired: list[CatteCoffeeCards]
    centre: CatteCoffeeCard | None


class CatteCoffeeAcquired(TypedDict):
    type: Literal["coffee_acquired"]
    seat: CatteSeat
    card: CatteCoffeeCard
    total: int


class CatteCoffeeMove(TypedDict):
    type: Literal["coffee"]
    seat: CatteSeat
    card: CatteCoffeeCard


class CatteCoffeeServed(TypedDict):
    type: Literal["coffee_served"]
    seat: CatteSeat
    card: CatteCoffeeCard


class CatteDealtData(TypedDict):
    game: Literal["catte"]
    events: list[CatteLoggedEvent]
    position: NotRequired[CatteView]
    missing: NotRequired[SeatList]


class CatteGameFinished(TypedDict):
    type: Literal["game_finished"]
    winners: list[CatteSeat]
    scores: Scores
    reason: Literal["rounds_played"]


class CatteHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[CatteCards]
    aside: CatteCards
    coffee: CatteCoffee


class CatteIllegalMove(TypedDict):
    type: Literal["/problems/illegal-move"]
    title: str
    status: int
    detail: str
    instance: str
    code: Literal["illegal-move"]
    reason: InfractionReason
    rule: RuleId | None
    rule_text: str | None
    because: str
    move_index: NotRequired[int]
    game: Literal["catte"]
    seat: CatteSeat
    move: CatteMove
    legal_moves: CatteMoves
    state: NotRequired[CatteState]


class CatteLineFacts(TypedDict):
    seat: CatteSeat
    rule: RuleId
    points: Points
    round: RoundNumber
    times: NotRequired[int]
    total: NotRequired[Count]
    limit: NotRequired[Count]
    unused: NotRequired[int]


class CatteLoggedHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[CatteCards | HiddenCount]
    aside: CatteCards | HiddenCount
    coffee: CatteCoffee


class CatteMatch(TypedDict):
    match: MatchId
    version: RulesVersion1
    rules_digest: RulesDigest
    status: MatchStatus
    seq: Seq
    decision: Seq
    created: Timestamp
    seats: list[MatchSeat]
    tags: Tags
    disclosure: Disclosure
    visibility: Visibility
    group: GroupId | None
    tournament: TournamentId | None
    withheld_until: str | None
    closed: bool
    links: MatchLinks
    viewer: Viewer
    scores: Scores | None
    result: MatchResult | None
    adjustments: Scores
    paused: bool
    rulings: Count
    clock: MatchClock | None
    seeding: NotRequired[Seeding]
    game: Literal["catte"]
    legal_moves: CatteMoves
    view: CatteView | None
    outcome: CatteOutcome | None


CatteMatchCreatedData = TypedDict("CatteMatchCreatedData", {
    "version": 'RulesVersion1',
    "rules_digest": 'RulesDigest',
    "randomness": 'Randomness',
    "disclosure": 'Disclosure',
    "visibility": 'Visibility',
    "if_match": 'Precondition',
    "deal_id": 'Id',
    "seed_commitment": 'Digest',
    "names": 'Names | HiddenCount | None',
    "metadata": 'dict[str, Any] | None',
    "tags": 'TagList | HiddenCount',
    "from": 'NotRequired[ForkSource]',
    "withheld_until": 'NotRequired[str]',
    "clock": 'NotRequired[Clock]',
    "game": 'Literal["catte"]',
    "seats": 'CatteSeatCount',
    "options": 'CatteOptions',
    "first": 'CatteSeat',
})


class CatteMoveAnswer(TypedDict):
    seq: int
    scores: Scores
    receipt: Receipt
    kind: Literal["catte"]
    events: list[CatteLoggedEvent]
    view: CatteView
    outcome: CatteOutcome | None
    legal_moves: CatteMoves


class CatteMoveData(TypedDict):
    game: Literal["catte"]
    move: CatteLoggedMove
    events: list[CatteLoggedEvent]


class CatteNewMatch(TypedDict):
    game: Literal["catte"]
    version: NotRequired[RulesVersion1]
    seats: CatteSeatCount | CatteNamedSeats
    options: NotRequired[CatteOptionsGiven]
    first: NotRequired[CatteSeat]
    randomness: NotRequired[NewRandomness]
    disclosure: NotRequired[Disclosure]
    visibility: NotRequired[Visibility]
    if_match: NotRequired[Precondition]
    tags: NotRequired[Tags]
    metadata: NotRequired[dict[str, Any]]
    group: NotRequired[GroupId]
    withheld_until: NotRequired[Timestamp]
    clock: NotRequired[NewClock]


class CatteOptions(TypedDict):
    bust_bonus: Literal["keep", "forfeit"]
    deck: list[CatteCard] | None


class CatteOptionsGiven(TypedDict):
    bust_bonus: NotRequired[Literal["keep", "forfeit"]]
    deck: NotRequired[list[CatteCard] | None]


class CatteOutcome(TypedDict):
    winners: list[CatteSeat]
    scores: Scores
    reason: Literal["rounds_played"]


class CattePlayMove(TypedDict):
    type: Literal["play"]
    seat: CatteSeat
    card: CatteCard


class CattePosition(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["catte"]
    state: CatteState
    legal_moves: CatteMoves
    outcome: CatteOutcome | None


class CatteRound(TypedDict):
    reason: Literal["limit_exceeded", "hands_empty", "no_coffee"]
    points: Scores
    acquired: list[CatteCoffeeCards]
    unused: list[int]


class CatteRoundScored(TypedDict):
    type: Literal["round_scored"]
    round: RoundNumber
    reason: Literal["limit_exceeded", "hands_empty", "no_coffee"]
    points: Scores
    acquired: list[CatteCoffeeCards]
    unused: list[int]
    lines: list[CatteLineFacts]


class CatteRulingMadeData(TypedDict):
    ruling: Ruling
    rule: RuleId | None
    reason: str | None
    banks_ms: NotRequired[list[Count]]
    credited_ms: NotRequired[list[Count]]
    game: Literal["catte"]
    move: NotRequired[CatteLoggedMove]
    events: NotRequired[list[CatteLoggedEvent]]
    position: NotRequired[CatteView]


class CatteState(TypedDict):
    game: Literal["catte"]
    version: RulesVersion1
    seats: CatteSeatCount
    options: CatteOptions
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    phase: Literal["coffee", "trick", "finished"]
    to_act: list[CatteSeat]
    scores: Scores
    outcome: CatteOutcome | None
    table: CatteTable


class CatteStoredPosition(TypedDict):
    match: MatchId
    seq: LaterSeq
    viewer: Viewer
    scores: Scores
    game: Literal["catte"]
    view: CatteView
    outcome: CatteOutcome | None


class CatteTable(TypedDict):
    starting: CatteSeat
    lead: CatteSeat
    hands: list[CatteCards]
    aside: CatteCards
    coffee: CatteCoffee
    trick: list[CatteTrickCard]
    discard: CatteCards
    rounds: list[CatteRound]


class CatteTableView(TypedDict):
    starting: CatteSeat
    lead: CatteSeat
    hands: list[CatteCards | HiddenCount]
    aside: CatteCards | HiddenCount
    coffee: CatteCoffee
    trick: list[CatteTrickCard]
    discard: CatteCards | HiddenCount
    rounds: list[CatteRound]


class CatteTrickCard(TypedDict):
    seat: CatteSeat
    card: CatteCard


class CatteTrickWon(TypedDict):
    type: Literal["trick_won"]
    seat: CatteSeat
    cards: CatteCards
    rule: RuleId


class CatteView(TypedDict):
    version: RulesVersion1
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    scores: Scores
    game: Literal["catte"]
    seats: CatteSeatCount
    options: CatteOptions
    phase: Literal["coffee", "trick", "finished"]
    to_act: list[CatteSeat]
    outcome: CatteOutcome | None
    table: CatteTableView


class Check(TypedDict):
    check: Literal["bytes", "chain", "head", "file", "openings", "commitment", "shuffles", "moves", "positions", "scores", "result", "receipts"]
    result: Literal["pass", "fail", "not_checkable"]
    why: str | None


class Clock(TypedDict):
    move_ms: int
    bank_ms: int | None
    increment_ms: int
    on_expiry: Literal["referee", "forfeit", "default", "pass"]


class ClockControl(TypedDict):
    move: int
    bank: int | None
    increment: int
    on_expiry: Literal["referee", "forfeit", "default", "pass"]


class ClockSeat(TypedDict):
    seat: Seat
    bank_ms: Count | None
    spent_ms: Points
    running: bool
    deadline: Timestamp | None


class CreatedMatch(TypedDict):
    match: MatchId
    game: GameSlug
    version: RulesVersion
    rules_digest: RulesDigest
    status: MatchStatus
    seq: Seq
    seats: list[NewMatchSeat]
    director: NotRequired[MatchDirector]
    links: MatchLinks


class DirectorRandomness(TypedDict):
    policy: Literal["director"]


class Divergence(TypedDict):
    seq: Seq | None
    check: Literal["bytes", "chain", "head", "file", "openings", "commitment", "shuffles", "moves", "positions", "scores", "result", "receipts"]
    expected: dict[str, Any]
    found: dict[str, Any]
    rule: str | None


class EntropyCommittedData(TypedDict):
    commit: Digest


class EntropyRevealedData(TypedDict):
    entropy: str


class ExternalRandomness(TypedDict):
    policy: Literal["external"]
    beacon: str
    reference: str


class FamiliarsTroubleAdjudication(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["familiars-trouble"]
    state: FamiliarsTroubleState
    events: list[FamiliarsTroubleEvent]
    legal_moves: FamiliarsTroubleMoves
    outcome: FamiliarsTroubleOutcome | None


class FamiliarsTroubleCardDrawn(TypedDict):
    type: Literal["card_drawn"]
    seat: FamiliarsTroubleSeat
    card: FamiliarsTroubleCard


FamiliarsTroubleCardPassed = TypedDict("FamiliarsTroubleCardPassed", {
    "type": 'Literal["card_passed"]',
    "from": 'FamiliarsTroubleSeat',
    "to": 'FamiliarsTroubleSeat',
    "card": 'FamiliarsTroubleCard',
})


class FamiliarsTroubleCardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: FamiliarsTroubleSeat
    card: FamiliarsTroubleCard


class FamiliarsTroubleClockExpiredData(TypedDict):
    seats: SomeSeats
    deadlines: list[Timestamp]
    then: Literal["referee", "forfeit", "default", "pass"]
    game: Literal["familiars-trouble"]
    move: NotRequired[FamiliarsTroubleLoggedMove]
    events: NotRequired[list[FamiliarsTroubleLoggedEvent]]


class FamiliarsTroubleDealtData(TypedDict):
    game: Literal["familiars-trouble"]
    events: list[FamiliarsTroubleLoggedEvent]
    position: NotRequired[FamiliarsTroubleView]
    missing: NotRequired[SeatList]


class FamiliarsTroubleDrawErrandMove(TypedDict):
    type: Literal["draw_errand"]
    seat: FamiliarsTroubleSeat
    level: int


class FamiliarsTroubleErrand(TypedDict):
    id: FamiliarsTroubleErrandId
    level: int
    requires: FamiliarsTroubleRequirements
    points: int


class FamiliarsTroubleErrandExchangeSkipped(TypedDict):
    type: Literal["errand_exchange_skipped"]
    seat: FamiliarsTroubleSeat


class FamiliarsTroubleErrandReplaced(TypedDict):
    type: Literal["errand_replaced"]
    seat: FamiliarsTroubleSeat
    discarded: FamiliarsTroubleErrandId
    turned_up: FamiliarsTroubleErrandId
    level: int


class FamiliarsTroubleErrandTurnedUp(TypedDict):
    type: Literal["errand_turned_up"]
    seat: FamiliarsTroubleSeat
    errand: FamiliarsTroubleErrandId
    level: int


class FamiliarsTroubleErrandsCompleted(TypedDict):
    type: Literal["errands_completed"]
    errands: FamiliarsTroubleErrandIds
    totals: FamiliarsTroubleTotals
    points: Count


class FamiliarsTroubleExchangeMove(TypedDict):
    type: Literal["exchange"]
    seat: FamiliarsTroubleSeat
    card: FamiliarsTroubleCard


class FamiliarsTroubleExchangeSkipped(TypedDict):
    type: Literal["exchange_skipped"]
    seat: FamiliarsTroubleSeat


class FamiliarsTroubleGameFinished(TypedDict):
    type: Literal["game_finished"]
    winners: list[FamiliarsTroubleSeat]
    scores: Scores
    reason: Literal["hands_played"]
    rating: Literal["poor", "fair", "good", "excellent", "legendary"]


class FamiliarsTroubleHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[FamiliarsTroubleCards]
    draw: FamiliarsTroubleCards
    errands: FamiliarsTroubleErrandIds
    piles: FamiliarsTroublePiles


class FamiliarsTroubleIllegalMove(TypedDict):
    type: Literal["/problems/illegal-move"]
    title: str
    status: int
    detail: str
    instance: str
    code: Literal["illegal-move"]
    reason: InfractionReason
    rule: RuleId | None
    rule_text: str | None
    because: str
    move_index: NotRequired[int]
    game: Literal["familiars-trouble"]
    seat: FamiliarsTroubleSeat
    move: FamiliarsTroubleMove
    legal_moves: FamiliarsTroubleMoves
    state: NotRequired[FamiliarsTroubleState]


class FamiliarsTroubleLoggedCardDrawn(TypedDict):
    type: Literal["card_drawn"]
    seat: FamiliarsTroubleSeat
    card: FamiliarsTroubleCard | None


FamiliarsTroubleLoggedCardPassed = TypedDict("FamiliarsTroubleLoggedCardPassed", {
    "type": 'Literal["card_passed"]',
    "from": 'FamiliarsTroubleSeat',
    "to": 'FamiliarsTroubleSeat',
    "card": 'FamiliarsTroubleCard | None',
})


class FamiliarsTroubleLoggedExchangeMove(TypedDict):
    type: Literal["exchange"]
    seat: FamiliarsTroubleSeat
    card: FamiliarsTroubleCard | None


class FamiliarsTroubleLoggedHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[FamiliarsTroubleCards | HiddenCount]
    draw: FamiliarsTroubleCards | HiddenCount
    errands: FamiliarsTroubleErrandIds
    piles: FamiliarsTroubleLoggedHandsDealtPiles


FamiliarsTroubleLoggedHandsDealtPiles = TypedDict("FamiliarsTroubleLoggedHandsDealtPiles", {
    "1": 'FamiliarsTroubleErrandIds | HiddenCount',
    "2": 'FamiliarsTroubleErrandIds | HiddenCount',
    "3": 'FamiliarsTroubleErrandIds | HiddenCount',
})


class FamiliarsTroubleMatch(TypedDict):
    match: MatchId
    version: RulesVersion1
    rules_digest: RulesDigest
    status: MatchStatus
    seq: Seq
    decision: Seq
    created: Timestamp
    seats: list[MatchSeat]
    tags: Tags
    disclosure: Disclosure
    visibility: Visibility
    group: GroupId | None
    tournament: TournamentId | None
    withheld_until: str | None
    closed: bool
    links: MatchLinks
    viewer: Viewer
    scores: Scores | None
    result: MatchResult | None
    adjustments: Scores
    paused: bool
    rulings: Count
    clock: MatchClock | None
    seeding: NotRequired[Seeding]
    game: Literal["familiars-trouble"]
    legal_moves: FamiliarsTroubleMoves
    view: FamiliarsTroubleView | None
    outcome: FamiliarsTroubleOutcome | None


FamiliarsTroubleMatchCreatedData = TypedDict("FamiliarsTroubleMatchCreatedData", {
    "version": 'RulesVersion1',
    "rules_digest": 'RulesDigest',
    "randomness": 'Randomness',
    "disclosure": 'Disclosure',
    "visibility": 'Visibility',
    "if_match": 'Precondition',
    "deal_id": 'Id',
    "seed_commitment": 'Digest',
    "names": 'Names | HiddenCount | None',
    "metadata": 'dict[str, Any] | None',
    "tags": 'TagList | HiddenCount',
    "from": 'NotRequired[ForkSource]',
    "withheld_until": 'NotRequired[str]',
    "clock": 'NotRequired[Clock]',
    "game": 'Literal["familiars-trouble"]',
    "seats": 'FamiliarsTroubleSeatCount',
    "options": 'FamiliarsTroubleOptions',
    "first": 'FamiliarsTroubleSeat',
})


class FamiliarsTroubleMoveAnswer(TypedDict):
    seq: int
    scores: Scores
    receipt: Receipt
    kind: Literal["familiars-trouble"]
    events: list[FamiliarsTroubleLoggedEvent]
    view: FamiliarsTroubleView
    outcome: FamiliarsTroubleOutcome | None
    legal_moves: FamiliarsTroubleMoves


class FamiliarsTroubleMoveData(TypedDict):
    game: Literal["familiars-trouble"]
    move: FamiliarsTroubleLoggedMove
    events: list[FamiliarsTroubleLoggedEvent]


class FamiliarsTroubleNewMatch(TypedDict):
    game: Literal["familiars-trouble"]
    version: NotRequired[RulesVersion1]
    seats: FamiliarsTroubleSeatCount | FamiliarsTroubleNamedSeats
    options: NotRequired[FamiliarsTroubleOptionsGiven]
    first: NotRequired[FamiliarsTroubleSeat]
    randomness: NotRequired[NewRandomness]
    disclosure: NotRequired[Disclosure]
    visibility: NotRequired[Visibility]
    if_match: NotRequired[Precondition]
    tags: NotRequired[Tags]
    metadata: NotRequired[dict[str, Any]]
    group: NotRequired[GroupId]
    withheld_until: NotRequired[Timestamp]
    clock: NotRequired[NewClock]


class FamiliarsTroubleOptions(TypedDict):
    hand_exchange: bool
    errand_exchange: bool
    opening: list[int]
    lead_rule: Literal["attribute", "any"]
    errands: list[FamiliarsTroubleErrand] | None


class FamiliarsTroubleOptionsGiven(TypedDict):
    hand_exchange: NotRequired[bool]
    errand_exchange: NotRequired[bool]
    opening: NotRequired[list[int]]
    lead_rule: NotRequired[Literal["attribute", "any"]]
    errands: NotRequired[list[FamiliarsTroubleErrand] | None]


class FamiliarsTroubleOutcome(TypedDict):
    winners: list[FamiliarsTroubleSeat]
    scores: Scores
    reason: Literal["hands_played"]
    rating: Literal["poor", "fair", "good", "excellent", "legendary"]


FamiliarsTroublePiles = TypedDict("FamiliarsTroublePiles", {
    "1": 'FamiliarsTroubleErrandIds',
    "2": 'FamiliarsTroubleErrandIds',
    "3": 'FamiliarsTroubleErrandIds',
})


FamiliarsTroublePilesView = TypedDict("FamiliarsTroublePilesView", {
    "1": 'FamiliarsTroubleErrandIds | HiddenCount',
    "2": 'FamiliarsTroubleErrandIds | HiddenCount',
    "3": 'FamiliarsTroubleErrandIds | HiddenCount',
})


class FamiliarsTroublePlayMove(TypedDict):
    type: Literal["play"]
    seat: FamiliarsTroubleSeat
    card: FamiliarsTroubleCard


class FamiliarsTroublePosition(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["familiars-trouble"]
    state: FamiliarsTroubleState
    legal_moves: FamiliarsTroubleMoves
    outcome: FamiliarsTroubleOutcome | None


class FamiliarsTroubleReplaceErrandMove(TypedDict):
    type: Literal["replace_errand"]
    seat: FamiliarsTroubleSeat
    errand: FamiliarsTroubleErrandId
    level: int


class FamiliarsTroubleRequirements(TypedDict):
    red: int
    blue: int
    green: int


class FamiliarsTroubleRulingMadeData(TypedDict):
    ruling: Ruling
    rule: RuleId | None
    reason: str | None
    banks_ms: NotRequired[list[Count]]
    credited_ms: NotRequired[list[Count]]
    game: Literal["familiars-trouble"]
    move: NotRequired[FamiliarsTroubleLoggedMove]
    events: NotRequired[list[FamiliarsTroubleLoggedEvent]]
    position: NotRequired[FamiliarsTroubleView]


class FamiliarsTroubleSkipErrandMove(TypedDict):
    type: Literal["skip_errand"]
    seat: FamiliarsTroubleSeat


class FamiliarsTroubleSkipExchangeMove(TypedDict):
    type: Literal["skip_exchange"]
    seat: FamiliarsTroubleSeat


class FamiliarsTroubleState(TypedDict):
    game: Literal["familiars-trouble"]
    version: RulesVersion1
    seats: FamiliarsTroubleSeatCount
    options: FamiliarsTroubleOptions
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    phase: Literal["hand_exchange", "errand_exchange", "trick", "replenish", "finished"]
    to_act: list[FamiliarsTroubleSeat]
    scores: Scores
    outcome: FamiliarsTroubleOutcome | None
    table: FamiliarsTroubleTable


class FamiliarsTroubleStoredPosition(TypedDict):
    match: MatchId
    seq: LaterSeq
    viewer: Viewer
    scores: Scores
    game: Literal["familiars-trouble"]
    view: FamiliarsTroubleView
    outcome: FamiliarsTroubleOutcome | None


class FamiliarsTroubleTable(TypedDict):
    lead: FamiliarsTroubleSeat
    hands: list[FamiliarsTroubleCards]
    draw: FamiliarsTroubleCards
    errands: FamiliarsTroubleErrandIds
    piles: FamiliarsTroublePiles
    completed: FamiliarsTroubleErrandIds
    discard: FamiliarsTroubleCards
    trick: list[FamiliarsTroubleTrickCard]
    exchange: FamiliarsTroubleSeat | None
    tricks: int


class FamiliarsTroubleTableView(TypedDict):
    lead: FamiliarsTroubleSeat
    hands: list[FamiliarsTroubleCards | HiddenCount]
    draw: FamiliarsTroubleCards | HiddenCount
    errands: FamiliarsTroubleErrandIds
    piles: FamiliarsTroublePilesView
    completed: FamiliarsTroubleErrandIds
    discard: FamiliarsTroubleCards
    trick: list[FamiliarsTroubleTrickCard]
    exchange: FamiliarsTroubleSeat | None
    tricks: int


class FamiliarsTroubleTotals(TypedDict):
    red: int
    blue: int
    green: int


class FamiliarsTroubleTrickCard(TypedDict):
    seat: FamiliarsTroubleSeat
    card: FamiliarsTroubleCard


class FamiliarsTroubleTrickWon(TypedDict):
    type: Literal["trick_won"]
    seat: FamiliarsTroubleSeat
    cards: FamiliarsTroubleCards
    rule: Literal["FAM-3.7", "FAM-3.8"]


class FamiliarsTroubleView(TypedDict):
    version: RulesVersion1
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    scores: Scores
    game: Literal["familiars-trouble"]
    seats: FamiliarsTroubleSeatCount
    options: FamiliarsTroubleOptions
    phase: Literal["hand_exchange", "errand_exchange", "trick", "replenish", "finished"]
    to_act: list[FamiliarsTroubleSeat]
    outcome: FamiliarsTroubleOutcome | None
    table: FamiliarsTroubleTableView


class FeedChoiceMade(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["choice_made"]
    data: MoveData


class FeedClockExpired(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["clock_expired"]
    data: ClockExpiredData


class FeedDealt(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["dealt"]
    data: DealtData


class FeedEntropyCommitted(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["entropy_committed"]
    data: EntropyCommittedData


class FeedEntropyRevealed(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["entropy_revealed"]
    data: EntropyRevealedData


class FeedMatchCreated(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["match_created"]
    data: MatchCreatedData


class FeedMatchFinished(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["match_finished"]
    data: MatchFinishedData


class FeedMatchPaused(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["match_paused"]
    data: MatchPausedData


class FeedMatchResumed(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["match_resumed"]
    data: MatchResumedData


class FeedMatchVoided(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["match_voided"]
    data: MatchVoidedData


class FeedMovePlayed(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["move_played"]
    data: MoveData


class FeedRulingMade(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["ruling_made"]
    data: RulingMadeData


class FeedSeedDisclosed(TypedDict):
    match: MatchId
    seq: Seq
    at: Timestamp
    actor: Actor
    hash: Digest
    to_act: list[SeatToAct]
    type: Literal["seed_disclosed"]
    data: SeedDisclosedData


class ForfeitRuling(TypedDict):
    kind: Literal["forfeit"]
    seats: SomeSeats


class ForkSource(TypedDict):
    match: MatchId
    seq: LaterSeq
    hash: Digest


class HiddenCount(TypedDict):
    count: int


class KnownEnd(TypedDict):
    log: MatchId
    seq: Seq


class LegalMove(TypedDict):
    kind: Literal["dry_run"]
    legal: Literal[True]


class MatchClock(TypedDict):
    control: ClockControl
    now: Timestamp
    seats: list[ClockSeat]


class MatchDirector(TypedDict):
    token: str


class MatchFinishedData(TypedDict):
    outcome: Outcome | None
    result: NotRequired[MatchResult]


class MatchLinks(TypedDict):
    self: str
    moves: str
    events: str
    replay: str


class MatchResult(TypedDict):
    by: Literal["play", "forfeit", "ruling", "clock"]
    winners: SeatSet
    scores: Scores
    forfeited: SeatSet


class MatchSeat(TypedDict):
    seat: Seat
    name: Name | None
    bot: NotRequired[Literal["random", "greedy", "search"]]


class MatchVoidedData(TypedDict):
    reason: Literal["cancelled", "entropy-missing", "ruling"]
    missing: SeatList


class NamedSeat(TypedDict):
    name: NotRequired[Name]
    bot: NotRequired[Literal["random", "greedy", "search"]]


class NewClock(TypedDict):
    move: NotRequired[int]
    bank: NotRequired[int | None]
    increment: NotRequired[int]
    on_expiry: Literal["referee", "forfeit", "default", "pass"]


class NewDirectorRandomness(TypedDict):
    policy: Literal["director"]


class NewExternalRandomness(TypedDict):
    policy: Literal["external"]
    beacon: str
    reference: str


class NewMatchSeat(TypedDict):
    seat: Seat
    name: Name | None
    token: str


class NewPlayersRandomness(TypedDict):
    policy: Literal["players"]
    missing: NotRequired[Literal["void", "empty"]]
    within: NotRequired[int]


class NewServerRandomness(TypedDict):
    policy: Literal["server"]


class NoteRuling(TypedDict):
    kind: Literal["note"]


class PauseRuling(TypedDict):
    kind: Literal["pause"]


class PlayRuling(TypedDict):
    kind: Literal["play"]


class PlayersRandomness(TypedDict):
    policy: Literal["players"]
    missing: Literal["void", "empty"]
    within: int


class PointsRuling(TypedDict):
    kind: Literal["points"]
    seat: Seat
    points: int


class PositionOpening(TypedDict):
    seq: Seq
    position: Digest


class Receipt(TypedDict):
    event: str
    hash: Digest
    openings: list[Opening]
    key: KeyId
    sig: Signature


class Restoration(TypedDict):
    format: Literal["gyoji-restoration/1"]
    statement: str
    signatures: list[RestorationSignature]
    open: list[KnownEnd]


class RestorationSignature(TypedDict):
    key: KeyId
    sig: Signature


class ResultRuling(TypedDict):
    kind: Literal["result"]
    winners: SeatSet
    scores: Scores | None


class ResumeRuling(TypedDict):
    kind: Literal["resume"]


class Ruled(TypedDict):
    seq: Seq
    kind: Literal["take_back", "play", "accept", "points", "time", "forfeit", "substitute", "void", "result", "pause", "resume", "note"]
    rule: str | None
    overrides: bool


class SeatToAct(TypedDict):
    seat: Seat
    deadline: Timestamp | None


class SecretOpening(TypedDict):
    seq: Seq
    index: int
    salt: Digest
    payload: dict[str, Any]


class SeedDisclosedData(TypedDict):
    server_secret: str | None


class Seeding(TypedDict):
    policy: Literal["players", "director", "external"]
    beacon: NotRequired[str]
    reference: NotRequired[str]
    committed: SeatList
    revealed: SeatList
    missing: SeatList
    until: Timestamp | None


class ServerRandomness(TypedDict):
    policy: Literal["server"]


SigningKey = TypedDict("SigningKey", {
    "key": 'KeyId',
    "origin": 'str',
    "public": 'Digest',
    "from": 'Timestamp',
    "until": 'Timestamp | None',
    "revoked": 'Timestamp | None',
    "reason": 'NotRequired[str | None]',
})


class SigningKeys(TypedDict):
    keys: list[SigningKey]
    restorations: NotRequired[list[Restoration]]


class SubstituteRuling(TypedDict):
    kind: Literal["substitute"]
    seat: Seat
    name: Name | None


class TakeBackRuling(TypedDict):
    kind: Literal["take_back"]
    to: int


class TimeRuling(TypedDict):
    kind: Literal["time"]
    seat: Seat
    add_ms: int


class TomorrowNeverMeowsAdjudication(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["tomorrow-never-meows"]
    state: TomorrowNeverMeowsState
    events: list[TomorrowNeverMeowsEvent]
    legal_moves: TomorrowNeverMeowsMoves
    outcome: TomorrowNeverMeowsOutcome | None


class TomorrowNeverMeowsAnnounceMove(TypedDict):
    type: Literal["announce"]
    seat: TomorrowNeverMeowsSeat
    wish: TomorrowNeverMeowsWish


class TomorrowNeverMeowsCardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: TomorrowNeverMeowsSeat
    card: TomorrowNeverMeowsCard


class TomorrowNeverMeowsClockExpiredData(TypedDict):
    seats: SomeSeats
    deadlines: list[Timestamp]
    then: Literal["referee", "forfeit", "default", "pass"]
    game: Literal["tomorrow-never-meows"]
    move: NotRequired[TomorrowNeverMeowsLoggedMove]
    events: NotRequired[list[TomorrowNeverMeowsLoggedEvent]]


class TomorrowNeverMeowsDealtData(TypedDict):
    game: Literal["tomorrow-never-meows"]
    events: list[TomorrowNeverMeowsLoggedEvent]
    position: NotRequired[TomorrowNeverMeowsView]
    missing: NotRequired[SeatList]


class TomorrowNeverMeowsGameFinished(TypedDict):
    type: Literal["game_finished"]
    winners: list[TomorrowNeverMeowsSeat]
    scores: Scores
    reason: Literal["rounds_played"]


class TomorrowNeverMeowsHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[TomorrowNeverMeowsCards]
    aside: TomorrowNeverMeowsCards


class TomorrowNeverMeowsIllegalMove(TypedDict):
    type: Literal["/problems/illegal-move"]
    title: str
    status: int
    detail: str
    instance: str
    code: Literal["illegal-move"]
    reason: InfractionReason
    rule: RuleId | None
    rule_text: str | None
    because: str
    move_index: NotRequired[int]
    game: Literal["tomorrow-never-meows"]
    seat: TomorrowNeverMeowsSeat
    move: TomorrowNeverMeowsMove
    legal_moves: TomorrowNeverMeowsMoves
    state: NotRequired[TomorrowNeverMeowsState]


class TomorrowNeverMeowsLineFacts(TypedDict):
    seat: TomorrowNeverMeowsSeat
    rule: RuleId
    points: Points
    round: RoundNumber
    fine: NotRequired[int]
    cloudy: NotRequired[int]
    rainy: NotRequired[int]
    thunder: NotRequired[int]
    snow: NotRequired[int]
    pairs: NotRequired[int]
    tricks: NotRequired[int]
    common: NotRequired[int]
    special: NotRequired[int]
    product: NotRequired[int]
    each: NotRequired[Points]


class TomorrowNeverMeowsLoggedHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[TomorrowNeverMeowsCards | HiddenCount]
    aside: TomorrowNeverMeowsCards | HiddenCount


class TomorrowNeverMeowsLoggedWishChosen(TypedDict):
    type: Literal["wish_chosen"]
    seat: TomorrowNeverMeowsSeat
    wish: TomorrowNeverMeowsWish | None


class TomorrowNeverMeowsLoggedWishMove(TypedDict):
    type: Literal["wish"]
    seat: TomorrowNeverMeowsSeat
    wish: TomorrowNeverMeowsWish | None


class TomorrowNeverMeowsMatch(TypedDict):
    match: MatchId
    version: RulesVersion1
    rules_digest: RulesDigest
    status: MatchStatus
    seq: Seq
    decision: Seq
    created: Timestamp
    seats: list[MatchSeat]
    tags: Tags
    disclosure: Disclosure
    visibility: Visibility
    group: GroupId | None
    tournament: TournamentId | None
    withheld_until: str | None
    closed: bool
    links: MatchLinks
    viewer: Viewer
    scores: Scores | None
    result: MatchResult | None
    adjustments: Scores
    paused: bool
    rulings: Count
    clock: MatchClock | None
    seeding: NotRequired[Seeding]
    game: Literal["tomorrow-never-meows"]
    legal_moves: TomorrowNeverMeowsMoves
    view: TomorrowNeverMeowsView | None
    outcome: TomorrowNeverMeowsOutcome | None


TomorrowNeverMeowsMatchCreatedData = TypedDict("TomorrowNeverMeowsMatchCreatedData", {
    "version": 'RulesVersion1',
    "rules_digest": 'RulesDigest',
    "randomness": 'Randomness',
    "disclosure": 'Disclosure',
    "visibility": 'Visibility',
    "if_match": 'Precondition',
    "deal_id": 'Id',
    "seed_commitment": 'Digest',
    "names": 'Names | HiddenCount | None',
    "metadata": 'dict[str, Any] | None',
    "tags": 'TagList | HiddenCount',
    "from": 'NotRequired[ForkSource]',
    "withheld_until": 'NotRequired[str]',
    "clock": 'NotRequired[Clock]',
    "game": 'Literal["tomorrow-never-meows"]',
    "seats": 'TomorrowNeverMeowsSeatCount',
    "options": 'TomorrowNeverMeowsOptions',
    "first": 'TomorrowNeverMeowsSeat',
})


class TomorrowNeverMeowsMoveAnswer(TypedDict):
    seq: int
    scores: Scores
    receipt: Receipt
    kind: Literal["tomorrow-never-meows"]
    events: list[TomorrowNeverMeowsLoggedEvent]
    view: TomorrowNeverMeowsView
    outcome: TomorrowNeverMeowsOutcome | None
    legal_moves: TomorrowNeverMeowsMoves


class TomorrowNeverMeowsMoveData(TypedDict):
    game: Literal["tomorrow-never-meows"]
    move: TomorrowNeverMeowsLoggedMove
    events: list[TomorrowNeverMeowsLoggedEvent]


class TomorrowNeverMeowsNewMatch(TypedDict):
    game: Literal["tomorrow-never-meows"]
    version: NotRequired[RulesVersion1]
    seats: TomorrowNeverMeowsSeatCount | TomorrowNeverMeowsNamedSeats
    options: NotRequired[TomorrowNeverMeowsOptionsGiven]
    first: NotRequired[TomorrowNeverMeowsSeat]
    randomness: NotRequired[NewRandomness]
    disclosure: NotRequired[Disclosure]
    visibility: NotRequired[Visibility]
    if_match: NotRequired[Precondition]
    tags: NotRequired[Tags]
    metadata: NotRequired[dict[str, Any]]
    group: NotRequired[GroupId]
    withheld_until: NotRequired[Timestamp]
    clock: NotRequired[NewClock]


class TomorrowNeverMeowsOptions(TypedDict):
    rounds: int
    round_leader: Literal["lowest_score", "clockwise"]
    wishes: Literal["all", "basic"]
    concealed: bool
    bluff_scoring: Literal["none", "per_trick"]
    wish_points: TomorrowNeverMeowsWishPoints | None


class TomorrowNeverMeowsOptionsGiven(TypedDict):
    rounds: NotRequired[int]
    round_leader: NotRequired[Literal["lowest_score", "clockwise"]]
    wishes: NotRequired[Literal["all", "basic"]]
    concealed: NotRequired[bool]
    bluff_scoring: NotRequired[Literal["none", "per_trick"]]
    wish_points: NotRequired[TomorrowNeverMeowsWishPoints | None]


class TomorrowNeverMeowsOutcome(TypedDict):
    winners: list[TomorrowNeverMeowsSeat]
    scores: Scores
    reason: Literal["rounds_played"]


class TomorrowNeverMeowsPlayMove(TypedDict):
    type: Literal["play"]
    seat: TomorrowNeverMeowsSeat
    card: TomorrowNeverMeowsCard


class TomorrowNeverMeowsPosition(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["tomorrow-never-meows"]
    state: TomorrowNeverMeowsState
    legal_moves: TomorrowNeverMeowsMoves
    outcome: TomorrowNeverMeowsOutcome | None


class TomorrowNeverMeowsRound(TypedDict):
    points: Scores
    tricks: list[int]
    wishes: TomorrowNeverMeowsWishes
    announced: list[TomorrowNeverMeowsWish | None]
    won: list[TomorrowNeverMeowsWon]


class TomorrowNeverMeowsRoundScored(TypedDict):
    type: Literal["round_scored"]
    round: RoundNumber
    points: Scores
    wishes: TomorrowNeverMeowsWishes
    announced: list[TomorrowNeverMeowsWish | None]
    tricks: list[int]
    won: list[TomorrowNeverMeowsCards]
    lines: list[TomorrowNeverMeowsLineFacts]


class TomorrowNeverMeowsRulingMadeData(TypedDict):
    ruling: Ruling
    rule: RuleId | None
    reason: str | None
    banks_ms: NotRequired[list[Count]]
    credited_ms: NotRequired[list[Count]]
    game: Literal["tomorrow-never-meows"]
    move: NotRequired[TomorrowNeverMeowsLoggedMove]
    events: NotRequired[list[TomorrowNeverMeowsLoggedEvent]]
    position: NotRequired[TomorrowNeverMeowsView]


class TomorrowNeverMeowsState(TypedDict):
    game: Literal["tomorrow-never-meows"]
    version: RulesVersion1
    seats: TomorrowNeverMeowsSeatCount
    options: TomorrowNeverMeowsOptions
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    phase: Literal["wish", "announce", "trick", "finished"]
    to_act: list[TomorrowNeverMeowsSeat]
    scores: Scores
    outcome: TomorrowNeverMeowsOutcome | None
    table: TomorrowNeverMeowsTable


class TomorrowNeverMeowsStoredPosition(TypedDict):
    match: MatchId
    seq: LaterSeq
    viewer: Viewer
    scores: Scores
    game: Literal["tomorrow-never-meows"]
    view: TomorrowNeverMeowsView
    outcome: TomorrowNeverMeowsOutcome | None


class TomorrowNeverMeowsTable(TypedDict):
    first_lead: TomorrowNeverMeowsSeat
    lead: TomorrowNeverMeowsSeat
    wish_order: list[TomorrowNeverMeowsSeat]
    hands: list[TomorrowNeverMeowsCards]
    aside: TomorrowNeverMeowsCards
    wishes: list[TomorrowNeverMeowsWish | None]
    announced: list[TomorrowNeverMeowsWish | None]
    last_wishes: list[TomorrowNeverMeowsWish | None]
    advanced: list[bool]
    trick: list[TomorrowNeverMeowsTrickCard]
    captured: list[TomorrowNeverMeowsCards]
    tricks_won: list[int]
    rounds: list[TomorrowNeverMeowsRound]


class TomorrowNeverMeowsTableView(TypedDict):
    first_lead: TomorrowNeverMeowsSeat
    lead: TomorrowNeverMeowsSeat
    wish_order: list[TomorrowNeverMeowsSeat]
    hands: list[TomorrowNeverMeowsCards | HiddenCount]
    aside: TomorrowNeverMeowsCards | HiddenCount
    wishes: list[TomorrowNeverMeowsWish | None]
    announced: list[TomorrowNeverMeowsWish | None]
    last_wishes: list[TomorrowNeverMeowsWish | None]
    advanced: list[bool]
    trick: list[TomorrowNeverMeowsTrickCard]
    captured: list[TomorrowNeverMeowsCards | HiddenCount]
    tricks_won: list[int]
    rounds: list[TomorrowNeverMeowsRound]


class TomorrowNeverMeowsTrickCard(TypedDict):
    seat: TomorrowNeverMeowsSeat
    card: TomorrowNeverMeowsCard


class TomorrowNeverMeowsTrickWon(TypedDict):
    type: Literal["trick_won"]
    seat: TomorrowNeverMeowsSeat
    cards: TomorrowNeverMeowsCards
    rule: RuleId


class TomorrowNeverMeowsView(TypedDict):
    version: RulesVersion1
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    scores: Scores
    game: Literal["tomorrow-never-meows"]
    seats: TomorrowNeverMeowsSeatCount
    options: TomorrowNeverMeowsOptions
    phase: Literal["wish", "announce", "trick", "finished"]
    to_act: list[TomorrowNeverMeowsSeat]
    outcome: TomorrowNeverMeowsOutcome | None
    table: TomorrowNeverMeowsTableView


class TomorrowNeverMeowsWishAnnounced(TypedDict):
    type: Literal["wish_announced"]
    seat: TomorrowNeverMeowsSeat
    wish: TomorrowNeverMeowsWish


class TomorrowNeverMeowsWishChosen(TypedDict):
    type: Literal["wish_chosen"]
    seat: TomorrowNeverMeowsSeat
    wish: TomorrowNeverMeowsWish


class TomorrowNeverMeowsWishMove(TypedDict):
    type: Literal["wish"]
    seat: TomorrowNeverMeowsSeat
    wish: TomorrowNeverMeowsWish


class TomorrowNeverMeowsWishPoints(TypedDict):
    fine: TomorrowNeverMeowsWishRow
    cloudy: TomorrowNeverMeowsWishRow
    rainy: TomorrowNeverMeowsWishRow
    thunder: TomorrowNeverMeowsWishRow


class TomorrowNeverMeowsWishRow(TypedDict):
    F: int
    C: int
    R: int
    T: int
    S: int


class TomorrowNeverMeowsWon(TypedDict):
    F: int
    C: int
    R: int
    T: int
    S: int


class TowaiAdjudication(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["towai"]
    state: TowaiState
    events: list[TowaiEvent]
    legal_moves: TowaiMoves
    outcome: TowaiOutcome | None


class TowaiCardDrawn(TypedDict):
    type: Literal["card_drawn"]
    seat: TowaiSeat
    card: TowaiCard
    rule: RuleId


TowaiCardPassed = TypedDict("TowaiCardPassed", {
    "type": 'Literal["card_passed"]',
    "from": 'TowaiSeat',
    "to": 'TowaiSeat',
    "card": 'TowaiCard',
})


class TowaiCardPlayed(TypedDict):
    type: Literal["card_played"]
    seat: TowaiSeat
    card: TowaiCard


class TowaiClockExpiredData(TypedDict):
    seats: SomeSeats
    deadlines: list[Timestamp]
    then: Literal["referee", "forfeit", "default", "pass"]
    game: Literal["towai"]
    move: NotRequired[TowaiLoggedMove]
    events: NotRequired[list[TowaiLoggedEvent]]


class TowaiDaylightDeclared(TypedDict):
    type: Literal["daylight_declared"]
    seat: TowaiSeat
    daylight: TowaiDaylight


class TowaiDaylightFlipped(TypedDict):
    type: Literal["daylight_flipped"]
    daylight: TowaiDaylight


class TowaiDealtData(TypedDict):
    game: Literal["towai"]
    events: list[TowaiLoggedEvent]
    position: NotRequired[TowaiView]
    missing: NotRequired[SeatList]


class TowaiDeckReformed(TypedDict):
    type: Literal["deck_reformed"]
    count: int
    deck: TowaiCards


class TowaiEndTurnMove(TypedDict):
    type: Literal["end_turn"]
    seat: TowaiSeat


class TowaiGameFinished(TypedDict):
    type: Literal["game_finished"]
    winners: SeatList
    scores: Scores
    reason: Literal["finished"]


class TowaiHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[TowaiCards]
    deck: TowaiCards


class TowaiIllegalMove(TypedDict):
    type: Literal["/problems/illegal-move"]
    title: str
    status: int
    detail: str
    instance: str
    code: Literal["illegal-move"]
    reason: InfractionReason
    rule: RuleId | None
    rule_text: str | None
    because: str
    move_index: NotRequired[int]
    game: Literal["towai"]
    seat: TowaiSeat
    move: TowaiMove
    legal_moves: TowaiMoves
    state: NotRequired[TowaiState]


class TowaiLoggedCardDrawn(TypedDict):
    type: Literal["card_drawn"]
    seat: TowaiSeat
    card: TowaiCard | None
    rule: RuleId


TowaiLoggedCardPassed = TypedDict("TowaiLoggedCardPassed", {
    "type": 'Literal["card_passed"]',
    "from": 'TowaiSeat',
    "to": 'TowaiSeat',
    "card": 'TowaiCard | None',
})


class TowaiLoggedDeckReformed(TypedDict):
    type: Literal["deck_reformed"]
    count: int
    deck: TowaiCards | HiddenCount


class TowaiLoggedHandsDealt(TypedDict):
    type: Literal["hands_dealt"]
    round: RoundNumber
    hands: list[TowaiCards | HiddenCount]
    deck: TowaiCards | HiddenCount


class TowaiLoggedSwapChosen(TypedDict):
    type: Literal["swap_chosen"]
    seat: TowaiSeat
    card: TowaiCard | None


class TowaiLoggedSwapMove(TypedDict):
    type: Literal["swap"]
    seat: TowaiSeat
    card: TowaiCard | None


class TowaiMatch(TypedDict):
    match: MatchId
    version: RulesVersion1
    rules_digest: RulesDigest
    status: MatchStatus
    seq: Seq
    decision: Seq
    created: Timestamp
    seats: list[MatchSeat]
    tags: Tags
    disclosure: Disclosure
    visibility: Visibility
    group: GroupId | None
    tournament: TournamentId | None
    withheld_until: str | None
    closed: bool
    links: MatchLinks
    viewer: Viewer
    scores: Scores | None
    result: MatchResult | None
    adjustments: Scores
    paused: bool
    rulings: Count
    clock: MatchClock | None
    seeding: NotRequired[Seeding]
    game: Literal["towai"]
    legal_moves: TowaiMoves
    view: TowaiView | None
    outcome: TowaiOutcome | None


TowaiMatchCreatedData = TypedDict("TowaiMatchCreatedData", {
    "version": 'RulesVersion1',
    "rules_digest": 'RulesDigest',
    "randomness": 'Randomness',
    "disclosure": 'Disclosure',
    "visibility": 'Visibility',
    "if_match": 'Precondition',
    "deal_id": 'Id',
    "seed_commitment": 'Digest',
    "names": 'Names | HiddenCount | None',
    "metadata": 'dict[str, Any] | None',
    "tags": 'TagList | HiddenCount',
    "from": 'NotRequired[ForkSource]',
    "withheld_until": 'NotRequired[str]',
    "clock": 'NotRequired[Clock]',
    "game": 'Literal["towai"]',
    "seats": 'TowaiSeatCount',
    "options": 'TowaiOptions',
    "first": 'TowaiSeat',
})


class TowaiMoveAnswer(TypedDict):
    seq: int
    scores: Scores
    receipt: Receipt
    kind: Literal["towai"]
    events: list[TowaiLoggedEvent]
    view: TowaiView
    outcome: TowaiOutcome | None
    legal_moves: TowaiMoves


class TowaiMoveData(TypedDict):
    game: Literal["towai"]
    move: TowaiLoggedMove
    events: list[TowaiLoggedEvent]


class TowaiNewMatch(TypedDict):
    game: Literal["towai"]
    version: NotRequired[RulesVersion1]
    seats: TowaiSeatCount | TowaiNamedSeats
    options: NotRequired[TowaiOptionsGiven]
    first: NotRequired[TowaiSeat]
    randomness: NotRequired[NewRandomness]
    disclosure: NotRequired[Disclosure]
    visibility: NotRequired[Visibility]
    if_match: NotRequired[Precondition]
    tags: NotRequired[Tags]
    metadata: NotRequired[dict[str, Any]]
    group: NotRequired[GroupId]
    withheld_until: NotRequired[Timestamp]
    clock: NotRequired[NewClock]


class TowaiOptions(TypedDict):
    finishes_to_win: int
    first_card: Literal["matching", "any"]
    reform: Literal["either", "discard"]


class TowaiOptionsGiven(TypedDict):
    finishes_to_win: NotRequired[int]
    first_card: NotRequired[Literal["matching", "any"]]
    reform: NotRequired[Literal["either", "discard"]]


class TowaiOutcome(TypedDict):
    winners: SeatList
    scores: Scores
    reason: Literal["finished"]


class TowaiPassMove(TypedDict):
    type: Literal["pass"]
    seat: TowaiSeat


class TowaiPassed(TypedDict):
    type: Literal["passed"]
    seat: TowaiSeat


class TowaiPileDiscarded(TypedDict):
    type: Literal["pile_discarded"]
    rule: RuleId
    cards: TowaiCards


class TowaiPlayMove(TypedDict):
    type: Literal["play"]
    seat: TowaiSeat
    card: TowaiCard
    daylight: NotRequired[TowaiDaylight]


class TowaiPosition(TypedDict):
    version: RulesVersion1
    rules_digest: RulesDigest
    kind: Literal["open"]
    scores: Scores
    game: Literal["towai"]
    state: TowaiState
    legal_moves: TowaiMoves
    outcome: TowaiOutcome | None


class TowaiRoundFinished(TypedDict):
    type: Literal["round_finished"]
    round: RoundNumber
    seat: TowaiSeat


class TowaiRulingMadeData(TypedDict):
    ruling: Ruling
    rule: RuleId | None
    reason: str | None
    banks_ms: NotRequired[list[Count]]
    credited_ms: NotRequired[list[Count]]
    game: Literal["towai"]
    move: NotRequired[TowaiLoggedMove]
    events: NotRequired[list[TowaiLoggedEvent]]
    position: NotRequired[TowaiView]


class TowaiState(TypedDict):
    game: Literal["towai"]
    version: RulesVersion1
    seats: TowaiSeatCount
    options: TowaiOptions
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    phase: Literal["lead", "turn", "combo", "swap", "finished"]
    to_act: SeatList
    scores: Scores
    outcome: TowaiOutcome | None
    table: TowaiTable


class TowaiStoredPosition(TypedDict):
    match: MatchId
    seq: LaterSeq
    viewer: Viewer
    scores: Scores
    game: Literal["towai"]
    view: TowaiView
    outcome: TowaiOutcome | None


class TowaiSwapBegun(TypedDict):
    type: Literal["swap_begun"]
    seat: TowaiSeat


class TowaiSwapChosen(TypedDict):
    type: Literal["swap_chosen"]
    seat: TowaiSeat
    card: TowaiCard


class TowaiSwapMove(TypedDict):
    type: Literal["swap"]
    seat: TowaiSeat
    card: TowaiCard


class TowaiTable(TypedDict):
    starting: TowaiSeat
    daylight: TowaiDaylight | None
    hands: list[TowaiCards]
    deck: TowaiCards
    pile: TowaiCards
    discard: TowaiCards
    turn: TowaiSeat
    combo: int | None
    last_played: TowaiSeat | None
    passes: int
    swap: list[TowaiCard | None] | None
    finishes: list[int]
    rounds: list[TowaiSeat]


class TowaiTableView(TypedDict):
    starting: TowaiSeat
    daylight: TowaiDaylight | None
    hands: list[TowaiCards | HiddenCount]
    deck: TowaiCards | HiddenCount
    pile: TowaiCards
    discard: TowaiCards
    turn: TowaiSeat
    combo: int | None
    last_played: TowaiSeat | None
    passes: int
    swap: list[TowaiCard | None] | None
    finishes: list[int]
    rounds: list[TowaiSeat]


class TowaiTurnEnded(TypedDict):
    type: Literal["turn_ended"]
    seat: TowaiSeat


class TowaiView(TypedDict):
    version: RulesVersion1
    seed: Seed | None
    shuffles: Count
    round: RoundNumber
    ply: Count
    scores: Scores
    game: Literal["towai"]
    seats: TowaiSeatCount
    options: TowaiOptions
    phase: Literal["lead", "turn", "combo", "swap", "finished"]
    to_act: SeatList
    outcome: TowaiOutcome | None
    table: TowaiTableView


class Verdict(TypedDict):
    verdict: Literal["verified", "verified_with_rulings", "verified_partial", "rules_divergence", "deal_divergence", "incomplete", "tampered", "equivocation", "key_untrusted", "rules_unknown", "malformed"]
    match: str | None
    first_divergence: Divergence | None
    checks: list[Check]
    rulings: list[Ruled]


class Viewer(TypedDict):
    role: Literal["operator", "referee", "auditor", "director", "seat", "spectator"]
    seat: Seat | None


class VoidRuling(TypedDict):
    kind: Literal["void"]


CatteCard: TypeAlias = str
CatteCards: TypeAlias = list[CatteCard]
CatteCoffeeCard: TypeAlias = Literal["B1", "B3", "B5", "B7", "B9", "W2", "W4", "W6", "W8", "W10", "K5", "K10", "K15"]
CatteCoffeeCards: TypeAlias = list[CatteCoffeeCard]
CatteEvent: TypeAlias = CatteHandsDealt | CatteCoffeeServed | CatteCardPlayed | CatteTrickWon | CatteCoffeeAcquired | CatteRoundScored | CatteGameFinished
CatteLoggedEvent: TypeAlias = CatteLoggedHandsDealt | CatteCoffeeServed | CatteCardPlayed | CatteTrickWon | CatteCoffeeAcquired | CatteRoundScored | CatteGameFinished
CatteLoggedMove: TypeAlias = CatteCoffeeMove | CattePlayMove
CatteMove: TypeAlias = CatteCoffeeMove | CattePlayMove
CatteMoves: TypeAlias = list[CatteMove]
CatteNamedSeats: TypeAlias = list[NamedSeat]
CatteSeat: TypeAlias = int
CatteSeatCount: TypeAlias = int
ClockExpiredData: TypeAlias = TomorrowNeverMeowsClockExpiredData | CatteClockExpiredData | TowaiClockExpiredData | FamiliarsTroubleClockExpiredData
Count: TypeAlias = int
DealtData: TypeAlias = TomorrowNeverMeowsDealtData | CatteDealtData | TowaiDealtData | FamiliarsTroubleDealtData
Digest: TypeAlias = str
Disclosure: TypeAlias = Literal["public_on_close", "auditors_only"]
FamiliarsTroubleCard: TypeAlias = Literal["R3", "R4", "R5", "R6", "R7", "R8", "R9", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "G3", "G4", "G5", "G6", "G7", "G8", "G9", "RB2", "RG2", "BG2", "RBG1"]
FamiliarsTroubleCards: TypeAlias = list[FamiliarsTroubleCard]
FamiliarsTroubleErrandId: TypeAlias = str
FamiliarsTroubleErrandIds: TypeAlias = list[FamiliarsTroubleErrandId]
FamiliarsTroubleEvent: TypeAlias = FamiliarsTroubleHandsDealt | FamiliarsTroubleExchangeSkipped | FamiliarsTroubleErrandExchangeSkipped | FamiliarsTroubleCardPassed | FamiliarsTroubleErrandReplaced | FamiliarsTroubleCardPlayed | FamiliarsTroubleTrickWon | FamiliarsTroubleErrandsCompleted | FamiliarsTroubleErrandTurnedUp | FamiliarsTroubleCardDrawn | FamiliarsTroubleGameFinished
FamiliarsTroubleLoggedEvent: TypeAlias = FamiliarsTroubleLoggedHandsDealt | FamiliarsTroubleExchangeSkipped | FamiliarsTroubleErrandExchangeSkipped | FamiliarsTroubleLoggedCardPassed | FamiliarsTroubleErrandReplaced | FamiliarsTroubleCardPlayed | FamiliarsTroubleTrickWon | FamiliarsTroubleErrandsCompleted | FamiliarsTroubleErrandTurnedUp | FamiliarsTroubleLoggedCardDrawn | FamiliarsTroubleGameFinished
FamiliarsTroubleLoggedMove: TypeAlias = FamiliarsTroubleSkipExchangeMove | FamiliarsTroubleLoggedExchangeMove | FamiliarsTroubleSkipErrandMove | FamiliarsTroubleReplaceErrandMove | FamiliarsTroublePlayMove | FamiliarsTroubleDrawErrandMove
FamiliarsTroubleMove: TypeAlias = FamiliarsTroubleSkipExchangeMove | FamiliarsTroubleExchangeMove | FamiliarsTroubleSkipErrandMove | FamiliarsTroubleReplaceErrandMove | FamiliarsTroublePlayMove | FamiliarsTroubleDrawErrandMove
FamiliarsTroubleMoves: TypeAlias = list[FamiliarsTroubleMove]
FamiliarsTroubleNamedSeats: TypeAlias = list[NamedSeat]
FamiliarsTroubleSeat: TypeAlias = int
FamiliarsTroubleSeatCount: TypeAlias = int
FeedEvent: TypeAlias = FeedMatchCreated | FeedEntropyCommitted | FeedEntropyRevealed | FeedDealt | FeedMovePlayed | FeedChoiceMade | FeedRulingMade | FeedClockExpired | FeedMatchPaused | FeedMatchResumed | FeedMatchFinished | FeedMatchVoided | FeedSeedDisclosed
GameSlug: TypeAlias = Literal["tomorrow-never-meows", "catte", "towai", "familiars-trouble"]
GroupId: TypeAlias = str
Id: TypeAlias = str
InfractionReason: TypeAlias = Literal["not-your-turn", "wrong-phase", "card-not-in-hand", "card-not-in-row", "errand-not-on-display", "game-finished", "rule-violation"]
KeyId: TypeAlias = str
LaterSeq: TypeAlias = int
Match: TypeAlias = TomorrowNeverMeowsMatch | CatteMatch | TowaiMatch | FamiliarsTroubleMatch
MatchCreatedData: TypeAlias = TomorrowNeverMeowsMatchCreatedData | CatteMatchCreatedData | TowaiMatchCreatedData | FamiliarsTroubleMatchCreatedData
MatchId: TypeAlias = str
MatchPausedData: TypeAlias = dict[str, Any]
MatchResumedData: TypeAlias = dict[str, Any]
MatchStatus: TypeAlias = Literal["seeding", "playing", "paused", "finished", "voided"]
MoveAnswer: TypeAlias = TomorrowNeverMeowsMoveAnswer | CatteMoveAnswer | TowaiMoveAnswer | FamiliarsTroubleMoveAnswer | LegalMove
MoveData: TypeAlias = TomorrowNeverMeowsMoveData | CatteMoveData | TowaiMoveData | FamiliarsTroubleMoveData
Name: TypeAlias = str
Names: TypeAlias = list[Name]
NewRandomness: TypeAlias = NewServerRandomness | NewPlayersRandomness | NewDirectorRandomness | NewExternalRandomness
Opening: TypeAlias = SecretOpening | PositionOpening
Outcome: TypeAlias = TomorrowNeverMeowsOutcome | CatteOutcome | TowaiOutcome | FamiliarsTroubleOutcome
Points: TypeAlias = int
Precondition: TypeAlias = Literal["optional", "required"]
Randomness: TypeAlias = ServerRandomness | PlayersRandomness | DirectorRandomness | ExternalRandomness
RoundNumber: TypeAlias = int
RuleId: TypeAlias = str
RulesDigest: TypeAlias = str
RulesVersion: TypeAlias = int
RulesVersion1: TypeAlias = int
Ruling: TypeAlias = TakeBackRuling | PointsRuling | ForfeitRuling | VoidRuling | ResultRuling | PauseRuling | ResumeRuling | NoteRuling | PlayRuling | AcceptRuling | TimeRuling | SubstituteRuling
RulingMadeData: TypeAlias = TomorrowNeverMeowsRulingMadeData | CatteRulingMadeData | TowaiRulingMadeData | FamiliarsTroubleRulingMadeData
Scores: TypeAlias = list[Points]
Seat: TypeAlias = int
SeatList: TypeAlias = list[Seat]
SeatSet: TypeAlias = list[Seat]
Seed: TypeAlias = str
Seq: TypeAlias = int
Signature: TypeAlias = str
SomeSeats: TypeAlias = list[Seat]
StoredPosition: TypeAlias = TomorrowNeverMeowsStoredPosition | CatteStoredPosition | TowaiStoredPosition | FamiliarsTroubleStoredPosition
TagList: TypeAlias = list[Name]
Tags: TypeAlias = list[Name]
Timestamp: TypeAlias = str
TomorrowNeverMeowsCard: TypeAlias = Literal["F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "T1", "T2", "T3", "S1", "S2", "S3"]
TomorrowNeverMeowsCards: TypeAlias = list[TomorrowNeverMeowsCard]
TomorrowNeverMeowsEvent: TypeAlias = TomorrowNeverMeowsHandsDealt | TomorrowNeverMeowsWishChosen | TomorrowNeverMeowsWishAnnounced | TomorrowNeverMeowsCardPlayed | TomorrowNeverMeowsTrickWon | TomorrowNeverMeowsRoundScored | TomorrowNeverMeowsGameFinished
TomorrowNeverMeowsLoggedEvent: TypeAlias = TomorrowNeverMeowsLoggedHandsDealt | TomorrowNeverMeowsLoggedWishChosen | TomorrowNeverMeowsWishAnnounced | TomorrowNeverMeowsCardPlayed | TomorrowNeverMeowsTrickWon | TomorrowNeverMeowsRoundScored | TomorrowNeverMeowsGameFinished
TomorrowNeverMeowsLoggedMove: TypeAlias = TomorrowNeverMeowsLoggedWishMove | TomorrowNeverMeowsAnnounceMove | TomorrowNeverMeowsPlayMove
TomorrowNeverMeowsMove: TypeAlias = TomorrowNeverMeowsWishMove | TomorrowNeverMeowsAnnounceMove | TomorrowNeverMeowsPlayMove
TomorrowNeverMeowsMoves: TypeAlias = list[TomorrowNeverMeowsMove]
TomorrowNeverMeowsNamedSeats: TypeAlias = list[NamedSeat]
TomorrowNeverMeowsSeat: TypeAlias = int
TomorrowNeverMeowsSeatCount: TypeAlias = int
TomorrowNeverMeowsWish: TypeAlias = Literal["fine", "cloudy", "rainy", "thunder", "snow", "very_fine", "very_cloudy", "very_rainy"]
TomorrowNeverMeowsWishes: TypeAlias = list[TomorrowNeverMeowsWish]
TournamentId: TypeAlias = str
TowaiCard: TypeAlias = Literal["D3", "D4", "D5", "D6", "D7", "N1", "N2", "N3", "N4", "N5", "T1", "T2", "T3", "T4", "T5", "T6", "T7"]
TowaiCards: TypeAlias = list[TowaiCard]
TowaiDaylight: TypeAlias = Literal["day", "night"]
TowaiEvent: TypeAlias = TowaiHandsDealt | TowaiDaylightDeclared | TowaiCardPlayed | TowaiDaylightFlipped | TowaiPileDiscarded | TowaiCardDrawn | TowaiDeckReformed | TowaiSwapBegun | TowaiSwapChosen | TowaiCardPassed | TowaiPassed | TowaiTurnEnded | TowaiRoundFinished | TowaiGameFinished
TowaiLoggedEvent: TypeAlias = TowaiLoggedHandsDealt | TowaiDaylightDeclared | TowaiCardPlayed | TowaiDaylightFlipped | TowaiPileDiscarded | TowaiLoggedCardDrawn | TowaiLoggedDeckReformed | TowaiSwapBegun | TowaiLoggedSwapChosen | TowaiLoggedCardPassed | TowaiPassed | TowaiTurnEnded | TowaiRoundFinished | TowaiGameFinished
TowaiLoggedMove: TypeAlias = TowaiPlayMove | TowaiPassMove | TowaiEndTurnMove | TowaiLoggedSwapMove
TowaiMove: TypeAlias = TowaiPlayMove | TowaiPassMove | TowaiEndTurnMove | TowaiSwapMove
TowaiMoves: TypeAlias = list[TowaiMove]
TowaiNamedSeats: TypeAlias = list[NamedSeat]
TowaiSeat: TypeAlias = int
TowaiSeatCount: TypeAlias = int
Visibility: TypeAlias = Literal["private", "public"]
