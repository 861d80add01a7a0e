"""The trace of the present request, which is stored with news and sent along with webhooks."""

from contextvars import ContextVar

TRACE: ContextVar[str | None] = ContextVar("gyoji.trace", default=None)
"""The header ``traceparent`` of the request that this thread answers, if it has one."""
