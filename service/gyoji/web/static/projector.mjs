// The page for a projector: the latest round in large type. It looks again by itself, with the key of its address if there is one.

import { keyInAddress, say, service } from "./calls.mjs";
import { make } from "./cards.mjs";
import { joinLink } from "./slips.mjs";
import { code } from "./qr.mjs";

const host = document.getElementById("round");
const title = document.getElementById("title");
const announced = document.getElementById("announced");
const network = document.getElementById("network");
const address = `/v1/tournaments/${encodeURIComponent(host.dataset.tournament)}`;

/** The key is taken out of the address, which everybody in the room reads. */
const key = keyInAddress();
history.replaceState(history.state, "", location.pathname + location.search);

/** Milliseconds between two looks. */
const POLL = 3000;

let shown = null;

/** Reads the tournament and its latest round; what came instead of an answer is shown in its place. */
async function look() {
  const ask = service(key);
  const found = await ask(address);
  const number = found.document.paired?.length ?? 0;
  const round = found.status === 200 && number > 0 ? await ask(`${address}/rounds/${number}`) : null;
  const joining = found.document.registration === "open" && key !== null ? await ask(`${address}/registration`) : null;
  const isUnanswered = [found, round].some((one) => one && ![200, 401, 403, 404].includes(one.status));
  network.textContent = isUnanswered ? say("network") : "";
  if (isUnanswered) return;
  const written = JSON.stringify([found.document, round?.document, joining?.document]);
  if (written === shown) return;
  shown = written;
  announced.replaceChildren(...(found.document.announcement ? [make("bdi", {}, found.document.announcement)] : []));
  if (found.status !== 200) return host.replaceChildren(make("p", { className: "panel" }, say("lost")));
  draw(found.document, round?.document ?? null);
  if (joining?.status === 200) host.prepend(invitation(found.document, joining.document.token));
}

function draw(tournament, round) {
  title.replaceChildren(...(round ? [say("round", { round: round.round }), " "] : []), make("small", {}, make("bdi", {}, tournament.name)));
  if (round === null) return host.replaceChildren(make("p", { className: "call" }, say("none")));
  const names = new Map(tournament.entrants.map(({ entrant, name }) => [entrant, name]));
  host.replaceChildren(
    make("p", { className: "call" }, say(callOf(round))),
    make("ol", { className: "tables" }, round.tables.map((table) => make("li", {}, make("h2", {}, make("span", { className: "unseen" }, say("table", { table: table.table })), make("span", { "aria-hidden": "true" }, String(table.table))),
      make("ol", { className: "sitters" }, tournament.teams ? make("li", {}, make("bdi", {}, names.get(table.seats[0].entrant))) : table.seats.map((seat) => sitter(seat, table.result)))))),
    rest("bye", round.byes, names), rest("absent", round.absent ?? [], names));
}

/** Who does not play in the round, and why. */
function rest(key, entrants, names) {
  return entrants.length === 0 ? "" : make("p", { className: "rest" }, make("b", {}, `${say(key)}${say("colon")}`), entrants.flatMap((entrant, at) => [at > 0 ? say("comma") : "", make("bdi", {}, names.get(entrant))]));
}

/** The joining link as a code for everybody's telephone, while registration is open. */
function invitation({ entrants, check_in: checks }, token) {
  const playing = entrants.filter(({ withdrawn }) => withdrawn === null);
  const here = playing.filter(({ present }) => present).length;
  return make("section", { className: "invitation", "aria-label": say("join") }, code(joinLink(host.dataset.tournament, token), say("join_code")),
    make("p", {}, make("b", {}, say("join")), make("span", {}, checks ? say("checked_in", { present: here, count: playing.length }) : say("entrants_count", { count: playing.length }))));
}

const sitter = ({ name, seat }, result) => make("li", {}, make("bdi", {}, name), result?.scores ? make("b", { className: "score" }, ` ${result.scores[seat]}`) : null);

/** What is to be called out now. */
function callOf({ closed, tables }) {
  const is = (status) => tables.some((one) => one.status === status);
  if (closed) return "closed";
  return is("playing") ? "runs" : is("paused") ? "waits" : "over";
}

look();
setInterval(() => document.hidden || look(), POLL);
addEventListener("hashchange", look);
