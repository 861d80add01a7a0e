"""The trace that what is stored now belongs to, for those who are told of it."""

from contextvars import ContextVar

TRACE: ContextVar[str | None] = ContextVar("gyoji.trace", default=None)
"""The header ``traceparent`` of the request that this thread is about, if it has one."""
