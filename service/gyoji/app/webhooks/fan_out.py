"""Makes deliveries of news: decides which webhooks get which messages about the events that were stored."""

from collections.abc import Iterator, Sequence

import orjson

from gyoji.api.webhook_words import TYPES
from gyoji.app.logs import log_aside
from gyoji.app.webhooks.messages import MessageSource, types_for_match, types_for_tournament
from gyoji.store.webhooks.records import Delivery, News, Webhook, delivery_id

BATCH = 100
"""News that is taken in one transaction."""


def make_deliveries(source: MessageSource, at: str) -> bool:
    """Make deliveries of the oldest news; tell whether there may be more. News that cannot be read stays, and holds up
    only what comes after it in the same log."""
    webhooks = source.store.webhooks
    news = webhooks.news(BATCH)
    done, made, stuck = list[News](), list[Delivery](), set[str]()
    for each in news:
        if each.subject in stuck:
            continue
        try:
            made += deliveries(source, each, at)
        except Exception as failure:  # whatever is wrong with one log, the others go on
            stuck.add(each.subject)
            log_aside("news-not-told", failure)
        else:
            done.append(each)
    if done:
        webhooks.replace_news(done, made, at)
    return len(news) == BATCH and bool(done)


def deliveries(source: MessageSource, news: News, at: str) -> list[Delivery]:
    """List the messages that news leads to, in the order of the log."""
    if news.kind == "tournament":
        return list(_of_tournament(source, news, at))
    return list(_of_match(source, news, at))


def _of_match(source: MessageSource, news: News, at: str) -> Iterator[Delivery]:
    row = source.store.match(news.subject)
    if row is None or row.owner is None:
        return
    hooks = [
        hook
        for hook in source.store.webhooks.of_owner(row.owner)
        if hook.match in (None, row.match) and hook.tournament in (None, row.tournament)
    ]
    wanted = _wanted(hooks)
    if wanted:
        for entry in source.store.entries(row.match, news.first - 1, news.last):
            for kind in types_for_match(source, row, orjson.loads(entry.body), news.last, wanted):
                yield from _addressed(hooks, news, entry.seq, kind, at)


def _of_tournament(source: MessageSource, news: News, at: str) -> Iterator[Delivery]:
    held = source.store.tournaments.tournament(news.subject)
    if held is None:
        return
    hooks = [
        hook
        for hook in source.store.webhooks.of_owner(held.owner)
        if hook.match is None and hook.tournament in (None, held.tournament)
    ]
    wanted = _wanted(hooks)
    if wanted:
        for entry in source.store.tournaments.entries(news.subject, news.first - 1, news.last):
            for kind in types_for_tournament(orjson.loads(entry.body), wanted):
                yield from _addressed(hooks, news, entry.seq, kind, at)


def _wanted(hooks: Sequence[Webhook]) -> frozenset[str]:
    """Collect the types that any of the webhooks wants."""
    return frozenset([kind for hook in hooks if hook.disabled is None for kind in hook.types or TYPES])


def _addressed(hooks: Sequence[Webhook], news: News, seq: int, kind: str, at: str) -> Iterator[Delivery]:
    """Address a message to each webhook that wants it."""
    place = TYPES.index(kind)
    for hook in hooks:
        if hook.disabled is None and kind in (hook.types or TYPES):
            name = delivery_id(hook.id, news.subject, seq, place)
            yield Delivery(name, hook.id, news.subject, news.kind, seq, place, kind, at, trace=news.trace)
