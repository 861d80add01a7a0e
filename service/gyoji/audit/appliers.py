"""What each event of a log leads to, by what was to come: an event is put to whoever can judge it."""

from collections.abc import Callable, Mapping

from gyoji.audit import event_checks, expiry_checks, ruling_checks
from gyoji.audit.event_checks import Flaw
from gyoji.audit.recorded import Told
from gyoji.audit.replayer import Retrace, Stage
from gyoji.audit.ruling_checks import Judged, Scene, Turn
from gyoji.audit.verdicts import LONGEST_RULE, RULINGS, Ruled, Why
from gyoji.games.game import Refused
from gyoji.match.derived_events import Made, deal, disclosure, finish, ground, moved
from gyoji.match.fold import MOVES
from gyoji.match.seeding import waiting
from gyoji.match.setup import Setup, set_up
from gyoji.match.state import Standing, opened, voided


def hear(retrace: Retrace, told: Told) -> None:
    """One more event."""
    if told.kind == "match_created" and told.seq == 0:
        retrace.promises.begin(told)
        retrace.timeline.begin(told.document["data"])
    if told.kind == "seed_disclosed":
        retrace.promises.weigh_secret(told)
        retrace.promises.weigh_time(told)
    if told.kind == "ruling_made":
        _listed(retrace, told)
    step = STEPS.get(retrace.stage)
    if step is not None:
        step(retrace, told)
    if retrace.outline is not None:
        retrace.take(told, retrace.outline.take(told))
    retrace.take(told, retrace.timeline.take(told))


def _listed(retrace: Retrace, told: Told) -> None:
    """A ruling is told of, whether or not it can be followed."""
    data = told.document["data"]
    ruling, rule = data.get("ruling"), data.get("rule")
    kind = ruling.get("kind") if isinstance(ruling, dict) else None
    is_rule = rule is None or (isinstance(rule, str) and len(rule) <= LONGEST_RULE)
    if isinstance(kind, str) and kind in RULINGS and is_rule:
        retrace.ledger.ruled(Ruled(told.seq, kind, rule, RULINGS[kind]))


# Before the first move


def _created(retrace: Retrace, told: Told) -> None:
    if not retrace.is_of_type(told, "match_created"):
        return
    found = set_up(told.document["data"], retrace.rulebook)
    if not isinstance(found, Setup):
        word, place, expected, given = found
        if word == "rules_unknown":
            retrace.ledger.part(word, "moves", told.seq, Why("rules-unknown"), expected, given, result="not_checkable")
            retrace.lose(Why("rules-unknown"))
        else:
            retrace.astray(told, Why("setup", {"at": place}), expected, given)
        return
    retrace.standing = _begun(retrace, told, found)
    retrace.ground = ground(found, retrace.secret, retrace.standing.seeding)
    flaw = event_checks.creation_flaw(told)
    if flaw is not None:
        retrace.take(told, flaw)
    else:
        retrace.stage = "dealt" if retrace.standing.seeding.is_complete else "seeding"


def _begun(retrace: Retrace, told: Told, found: Setup) -> Standing:
    seeding = waiting(found.policy, found.seats, found.deal_id, told.document["at"])
    return Standing(
        told.document["match"],
        found.game,
        0,
        bytes(32),
        None,
        0,
        retrace.secret or b"",
        found.disclosure,
        found.options,
        found.first,
        seeding,
        found.withheld,
        control=found.clock,
    )


def _contributed(retrace: Retrace, told: Told) -> None:
    """A contribution to the seed; or the end of waiting for more."""
    if told.kind == "ruling_made":
        _ruled(retrace, told)
    elif told.kind == "match_voided":
        _voided(retrace, told)
    elif told.kind == "dealt":
        flaw = event_checks.owed(retrace.standing.seeding, told, "empty")
        if flaw is None:
            _settled(retrace)
            _dealt(retrace, told)
        else:
            retrace.take(told, flaw)
    elif retrace.is_of_type(told, *event_checks.SEEDING):
        _counted(retrace, told)


def _counted(retrace: Retrace, told: Told) -> None:
    found = event_checks.contribution(retrace.standing.seeding, told)
    if isinstance(found, Flaw):
        retrace.take(told, found)
        return
    made, seeding = found
    retrace.standing = retrace.standing._replace(seeding=seeding)
    retrace.take(told, made)
    if seeding.is_complete and retrace.stage == "seeding":
        retrace.promises.weigh_beacon(seeding, told.seq)
        _settled(retrace)


