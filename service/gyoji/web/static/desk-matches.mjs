// The referee's view: the tables of the open rounds with their clocks and flags, those that need somebody first.

import { clockTime, left, timeInWords } from "./time.mjs";
import { noShowsOf } from "./desk-no-shows.mjs";
import { arrange, make, matchLink, newKey, notice, reasons, say } from "./desk-parts.mjs";

const FLAGGED = ["expired", "referee", "paused", "voided"];
const RUNNING = ["seeding", "playing", "paused"];

/** Whether somebody has to look at a table: a seat calls the referee, or the match stands so. */
const isFlagged = ({ calls, flag, closed }) => calls.length > 0 || (FLAGGED.includes(flag) && !closed);

const FILTERS = {
  all: () => true,
  flagged: isFlagged,
  running: ({ status }) => RUNNING.includes(status),
  over: ({ status }) => !RUNNING.includes(status),
};

/** The view of the matches. */
export function matchesView(desk) {
  const counts = notice();
  const filter = make("select", { onchange: () => show() }, Object.keys(FILTERS).map((name) => make("option", { value: name }, say(`filter_${name}`))));
  const search = make("input", { type: "search", autocomplete: "off", oninput: () => show() });
  const rows = new Map();
  const listed = make("ol", { className: "watched" });
  const none = make("p", { className: "soft" });
  const element = make("section", { "aria-label": say("tab_matches") }, make("h2", { className: "unseen" }, say("tab_matches")),
    make("div", { className: "fields-row no-print" }, make("label", {}, say("show"), filter), make("label", {}, say("search"), search)), counts, listed, none);

  function show() {
    const { tables } = desk.tables;
    const text = search.value.trim().toLowerCase();
    const wanted = tables.filter((one) => FILTERS[filter.value](one) && (text === "" || found(one, text))).sort(byNeed);
    arrange(listed, wanted.map((one) => rowOf(rows, desk, one)));
    none.textContent = tables.length === 0 ? say("no_matches") : wanted.length === 0 ? say("none_such") : "";
    told(counts, say("counts", countsOf(tables)));
    tick();
  }

  /** The clocks go on between two looks, by the time of the service. */
  function tick() {
    const now = Date.now() + desk.tables.ahead;
    for (const { table, clocks, called } of rows.values()) {
      clocks.forEach((clock, seat) => clock && showTime(clock, table.seats[seat].name, table.clock.control, table.clock.seats[seat], now));
      for (const { where, at } of called) told(where, say("ago", { time: clockTime(Math.max(0, now - Date.parse(at))) }));
    }
  }

  setInterval(() => element.isConnected && !element.hidden && tick(), 1000);
  return { element, show };
}

const found = ({ seats, table }, text) => String(table) === text || seats.some(({ name }) => name.normalize("NFKC").toLowerCase().includes(text.normalize("NFKC")));

/** Those first where somebody calls, the longest before the others; then those with a flag, then those that are played; by round and table. */
function byNeed(one, other) {
  const rank = (table) => (table.calls.length > 0 ? -1 : isFlagged(table) ? FLAGGED.indexOf(table.flag) : RUNNING.includes(table.status) ? 10 : 11);
  const since = ({ calls }) => (calls.length > 0 ? Date.parse(calls[0].at) : 0);
  return rank(one) - rank(other) || since(one) - since(other) || one.round - other.round || one.table - other.table;
}

function countsOf(tables) {
  const count = (name) => tables.filter(FILTERS[name]).length;
  return { flagged: count("flagged"), running: count("running"), over: count("over") };
}

/** Said again only when it has changed. */
function told(where, text) {
  if (where.textContent !== text) where.textContent = text;
}

/** The row of a table; the one that is there is changed where something has happened. */
function rowOf(rows, desk, table) {
  const name = `${table.round}-${table.table}`;
  const known = rows.get(name) ?? { element: make("li", {}), noShows: noShowsOf(desk, name), written: null };
  rows.set(name, known);
  known.table = table;
  const written = JSON.stringify({ ...table, clock: table.clock?.seats.map(({ deadline, bank_ms }) => [deadline, bank_ms]) });
  if (written !== known.written) {
    const focused = known.element.contains(document.activeElement) && !known.noShows.element.contains(document.activeElement);
    known.written = written;
    fill(known, desk, table);
    if (focused) known.element.querySelector("a")?.focus();
  }
  return known.element;
}

