"""Audits of replay files and of stored matches."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import IO

from gyoji.app.authorization import authorize
from gyoji.app.matches.authorization import authorize_match
from gyoji.app.matches.exports import replay_lines
from gyoji.app.requests import MAX_REPLAY, RequestContext, parse_document
from gyoji.app.services import Services
from gyoji.app.thread_budget import lend_to_audit
from gyoji.audit.audit import SHORTEST, audit
from gyoji.audit.verdicts import Verdict
from gyoji.log.parser import LIMITS, cut
from gyoji.messages.problems import Answer
from gyoji.messages.verdicts import rules_for, verdict_document

SENT = LIMITS._replace(lines=MAX_REPLAY // SHORTEST)
"""How much of a file that is sent is read: one of nothing but line feeds would keep a thread for long."""

PIECE = 64 * 1024


def audit_replay(context: RequestContext) -> Answer:
    """``auditReplay``: the verdict on the file that is sent, or on a stored match as its reader may know it."""
    services = context.services
    authorize(context, "auditReplay")
    if context.body.is_replay:
        with closing(context.body.open_replay()) as file, lend_to_audit(context, services.audits) as look:
            return Answer(200, verdict_document(audit_file(services, file, look), context.language))
    sent = parse_document(context, "matches", "audits", context.body.read_json())
    request = authorize_match(context, "auditReplay", sent["match"])
    with lend_to_audit(context, services.audits) as look:
        verdict = audit(lambda: replay_lines(request), rules_for, services.trusted(), look=look)
    return Answer(200, verdict_document(verdict, context.language))


def audit_file(services: Services, file: IO[bytes], look: Callable[[], None]) -> Verdict:
    """The verdict on a file that was sent; ``look`` is called now and then, and may end the audit."""
    return audit(lambda: file_lines(file), rules_for, services.trusted(), limits=SENT, look=look)


def file_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of the file from its beginning."""
    file.seek(0)
    return cut(iter(lambda: file.read(PIECE), b""))
