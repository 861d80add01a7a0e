"""Webhooks: what is stored of them, and that nothing that happens is missed. On both databases."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from threading import Event
from typing import Any

import pytest

from gyoji.store import open_store
from gyoji.store.database.statements import ADD_NEWS, TRACE
from gyoji.store.interface import AppendOptions, Conflict, IdempotencyRecord, KeyTaken, Remembered, Store
from gyoji.store.urls import parse_url
from gyoji.store.webhooks.records import Delivery, DeliveryPage, Lane, News, Webhook, delivery_id
from store.logs import KEY, SEATS, appended, created, head_at, joined, made_entry, made_group, made_log, made_match

AT = "2026-01-01T00:00:00.000Z"
LATER = "2026-01-01T00:00:05.000Z"
LAST = "2026-01-01T00:00:09.000Z"
SECRET = b"K" * 32


def hook(name: str = "w1", owner: str = "club", **more: Any) -> Webhook:
    """A webhook of the club's."""
    return Webhook(name, owner, AT, "https://hooks.example/in", (), None, None, SECRET)._replace(**more)


def message(subject: str, seq: int, place: int = 0, webhook: str = "w1") -> Delivery:
    """A message to a webhook."""
    return Delivery(delivery_id(webhook, subject, seq, place), webhook, subject, "match", seq, place, "match.moved", AT)


def replace_news(store: Store, *messages: Delivery) -> None:
    """Messages that wait."""
    store.webhooks.replace_news((), messages, AT)


def hold_lane(store: Store, subject: str = "m", holder: str = "h1", webhook: str = "w1") -> Lane:
    """The line, in the hands of a holder."""
    line = store.webhooks.lane(webhook, subject)
    assert line is not None
    assert store.webhooks.hold(line, holder, LATER)
    return line


def test_a_webhook_comes_back_as_it_was_added(store: Store) -> None:
    one = hook("w1", types=("match.moved", "match.finished"), match="m1")
    two = hook("w2", "league", tournament="t1", failing=AT, disabled=LATER, reason="gone")
    keyed = IdempotencyRecord("owner:league", "k", b"d" * 32)
    store.webhooks.add(one)
    store.webhooks.add(two, keyed)
    assert [store.webhooks.get(name) for name in ("w1", "w2", "w3")] == [one, two, None]
    assert (store.webhooks.of_owner("club"), store.webhooks.of_owner("nobody")) == ([one], [])
    assert store.remembered("owner:league", "k") == Remembered(b"d" * 32, "w2", 0)
    with pytest.raises(KeyTaken):
        store.webhooks.add(hook("w3"), keyed)
    with pytest.raises(Conflict):
        store.webhooks.add(one)


def test_the_secret_is_sealed(store: Store, url: str) -> None:
    store.webhooks.add(hook())
    with closing(open_store(url)) as keyless:
        (row,) = keyless.webhooks._database.query("SELECT secret FROM webhooks")
    assert SECRET not in bytes(row[0])
    assert len(row[0]) == 1 + 12 + 32 + 16


def test_what_is_stored_is_news_where_somebody_wants_to_hear(store: Store) -> None:
    before, entries = created(store, 2)
    store.webhooks.add(hook())
    after, more = created(store, 3)
    appended(store, before, entries[-1])
    second = made_entry(after, 3, more[-1].hash)
    third = made_entry(after, 4, second.hash)
    store.append(after, 2, [second, third], head_at(third), None)
    expected = [News("match", before, 2, 2), News("match", after, 0, 2), News("match", after, 3, 4)]
    assert store.webhooks.news(10) == sorted(expected)
    assert store.webhooks.news(2) == sorted(expected)[:2]


@contextmanager
def part_of(trace: str) -> Iterator[None]:
    """What is stored in the block is part of a trace."""
    before = TRACE.set(trace)
    try:
        yield
    finally:
        TRACE.reset(before)


