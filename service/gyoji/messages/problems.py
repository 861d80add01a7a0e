"""Writes problem details (RFC 9457), the answers to requests that fail, in the caller's language."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple, Self

from gyoji.games.game import Finding
from gyoji.messages.language import Language, fill_template, message, messages
from gyoji.names import LONGEST, MOST_MARKS, NameFault

MOST_ERRORS = 100
LIMITS = {"longest": LONGEST, "marks": MOST_MARKS}
"""Of names, for the sentences about them."""


class NotAllowed(str):
    """The code ``not-allowed`` of an error, with what is allowed: ``words``, or ``numbers`` within bounds."""

    def __new__(cls, kind: Literal["words", "numbers"], **facts: object) -> Self:
        """``facts``: ``allowed``, or ``minimum`` and ``maximum``."""
        made = super().__new__(cls, "not-allowed")
        made.kind, made.facts = kind, facts
        return made

    kind: Literal["words", "numbers"]
    facts: Mapping[str, object]


def words_allowed(words: Iterable[str]) -> NotAllowed:
    """Make the error of a word that is none of these."""
    return NotAllowed("words", allowed=list(words))


class Answer(NamedTuple):
    """The answer to a call: the status, and the body as plain data."""

    status: int
    body: Mapping[str, Any]


def problem(
    code: str,
    instance: str,
    language: Language,
    facts: Mapping[str, Any] | None = None,
    members: Mapping[str, Any] | None = None,
) -> Answer:
    """Write the problem of a code; ``facts`` fill its detail, sentences in both languages among them, and ``members``
    stand beside it."""
    entry = messages()["problem"][code]
    told = {name: fact[language] if isinstance(fact, Mapping) else fact for name, fact in (facts or {}).items()}
    body = {
        "type": f"/problems/{code}",
        "title": entry["title"][language],
        "status": entry["status"],
        "detail": fill_template(entry["detail"], told, {}, language),
        "instance": instance,
        "code": code,
        **(members or {}),
    }
    return Answer(entry["status"], body)


def problem_with_cause(answer: Answer, cause: str, language: Language, is_unsure: bool = False) -> Answer:
    """Return a problem whose detail also says why the store failed, where callers may know that. It also says what to
    do where the store may have done it all the same."""
    if cause not in messages()["cause"]:
        return answer
    unsure = [message("outcome", "unknown", language)] if is_unsure else []
    said = [message("cause", cause, language), *unsure, answer.body["detail"]]
    return Answer(answer.status, {**answer.body, "detail": (" " if language == "en" else "").join(said)})


def malformed(why: str, facts: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Write the problem 400: the body is not JSON that this service reads."""
    where = {name: facts[name] for name in ("line", "column") if name in facts}
    return problem("malformed-json", instance, language, {"why": malformed_sentence(why, facts, language)}, where)


def malformed_sentence(why: str, facts: Mapping[str, Any], language: Language) -> str:
    """Say why bytes are not JSON that this service reads, and where they break."""
    return fill_template(messages()["malformed"][why], facts, {}, language)


def invalid_request(errors: Iterable[tuple[str, str | NameFault]], instance: str, language: Language) -> Answer:
    """Write the problem 422: the body has not the published shape; each error is a pointer and a code, given once. For
    a name, also what is wrong with it."""
    listed = [
        {"pointer": pointer, **_wrong(wrong, language)} for pointer, wrong in islice(dict.fromkeys(errors), MOST_ERRORS)
    ]
    answer = problem("invalid-request", instance, language, {"count": len(listed)})
    return Answer(answer.status, {**answer.body, "errors": listed})


def _wrong(wrong: str | NameFault, language: Language) -> dict[str, object]:
    if isinstance(wrong, NotAllowed):
        said = fill_template(messages()["allowed"][wrong.kind], wrong.facts, {}, language)
        return {"code": str(wrong), "message": said, **wrong.facts}
    if isinstance(wrong, str):
        return {"code": wrong, "message": message("error", wrong, language)}
    return {"code": wrong.code, "message": wrong_name(wrong, language)}


def wrong_name(wrong: NameFault, language: Language) -> str:
    """Say what is wrong with a name, as a sentence."""
    return fill_template(messages()["error"][wrong.code], {**wrong._asdict(), **LIMITS}, {}, language)


def impossible_state(findings: Iterable[Finding], instance: str, language: Language) -> Answer:
    """Write the problem 409: the state cannot be a position of the game. All findings, each once, with pointers into
    the request."""
    distinct = {(found.pointer, found.code): found for found in reversed([*findings])}
    listed = [
        {"pointer": f"/state{found.pointer}", "code": found.code, "message": _said(found, language)}
        for found in reversed(distinct.values())
    ]
    answer = problem("impossible-state", instance, language, {"count": len(listed)})
    return Answer(answer.status, {**answer.body, "findings": listed})


def capsule_refused(reason: str, instance: str, language: Language) -> Answer:
    """Write the problem 409: the capsule does not open, or is not for that seat."""
    refused = problem("capsule-refused", instance, language, {"why": message("capsule", reason, language)})
    return Answer(refused.status, {**refused.body, "reason": reason})


def _said(found: Finding, language: Language) -> str:
    """What a finding says, and what would be right where that is known; its facts are public."""
    said = message("finding", found.code, language)
    expected = found.facts.get("expected")
    if expected is None:
        return said
    if expected == ():
        return said + message("expected", "nothing", language)
    return said + fill_template(messages()["expected"]["something"], {"expected": expected}, {}, language)


def entropy_refused(reason: str, instance: str, language: Language) -> Answer:
    """Write the problem 409: the contribution to the deal is not accepted, or the seeding cannot be closed."""
    refused = problem("entropy-refused", instance, language, {"because": message("entropy", reason, language)})
    return Answer(refused.status, {**refused.body, "reason": reason})


def replay_refused(judged: Mapping[str, Any], instance: str, language: Language) -> Answer:
    """Write the problem 409: the replay did not pass its audit. The members of the verdict's document stand in it as
    well."""
    refused = problem("replay-refused", instance, language, {"verdict": judged["verdict"]})
    return Answer(refused.status, {**refused.body, **judged})


def ruling_refused(reason: str, infraction: Mapping[str, Any] | None, instance: str, language: Language) -> Answer:
    """Write the problem 409: the referee's ruling is not possible. ``infraction`` is what a move breaks, as far as the
    caller may know."""
    facts = {} if infraction is None else {"because": infraction["because"]}
    because = fill_template(messages()["ruling"][reason], facts, {}, language)
    refused = problem("ruling-refused", instance, language, {"because": because})
    return Answer(refused.status, {**refused.body, "reason": reason, "because": because, "breach": infraction})


def claim_refused(reason: str, now: str, deadlines: Sequence[str | None], instance: str, language: Language) -> Answer:
    """Write the problem 409: nobody's time is up by the service's clock, which shows ``now``; ``deadlines`` by seat."""
    because = message("claim", reason, language)
    refused = problem("claim-refused", instance, language, {"because": because})
    said = {"reason": reason, "because": because, "now": now, "deadlines": deadlines}
    return Answer(refused.status, {**refused.body, **said})
