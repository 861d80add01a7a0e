"""What each event of a log leads to, by what was to come: an event is put to whoever can judge it."""

from collections.abc import Callable, Mapping

from gyoji.audit import event_checks, expiry_checks, ruling_checks
from gyoji.audit.event_checks import Flaw
from gyoji.audit.recorded import RecordedEvent
from gyoji.audit.replayer import Replayer, Stage
from gyoji.audit.ruling_checks import Judged, Scene, Turn
from gyoji.audit.verdicts import LONGEST_RULE, RULINGS, Ruled, Why
from gyoji.games.game import Refused
from gyoji.match.derived_events import Made, deal, disclosure, finish, ground, moved
from gyoji.match.fold import MOVES
from gyoji.match.seeding import waiting
from gyoji.match.setup import Setup, set_up
from gyoji.match.state import MatchState, opened, voided


def apply(replayer: Replayer, told: RecordedEvent) -> None:
    """One more event."""
    if told.kind == "match_created" and told.seq == 0:
        replayer.promises.begin(told)
        replayer.timeline.begin(told.document["data"])
    if told.kind == "seed_disclosed":
        replayer.promises.weigh_secret(told)
        replayer.promises.weigh_time(told)
    if told.kind == "ruling_made":
        _listed(replayer, told)
    step = STEPS.get(replayer.stage)
    if step is not None:
        step(replayer, told)
    if replayer.outline is not None:
        replayer.take(told, replayer.outline.take(told))
    replayer.take(told, replayer.timeline.take(told))


def _listed(replayer: Replayer, told: RecordedEvent) -> None:
    """A ruling is told of, whether or not it can be followed."""
    data = told.document["data"]
    ruling, rule = data.get("ruling"), data.get("rule")
    kind = ruling.get("kind") if isinstance(ruling, dict) else None
    is_rule = rule is None or (isinstance(rule, str) and len(rule) <= LONGEST_RULE)
    if isinstance(kind, str) and kind in RULINGS and is_rule:
        replayer.ledger.ruled(Ruled(told.seq, kind, rule, RULINGS[kind]))


# Before the first move


def _created(replayer: Replayer, told: RecordedEvent) -> None:
    if not replayer.is_of_type(told, "match_created"):
        return
    found = set_up(told.document["data"], replayer.rulebook)
    if not isinstance(found, Setup):
        word, place, expected, given = found
        if word == "rules_unknown":
            replayer.ledger.diverge(
                word, "moves", told.seq, Why("rules-unknown"), expected, given, result="not_checkable"
            )
            replayer.lose(Why("rules-unknown"))
        else:
            replayer.astray(told, Why("setup", {"at": place}), expected, given)
        return
    replayer.standing = _begun(replayer, told, found)
    replayer.ground = ground(found, replayer.secret, replayer.standing.seeding)
    flaw = event_checks.creation_flaw(told)
    if flaw is not None:
        replayer.take(told, flaw)
    else:
        replayer.stage = "dealt" if replayer.standing.seeding.is_complete else "seeding"


def _begun(replayer: Replayer, told: RecordedEvent, found: Setup) -> MatchState:
    seeding = waiting(found.policy, found.seats, found.deal_id, told.document["at"])
    return MatchState(
        told.document["match"],
        found.game,
        0,
        bytes(32),
        None,
        0,
        replayer.secret or b"",
        found.disclosure,
        found.options,
        found.first,
        seeding,
        found.withheld,
        control=found.clock,
    )


def _contributed(replayer: Replayer, told: RecordedEvent) -> None:
    """A contribution to the seed; or the end of waiting for more."""
    if told.kind == "ruling_made":
        _ruled(replayer, told)
    elif told.kind == "match_voided":
        _voided(replayer, told)
    elif told.kind == "dealt":
        flaw = event_checks.owed(replayer.standing.seeding, told, "empty")
        if flaw is None:
            _settled(replayer)
            _dealt(replayer, told)
        else:
            replayer.take(told, flaw)
    elif replayer.is_of_type(told, *event_checks.SEEDING):
        _counted(replayer, told)


def _counted(replayer: Replayer, told: RecordedEvent) -> None:
    found = event_checks.contribution(replayer.standing.seeding, told)
    if isinstance(found, Flaw):
        replayer.take(told, found)
        return
    made, seeding = found
    replayer.standing = replayer.standing._replace(seeding=seeding)
    replayer.take(told, made)
    if seeding.is_complete and replayer.stage == "seeding":
        replayer.promises.weigh_beacon(seeding, told.seq)
        _settled(replayer)


def _settled(replayer: Replayer) -> None:
    """All that there will be has been contributed."""
    replayer.promises.settle()
    seeding = replayer.standing.seeding._replace(closed=True)
    replayer.standing = replayer.standing._replace(seeding=seeding)
    replayer.ground = ground(replayer.ground.setup, replayer.secret, seeding)
    replayer.stage = "dealt"