def _settled(retrace: Retrace) -> None:
    """All that there will be has been contributed."""
    retrace.promises.settle()
    seeding = retrace.standing.seeding._replace(closed=True)
    retrace.standing = retrace.standing._replace(seeding=seeding)
    retrace.ground = ground(retrace.ground.setup, retrace.secret, seeding)
    retrace.stage = "dealt"


def _awaited(retrace: Retrace, told: Told) -> None:
    """The deal, which nothing but the first event came before."""
    if told.kind in event_checks.SEEDING:
        _counted(retrace, told)
    elif retrace.is_of_type(told, "dealt"):
        _dealt(retrace, told)


def _dealt(retrace: Retrace, told: Told) -> None:
    if not retrace.ground.setup.is_fork:
        retrace.take(told, retrace.judged(told, lambda scene: deal(scene.ground, scene.chance)))
    elif told.is_open:
        retrace.take(told, event_checks.taken_over(retrace.ground, told))
    else:
        retrace.lose(Why("hidden-cards"))
    if retrace.stage != "lost":
        retrace.dealt = told.seq
        retrace.standing = opened(retrace.standing, retrace.state, told.document["at"])


# From the first move on


def _moved(retrace: Retrace, told: Told) -> None:
    if told.kind == "match_voided":
        _voided(retrace, told)
    elif told.kind == "ruling_made":
        _ruled(retrace, told)
    elif told.kind == "clock_expired":
        retrace.take(told, retrace.judged(told, lambda scene: expiry_checks.expiry(scene, told)))
    elif told.kind in event_checks.SEEDING:
        _counted(retrace, told)
    elif retrace.is_of_type(told, *MOVES):
        _played(retrace, told)


def _played(retrace: Retrace, told: Told) -> None:
    move = told.truth.get("move")
    found = retrace.judged(told, lambda scene: _stands(scene, told, move))
    if isinstance(found, Made) and retrace.standing.clock is not None:
        retrace.tick(move["seat"], told.document["at"], retrace.state, found.state)
    retrace.take(told, found)


def _stands(scene: Scene, told: Told, move: object) -> Judged | Made:
    setup, state = scene.ground.setup, scene.standing.state
    if not isinstance(move, dict) or not setup.rules.fits("move", move):
        return event_checks.unfit(scene.ground.known, told, move)
    ruling = setup.game.adjudicate(state, move, scene.chance)
    if isinstance(ruling, Refused):
        return event_checks.refused(told, ruling.breach)
    return moved(scene.ground, state, move, ruling, event_checks.mover(told, move["seat"]))


def _claimed(retrace: Retrace, told: Told) -> None:
    """Whoever claimed one expiry has claimed all of them."""
    if retrace.is_of_type(told, "clock_expired"):
        retrace.take(told, retrace.judged(told, lambda scene: expiry_checks.expiry(scene, told)))


def _paused(retrace: Retrace, told: Told) -> None:
    if told.kind == "match_voided":
        _voided(retrace, told)
    elif told.kind in event_checks.SEEDING:
        _counted(retrace, told)
    elif retrace.is_of_type(told, "ruling_made"):
        _ruled(retrace, told)


def _ruled(retrace: Retrace, told: Told) -> None:
    retrace.take(told, retrace.judged(told, lambda scene: ruling_checks.ruling(scene, told)))


def _voided(retrace: Retrace, told: Told) -> None:
    standing = retrace.standing
    found = event_checks.ended(standing.seeding, retrace.state, told)
    if isinstance(found, Made):
        after = voided(standing._replace(state=retrace.state), told.document["at"])
        retrace.take(told, Turn(found, after))
    else:
        retrace.take(told, found)


def _finished(retrace: Retrace, told: Told) -> None:
    if retrace.is_of_type(told, "match_finished"):
        retrace.take(told, finish(retrace.state))


def _disclosed(retrace: Retrace, told: Told) -> None:
    """Whose secret it is that was told, and to whom; what it is belongs to the commitment."""
    setup = retrace.ground.setup
    if told.kind == "ruling_made" and setup.withheld is not None:
        _ruled(retrace, told)
    elif retrace.is_of_type(told, "seed_disclosed"):
        retrace.take(told, disclosure(setup.disclosure, told.truth.get("server_secret"), retrace.state))


def _closed(retrace: Retrace, told: Told) -> None:
    retrace.astray(told, Why("after-the-end", {"type": told.kind[:64]}), None, told.kind)


STEPS: Mapping[Stage, Callable[[Retrace, Told], None]] = {
    "created": _created,
    "seeding": _contributed,
    "dealt": _awaited,
    "playing": _moved,
    "paused": _paused,
    "claimed": _claimed,
    "due": Retrace.follow,
    "finished": _finished,
    "disclosed": _disclosed,
    "closed": _closed,
}