def test_news_bears_the_trace_that_it_is_part_of(store: Store) -> None:
    """However it is stored: with a new match, an append, an append that changes more, or without any."""
    store.webhooks.add(hook())
    with part_of("trace-1"):
        match, entries = created(store, 2)
    with part_of("trace-2"):
        last = appended(store, match, entries[-1])
    untraced = appended(store, match, last)
    changing = made_entry(match, untraced.seq + 1, untraced.hash)
    with part_of("trace-3"):
        store.append(match, untraced.seq, [changing], head_at(changing), None, AppendOptions(SEATS, SEATS))
    news = store.webhooks.news(10)
    assert [(each.first, each.trace) for each in news] == [(0, "trace-1"), (2, "trace-2"), (3, None), (4, "trace-3")]


def test_a_message_keeps_its_trace(store: Store) -> None:
    store.webhooks.add(hook())
    traced, untraced = message("m", 1)._replace(trace="trace-1"), message("m", 2)
    replace_news(store, traced, untraced)
    line = hold_lane(store)
    assert store.webhooks.head(line) == traced
    assert {each.trace for each in store.webhooks.deliveries(DeliveryPage("w1"))} == {"trace-1", None}
    assert store.webhooks.delivery("w1", traced.id) == traced


@pytest.mark.parametrize(
    "other",
    [
        {"owner": "league"},
        {"disabled": AT},
        {"match": "another"},
        {"tournament": "t1"},
    ],
)
def test_what_nobody_wants_to_hear_is_no_news(store: Store, other: dict[str, Any]) -> None:
    store.webhooks.add(hook(**other))
    match, entries = created(store, 2)
    appended(store, match, entries[-1])
    assert store.webhooks.news(10) == []


def test_a_webhook_hears_of_its_match_or_its_tournament(store: Store) -> None:
    store.webhooks.add(hook("w1", match="m1"))
    store.webhooks.add(hook("w2", tournament="t1"))
    for name, tournament in (("m1", None), ("m2", "t1"), ("m3", None), ("m4", "t2")):
        entries = made_log(name, 2)
        store.create(made_match(entries[-1], name)._replace(tournament=tournament), entries)
        appended(store, name, entries[-1])
    assert sorted({news.subject for news in store.webhooks.news(10)}) == ["m1", "m2"]
    assert len(store.webhooks.news(10)) == 4


def test_an_import_is_no_news(store: Store) -> None:
    store.webhooks.add(hook())
    entries = made_log("m1", 5)
    store.create(made_match(entries[-1], "m1")._replace(imported=True), entries)
    assert store.webhooks.news(10) == []


def test_what_is_refused_is_no_news(store: Store) -> None:
    store.webhooks.add(hook())
    match, entries = created(store, 2)
    store.webhooks.replace_news(store.webhooks.news(1), (), AT)
    keyed = IdempotencyRecord(f"match:{match}", "k", bytes(32))
    last = appended(store, match, entries[-1], keyed)
    (news,) = store.webhooks.news(10)
    for expected, request, refusal in ((1, None, Conflict), (2, keyed, KeyTaken)):
        entry = made_entry(match, expected + 1, last.hash)
        with pytest.raises(refusal):
            store.append(match, expected, [entry], head_at(entry), request)
    assert store.webhooks.news(10) == [news] == [News("match", match, 2, 2)]


def test_matches_of_a_group_are_news(store: Store) -> None:
    store.webhooks.add(hook())
    store.create_group(made_group("g1"))
    joined(store, "g1", "m1")
    assert store.webhooks.news(10) == [News("match", "m1", 0, 1)]


