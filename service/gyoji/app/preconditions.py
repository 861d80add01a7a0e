"""``If-Match`` (RFC 9110, section 13.1.1): the position that the caller of a write has seen."""

import re
from typing import NamedTuple

from gyoji.app.problems import HttpProblem
from gyoji.app.requests import RequestContext

_TAG = re.compile(r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"')
_TAGS = re.compile(rf"{_TAG.pattern}(?:[ \t]*,[ \t]*{_TAG.pattern})*")
_OWN_TAG = re.compile(r'"(0|[1-9][0-9]{0,9})"')


class Precondition(NamedTuple):
    """What the caller saw: the ``seq`` of its view, or of several; ``None`` without a precondition, and for ``*``."""

    seqs: tuple[int, ...] | None


def read_precondition(context: RequestContext, *, demanded: bool) -> Precondition:
    """The precondition of this request. 428 where one is demanded; 400 for a header that is no list of entity tags.

    A weak tag, or one that is not of this service, is no match for anything: the comparison is strong.
    """
    if context.if_match is None:
        if demanded:
            raise HttpProblem("precondition-required")
        return Precondition(None)
    tags = context.if_match.strip()
    if tags == "*":
        return Precondition(None)
    if _TAGS.fullmatch(tags) is None:
        raise HttpProblem("malformed-header")
    own = [_OWN_TAG.fullmatch(tag) for tag in _TAG.findall(tags)]
    return Precondition(tuple([int(found[1]) for found in own if found is not None]))