def _awaited(replayer: Replayer, told: RecordedEvent) -> None:
    """The deal, which nothing but the first event came before."""
    if told.kind in event_checks.SEEDING:
        _counted(replayer, told)
    elif replayer.is_of_type(told, "dealt"):
        _dealt(replayer, told)


def _dealt(replayer: Replayer, told: RecordedEvent) -> None:
    if not replayer.ground.setup.is_fork:
        replayer.take(told, replayer.judged(told, lambda scene: deal(scene.ground, scene.chance)))
    elif told.is_open:
        replayer.take(told, event_checks.taken_over(replayer.ground, told))
    else:
        replayer.lose(Why("hidden-cards"))
    if replayer.stage != "lost":
        replayer.dealt = told.seq
        replayer.standing = opened(replayer.standing, replayer.state, told.document["at"])


# From the first move on


def _moved(replayer: Replayer, told: RecordedEvent) -> None:
    if told.kind == "match_voided":
        _voided(replayer, told)
    elif told.kind == "ruling_made":
        _ruled(replayer, told)
    elif told.kind == "clock_expired":
        replayer.take(told, replayer.judged(told, lambda scene: expiry_checks.expiry(scene, told)))
    elif told.kind in event_checks.SEEDING:
        _counted(replayer, told)
    elif replayer.is_of_type(told, *MOVES):
        _played(replayer, told)


def _played(replayer: Replayer, told: RecordedEvent) -> None:
    move = told.truth.get("move")
    found = replayer.judged(told, lambda scene: _stands(scene, told, move))
    if isinstance(found, Made) and replayer.standing.clock is not None:
        replayer.tick(move["seat"], told.document["at"], replayer.state, found.state)
    replayer.take(told, found)


def _stands(scene: Scene, told: RecordedEvent, move: object) -> Judged | Made:
    setup, state = scene.ground.setup, scene.standing.state
    if not isinstance(move, dict) or not setup.rules.fits("move", move):
        return event_checks.unfit(scene.ground.known, told, move)
    ruling = setup.game.adjudicate(state, move, scene.chance)
    if isinstance(ruling, Refused):
        return event_checks.refused(told, ruling.breach)
    return moved(scene.ground, state, move, ruling, event_checks.mover(told, move["seat"]))


def _claimed(replayer: Replayer, told: RecordedEvent) -> None:
    """Whoever claimed one expiry has claimed all of them."""
    if replayer.is_of_type(told, "clock_expired"):
        replayer.take(told, replayer.judged(told, lambda scene: expiry_checks.expiry(scene, told)))


def _paused(replayer: Replayer, told: RecordedEvent) -> None:
    if told.kind == "match_voided":
        _voided(replayer, told)
    elif told.kind in event_checks.SEEDING:
        _counted(replayer, told)
    elif replayer.is_of_type(told, "ruling_made"):
        _ruled(replayer, told)


def _ruled(replayer: Replayer, told: RecordedEvent) -> None:
    replayer.take(told, replayer.judged(told, lambda scene: ruling_checks.ruling(scene, told)))


def _voided(replayer: Replayer, told: RecordedEvent) -> None:
    standing = replayer.standing
    found = event_checks.ended(standing.seeding, replayer.state, told)
    if isinstance(found, Made):
        after = voided(standing._replace(state=replayer.state), told.document["at"])
        replayer.take(told, Turn(found, after))
    else:
        replayer.take(told, found)


def _finished(replayer: Replayer, told: RecordedEvent) -> None:
    if replayer.is_of_type(told, "match_finished"):
        replayer.take(told, finish(replayer.state))


def _disclosed(replayer: Replayer, told: RecordedEvent) -> None:
    """Whose secret it is that was told, and to whom; what it is belongs to the commitment."""
    setup = replayer.ground.setup
    if told.kind == "ruling_made" and setup.withheld is not None:
        _ruled(replayer, told)
    elif replayer.is_of_type(told, "seed_disclosed"):
        replayer.take(told, disclosure(setup.disclosure, told.truth.get("server_secret"), replayer.state))


def _closed(replayer: Replayer, told: RecordedEvent) -> None:
    replayer.astray(told, Why("after-the-end", {"type": told.kind[:64]}), None, told.kind)


STEPS: Mapping[Stage, Callable[[Replayer, RecordedEvent], None]] = {
    "created": _created,
    "seeding": _contributed,
    "dealt": _awaited,
    "playing": _moved,
    "paused": _paused,
    "claimed": _claimed,
    "due": Replayer.follow,
    "finished": _finished,
    "disclosed": _disclosed,
    "closed": _closed,
}