def test_who_comes_while_matches_are_played_misses_nothing_from_then_on(store: Store, url: str) -> None:
    """Whatever is stored after the answer to whoever came is news, however busy it is."""
    match, entries = created(store, 2)
    began, came = Event(), Event()

    def play() -> int:
        with closing(open_store(url, KEY)) as other:
            last, left = entries[-1], 20
            while left:
                last = appended(other, match, last)
                began.set()
                left -= came.is_set()
            return last.seq

    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play)
        assert began.wait(20)
        store.webhooks.add(hook())
        head = store.head(match)
        came.set()
        last = playing.result(20)
    assert head is not None
    heard = [news.first for news in store.webhooks.news(10_000)]
    assert heard == list(range(heard[0], last + 1))
    assert heard[0] <= head.seq + 1


@pytest.mark.parametrize("coming", ["new", "switched on again"])
def test_who_comes_waits_for_those_who_looked_before(store: Store, url: str, coming: str) -> None:
    """What is stored by somebody who saw no webhook yet is stored before the answer to whoever came; else it would be
    missed by whoever reads the match after that answer, and hears of what comes then."""
    match, entries = created(store, 2)
    if coming == "switched on again":
        store.webhooks.add(hook(disabled=AT, reason="gone"))
    come = (lambda: store.webhooks.add(hook())) if coming == "new" else (lambda: store.webhooks.enable("w1"))
    with closing(parse_url(url).database().open_connection()) as playing, ThreadPoolExecutor(1) as pool:
        telling = ADD_NEWS.replace("?", "{}").format(3, 3, "NULL", f"'{match}'")
        playing.execute("SELECT 1" if url.startswith("postgresql") else "BEGIN IMMEDIATE")
        assert playing.execute(f"{telling} RETURNING 1").fetchall() == []
        came = pool.submit(come)
        assert wait([came], 0.5).not_done == {came}
        playing.execute("COMMIT")
        came.result(20)
    appended(store, match, entries[-1])
    assert [news.first for news in store.webhooks.news(10)] == [2]


def test_news_becomes_deliveries_once(store: Store) -> None:
    store.webhooks.add(hook())
    match, _ = created(store, 3)
    news = store.webhooks.news(10)
    messages = [message(match, 0), message(match, 1), message(match, 1, 1)]
    store.webhooks.replace_news(news, messages, AT)
    assert store.webhooks.news(10) == []
    assert store.webhooks.backlog().messages == 3
    store.webhooks.replace_news(news, messages, LATER)
    assert store.webhooks.backlog().messages == 3
    assert store.webhooks.deliveries(DeliveryPage("w1")) == sorted(messages, key=lambda each: each.id, reverse=True)


def test_what_was_delivered_does_not_wait_again(store: Store) -> None:
    """Two processes make deliveries of the same news; one of them is slow."""
    one = message("m", 1)
    replace_news(store, one)
    line = hold_lane(store)
    assert store.webhooks.record(
        one._replace(state="delivered", tried=AT, status=200, settled=AT), "h1", AT, keeps=True
    )
    replace_news(store, one)
    assert (store.webhooks.backlog().messages, store.webhooks.head(line)) == (0, None)


def test_of_a_line_the_oldest_comes_first(store: Store) -> None:
    replace_news(store, message("m", 2), message("m", 1, 1), message("m", 1), message("m2", 0))
    for expected in (message("m", 1), message("m", 1, 1), message("m", 2)):
        line = hold_lane(store)
        head = store.webhooks.head(line)
        assert head == expected
        done = head._replace(state="delivered", tried=AT, status=204, settled=AT)
        assert store.webhooks.record(done, "h1", AT, keeps=False)
    assert store.webhooks.head(hold_lane(store)) is None


def test_a_line_has_one_holder_until_a_time(store: Store, url: str) -> None:
    replace_news(store, message("m", 1))
    (line,) = store.webhooks.due(AT, 10)
    assert line == Lane("w1", "m", AT, None, 0)
    with closing(open_store(url, KEY)) as other, ThreadPoolExecutor(8) as pool:
        stores = [store, other] * 4
        won = list(pool.map(lambda at: stores[at].webhooks.hold(line, f"h{at}", LATER), range(8)))
    assert won.count(True) == 1
    assert store.webhooks.due(AT, 10) == []
    (late,) = store.webhooks.due(LATER, 10)
    assert late.holder == f"h{won.index(True)}"
    assert store.webhooks.hold(late, "next", LAST)
    store.webhooks.release(line, late.holder or "", AT)  # who is late lets go of nothing
    assert store.webhooks.due(LATER, 10) == []