function fill(known, desk, whole) {
  const { round, table, match, status, seats, result, flag, clock, to_act: acting, rulings, seq, closed, claims, calls } = whole;
  const team = desk.found.teams ? desk.found.entrants.find(({ entrant }) => entrant === seats[0].entrant) : null;
  known.clocks = seats.map(() => (clock ? make("span", { className: "time", role: "timer" }) : null));
  known.called = calls.map(({ at }) => ({ at, where: make("span", { className: "time", "aria-hidden": "true" }) }));
  known.element.className = isFlagged(whole) ? "flagged" : "";
  const { element: missing } = known.noShows;
  for (const part of [...known.element.children]) if (part !== missing) part.remove();
  if (!missing.isConnected) known.element.append(missing);
  missing.before(
    make("h3", {}, make("span", {}, String(table)), make("span", { className: "unseen" }, ` ${say("at", { round, table })}`)),
    make("div", { className: "what" },
      calls.map((call, place) => callOf(desk, whole, call, known.called[place].where)),
      make("p", {}, make("span", { className: `state ${status}` }, status ? say(`status-${status}`) : "–"), " ", flag && !closed ? make("span", { className: FLAGGED.includes(flag) ? "flag" : "soft" }, say(`flag_${flag}`)) : null,
        " ", make("span", { className: "soft" }, say("round", { round })), " ", rulings ? make("span", { className: "soft" }, say("rulings", { count: rulings })) : null),
      team ? make("p", {}, make("b", {}, make("bdi", {}, team.name))) : null,
      make("ul", { className: "sitters" }, seats.map(({ seat, name }) => make("li", { className: acting.includes(seat) ? "acts" : "" },
        make("bdi", {}, name), acting.includes(seat) ? make("span", { className: "unseen" }, ` ${say("to_act")}`) : null, " ", known.clocks[seat], outcome(result, seat))))),
    match ? make("p", { className: "go row no-print" }, flag === "expired" && claims ? claimButton(desk, match, table) : null, matchLink(desk.key, match, seq, { className: "button" }, say("open_match"), make("span", { className: "unseen" }, ` ${say("table", { table })} ${say("new_tab")}`))) : "");
  known.noShows.show(known.table);
}

/** That a seat calls the referee, since when and what it says; to attend to it closes the call. */
function callOf(desk, { match, table, seats }, { seat, text }, where) {
  const said = make("span", { role: "status" });
  const button = make("button", { type: "button", onclick: async () => {
    button.disabled = true;
    const answer = await desk.ask(`/v1/matches/${encodeURIComponent(match)}/calls/${seat}/close`, { body: {}, once: newKey() });
    button.disabled = false;
    said.replaceChildren(...(answer.status === 200 ? [] : reasons(answer)));
    await desk.look();
  } }, say("attend"), make("span", { className: "unseen" }, ` ${seats[seat].name} ${say("table", { table })}`));
  return make("p", { className: "called row" }, make("b", { className: "flag" }, say("calls_referee", { name: seats[seat].name })), where, text === null ? null : make("q", {}, make("bdi", {}, text)), button, said);
}

/** Claims that time is over; the service judges by its own clock, and what was agreed on happens. */
function claimButton(desk, match, table) {
  const button = make("button", { type: "button", className: "first" }, say("claim"), make("span", { className: "unseen" }, ` ${say("table", { table })}`));
  const said = make("span", { role: "status" });
  button.onclick = async () => {
    button.disabled = true;
    const answer = await desk.ask(`/v1/matches/${encodeURIComponent(match)}/claims`, { body: {}, once: newKey() });
    button.disabled = false;
    said.replaceChildren(...(answer.status === 200 ? [] : reasons(answer)));
    await desk.look();
  };
  return [button, said];
}

function outcome(result, seat) {
  if (!result) return null;
  return [make("b", {}, result.scores ? String(result.scores[seat]) : ""), " ",
    result.forfeited.includes(seat) ? make("span", { className: "mark" }, say("forfeited")) : result.winners.includes(seat) ? make("span", { className: "mark won" }, say("won")) : null];
}

/** What a seat has left, as the page of its match shows it. */
function showTime(where, name, control, seat, now) {
  const rest = left(control, seat, now);
  const over = seat.running && rest < 0;
  where.className = `time ${seat.running ? "runs" : ""} ${over ? "over" : ""}`;
  told(where, over ? say("time_over", { time: clockTime(-rest) }) : clockTime(rest));
  where.setAttribute("aria-label", say(over ? "time_gone" : "time_left", { name, time: timeInWords(Math.abs(rest)) }));
}
