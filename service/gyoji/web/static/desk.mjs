// The desk of a tournament: the matches for whoever referees, and for whoever runs it the rounds, entrants and standings.
//
// The key comes from the fragment of the address or is typed in; it is kept in a variable and sent to this service alone.

import { keyInAddress } from "./calls.mjs";
import { entrantsView } from "./desk-entrants.mjs";
import { matchesView } from "./desk-matches.mjs";
import { address, inLanguage, make, newKey, reasons, say, service, tournament } from "./desk-parts.mjs";
import { roundsView } from "./desk-rounds.mjs";
import { standingsView } from "./desk-standings.mjs";

const host = document.getElementById("desk");
const form = document.getElementById("key");
const field = document.getElementById("key-field");
const part = (name) => document.getElementById(name);

/** Milliseconds between two looks at the matches. */
const POLL = 2000;

let looking = 0;

/** Looks with that key; whatever was looked at before ends. */
async function open(key) {
  looking += 1;
  const mine = looking;
  host.dataset.state = "loading";
  host.replaceChildren(make("p", { className: "soft" }, say("loading")));
  const desk = deskOf(key);
  const found = await desk.look();
  if (mine !== looking) return;
  if (found !== null) return closed(found);
  form.hidden = true;
  show(desk);
  while (mine === looking) {
    await new Promise((resolve) => setTimeout(resolve, POLL));
    if (mine !== looking || document.hidden) continue;
    const missed = await desk.look();
    if (mine !== looking) return;
    if ([401, 403, 404].includes(missed?.status)) return closed(missed);
    part("network").textContent = missed === null ? "" : say("network");
  }
}

/** Why the desk does not open. */
function closed(answer) {
  host.dataset.state = "closed";
  const known = { 401: "lost_key", 403: "lost_key", 404: "lost_tournament" }[answer.status];
  host.replaceChildren(make("div", { className: "panel bad-panel", role: "alert" }, known ? make("p", {}, say(known)) : reasons(answer)));
  form.hidden = false;
  field.focus();
}

/**
 * What the parts of the desk share: the tournament and its tables as they were last read, `look` that reads them again
 * (null, or the answer that came instead), `act` that changes something, `changed` that is called after each reading.
 */
function deskOf(key) {
  const ask = service(key);
  const attempts = new Map();
  const desk = { ask, key, found: null, tables: null, changed: [] };

  desk.look = async () => {
    const tables = await ask(inLanguage(`/tournaments/${encodeURIComponent(tournament)}/tables`));
    if (tables.status !== 200) return tables;
    if (desk.found?.seq !== tables.document.seq) {
      const found = await ask(address);
      if (found.status !== 200) return found;
      desk.found = found.document;
    }
    desk.tables = { ...tables.document, ahead: Date.parse(tables.document.now) - Date.now() };
    for (const tell of desk.changed) tell();
    return null;
  };

  /**
   * Sends a change of the tournament as it is on the desk (or as it was at `seq`, or `anyhow`: however it is, where it means the same
   * whoever comes in meanwhile), and tells in `where` what came of it.
   * A change that was sent without an answer is sent again as it was, under the same idempotency key: it is made once.
   */
  desk.act = async (path, { body = null, where, done, seq = desk.found.seq, anyhow = false }) => {
    const what = JSON.stringify([path, body]);
    if (!attempts.has(what)) attempts.set(what, { once: newKey(), ...(anyhow ? {} : { seq }) });
    where.replaceChildren(make("p", { className: "soft" }, say("sending")));
    const answer = await ask(address + path, { body, ...attempts.get(what) });
    if (answer.status !== 0 && answer.status !== 503) attempts.delete(what);
    const good = answer.status === 200 || answer.status === 201;
    if (answer.status !== 0) await desk.look();
    where.classList.toggle("wrong", !good);
    where.replaceChildren(...(good ? [done ? make("p", {}, done) : ""] : reasons(answer, body)));
    return good ? answer.document : null;
  };
  return desk;
}

function show(desk) {
  const { found, tables } = desk;
  document.title = `${say("title")} · gyoji`;
  part("title").replaceChildren(make("bdi", {}, found.name));
  const toPublic = found.visibility === "public" ? make("a", { className: "button", href: inLanguage(`/tournaments/${tournament}`) }, say("public_page")) : null;
  const running = tables.manages ? [["rounds", roundsView], ["entrants", entrantsView]] : [];
  const views = [["matches", matchesView], ...running, ["standings", standingsView]].map(([name, viewOf]) => [name, viewOf(desk)]);
  const tabs = views.map(([name]) => make("button", { type: "button", "aria-pressed": "false", onclick: () => choose(name) }, say(`tab_${name}`)));
  const choose = (chosen) => views.forEach(([name, view], place) => {
    view.element.hidden = name !== chosen;
    tabs[place].setAttribute("aria-pressed", String(name === chosen));
    if (name === chosen) view.opened?.();
  });
  desk.changed = [about, ...views.map(([, view]) => view.show)];
  host.dataset.state = "shown";
  host.replaceChildren(make("div", { className: "tabs no-print", role: "group", "aria-label": say("parts") }, tabs, toPublic), ...views.map(([, view]) => view.element));
  for (const tell of desk.changed) tell();
  const isBeginning = tables.manages && found.paired.length === 0 && found.status !== "closed";
  choose(isBeginning ? (found.entrants.length === 0 ? "entrants" : "rounds") : "matches");

  function about() {
    const now = desk.found;
    const role = desk.tables.manages ? "role_director" : desk.tables.rules ? "role_referee" : "role_guest";
    part("about").replaceChildren(now.status === "closed" ? say("final") : say("rounds_of", { paired: now.paired.length, rounds: now.rounds }), make("span", { className: "no-print" }, ` · ${say(role)}`));
  }
}

form.onsubmit = (event) => {
  event.preventDefault();
  const key = field.value.trim();
  field.value = "";
  if (key) open(key);
};

function begin() {
  const key = keyInAddress();
  if (key) return open(key);
  looking += 1;
  host.dataset.state = "key";
  host.replaceChildren();
  form.hidden = false;
}

/** Another key in the address opens the desk with it; the link that skips to the content has none, and changes nothing. */
addEventListener("hashchange", () => keyInAddress() && begin());
begin();