def test_who_has_lost_the_line_decides_nothing_but_that_it_was_taken(store: Store) -> None:
    one = message("m", 1)
    replace_news(store, one)
    hold_lane(store)
    (late,) = store.webhooks.due(LATER, 10)
    assert store.webhooks.hold(late, "h2", LAST)
    failed = one._replace(state="given_up", tried=AT, fault="timeout", settled=AT)
    assert not store.webhooks.record(failed, "h1", AT, keeps=False)
    assert store.webhooks.delivery("w1", one.id) == one
    taken = one._replace(state="delivered", tried=AT, status=200, settled=AT)
    assert not store.webhooks.record(taken, "h1", AT, keeps=False)
    assert store.webhooks.delivery("w1", one.id) == taken._replace(attempts=1)
    assert store.webhooks.lane("w1", "m") == Lane("w1", "m", LAST, "h2", 0)


def test_a_line_that_has_become_longer_does_not_end(store: Store) -> None:
    replace_news(store, message("m", 1))
    line = hold_lane(store)
    replace_news(store, message("m", 2))
    assert not store.webhooks.finish(line, "h1")
    again = store.webhooks.lane("w1", "m")
    assert again == Lane("w1", "m", LATER, "h1", 1)
    assert store.webhooks.finish(again, "h1")
    assert store.webhooks.due(LAST, 10) == []
    replace_news(store, message("m", 3))
    assert store.webhooks.due(AT, 10) == [Lane("w1", "m", AT, None, 2)]


def test_a_pause_is_not_cut_short_by_what_comes_meanwhile(store: Store) -> None:
    replace_news(store, message("m", 1))
    hold_lane(store)
    assert store.webhooks.record(
        message("m", 1)._replace(tried=AT, status=500, fault="status"), "h1", LAST, keeps=False
    )
    replace_news(store, message("m", 2))
    assert store.webhooks.due(LATER, 10) == []
    assert store.webhooks.due(LAST, 10) == [Lane("w1", "m", LAST, None, 1)]


def test_busy_webhooks_are_left_out(store: Store) -> None:
    replace_news(store, message("m", 1), message("m", 1, webhook="w2"), message("m", 1, webhook="w3"))
    assert [line.webhook for line in store.webhooks.due(AT, 10, ("w1", "w3"))] == ["w2"]
    assert len(store.webhooks.due(AT, 2)) == 2


def test_those_of_accounts_that_have_their_share_are_left_out(store: Store) -> None:
    """With the account of each that is due; of one that is not there any more there is none."""
    store.webhooks.add(hook("w1"))
    store.webhooks.add(hook("w2", "other"))
    replace_news(store, message("m", 1), message("m", 1, webhook="w2"), message("m", 1, webhook="w3"))

    def due(*left_out: tuple[str, ...]) -> dict[str, str | None]:
        return {line.webhook: line.owner for line in store.webhooks.due(AT, 10, *left_out)}

    assert due() == {"w1": "club", "w2": "other", "w3": None}
    assert due((), ("club",)) == {"w2": "other", "w3": None}
    assert due((), ("club", "other")) == {"w3": None}
    assert due(("w3",), ("club",)) == {"w2": "other"}


def test_what_is_disabled_is_told_nothing_and_says_so(store: Store) -> None:
    store.webhooks.add(hook())
    replace_news(store, message("m", 1), message("m2", 1))
    assert store.webhooks.disable("w1", LATER, "failing")
    assert not store.webhooks.disable("w1", LAST, "gone")
    assert store.webhooks.get("w1") == hook(disabled=LATER, reason="failing")
    given_up = store.webhooks.deliveries(DeliveryPage("w1", "given_up"))
    assert {(each.fault, each.settled) for each in given_up} == {("disabled", LATER)}
    assert (len(given_up), store.webhooks.backlog().messages, store.webhooks.due(LAST, 10)) == (2, 0, [])
    created(store)
    assert store.webhooks.news(10) == []
    assert store.webhooks.enable("w1")
    assert not store.webhooks.enable("w1")
    assert store.webhooks.get("w1") == hook()
    created(store)
    assert len(store.webhooks.news(10)) == 1


def test_since_when_a_webhook_fails(store: Store) -> None:
    store.webhooks.add(hook())
    store.webhooks.mark_failing("w1", LATER)
    store.webhooks.mark_failing("w1", LAST)
    assert store.webhooks.get("w1") == hook(failing=LATER)
    store.webhooks.mark_working("w1")
    assert store.webhooks.get("w1") == hook()


def test_what_was_given_up_is_sent_again_at_once(store: Store) -> None:
    one = message("m", 1)
    replace_news(store, one)
    hold_lane(store)
    gone = one._replace(state="given_up", tried=AT, fault="timeout", settled=LATER)
    assert store.webhooks.record(gone, "h1", LAST, keeps=False)
    store.webhooks.retry(gone, LATER)
    assert store.webhooks.delivery("w1", one.id) == one._replace(tried=AT, fault="timeout")
    (line,) = store.webhooks.due(LATER, 10)
    assert store.webhooks.head(line) is not None
    hold_lane(store)
    store.webhooks.retry(gone, AT)
    assert store.webhooks.due(AT, 10) == []  # whoever is at it now is not disturbed


def test_deliveries_in_pages(store: Store) -> None:
    messages = [message("m", at)._replace(created=f"2026-01-01T00:00:0{at % 3}.000Z") for at in range(9)]
    replace_news(store, *messages, message("m", 1, webhook="w2"))
    expected = sorted(messages, key=lambda each: (each.created, each.id), reverse=True)
    assert list(pages(store)) == expected
    assert store.webhooks.deliveries(DeliveryPage("w1", "delivered")) == []
    assert store.webhooks.deliveries(DeliveryPage("w1", subject="m2")) == []


def pages(store: Store) -> Iterator[Delivery]:
    """All deliveries of a webhook, four at a time."""
    page: Sequence[Delivery] = store.webhooks.deliveries(DeliveryPage("w1", limit=4))
    while page:
        yield from page
        page = store.webhooks.deliveries(DeliveryPage("w1", before=(page[-1].created, page[-1].id), limit=4))


def test_what_was_settled_long_ago_is_forgotten(store: Store) -> None:
    old, new, waiting = message("m", 1), message("m2", 1), message("m3", 1)
    replace_news(store, old, new, waiting)
    for each, settled in ((old, AT), (new, LAST)):
        hold_lane(store, each.subject)
        done = each._replace(state="delivered", tried=AT, status=200, settled=settled)
        assert store.webhooks.record(done, "h1", AT, keeps=True)
        assert store.webhooks.finish(Lane("w1", each.subject, LATER, "h1", 0), "h1")
    assert store.webhooks.forget(LATER) == 1
    assert {each.subject for each in store.webhooks.deliveries(DeliveryPage("w1"))} == {"m2", "m3"}
    assert store.webhooks.lane("w1", "m") is None
    assert store.webhooks.lane("w1", "m2") is not None


def test_with_a_webhook_goes_all_that_it_was_sent(store: Store) -> None:
    for name in ("w1", "w2"):
        store.webhooks.add(hook(name))
        replace_news(store, message("m", 1, webhook=name))
    store.webhooks.remove("w1")
    assert (store.webhooks.get("w1"), store.webhooks.deliveries(DeliveryPage("w1"))) == (None, [])
    assert [line.webhook for line in store.webhooks.due(LAST, 10)] == ["w2"]
