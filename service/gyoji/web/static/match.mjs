// The page of a match: whoever has the link looks, and the seat that the link's token is of plays.
//
// The token comes from the fragment of the address, is kept in a variable and is sent to this service alone, in a header.

import { make, text } from "./cards.mjs";
import { follow, Refused, service } from "./feed.mjs";
import { inLanguage, ruleLink } from "./story.mjs";
import { frames, namesOf, sentence, viewer } from "./viewer.mjs";

const host = document.getElementById("match");
const words = JSON.parse(document.getElementById("words").textContent);
const match = encodeURIComponent(host.dataset.match);
const say = (key, facts) => sentence(words, key, facts);
const part = (name) => document.getElementById(name);

const PAGE = 500;
const MOST_TRIES = 4;
const LOOKING_AS = ["operator", "referee", "auditor"];
const RUNNING = ["seeding", "playing"];

let shown = null;

// ---- what the address says

function fragment() {
  const said = new URLSearchParams(location.hash.slice(1));
  const whole = (name) => (/^\d{1,9}$/.test(said.get(name) ?? "") ? Number(said.get(name)) : null);
  return { token: said.get("token"), at: whole("at"), as: whole("as") };
}

function fragmentOf(facts) {
  const said = new URLSearchParams(Object.entries(facts).filter(([, value]) => value !== null));
  return said.size > 0 ? `#${said}` : "";
}

let writing = null;
let place = null;

/** Writes down where the viewer stands, once it has stood there for a moment: browsers take few changes a second. */
function rememberPlace(at) {
  place = at;
  clearTimeout(writing);
  writing = setTimeout(() => write({ ...fragment(), at }), 250);
}

function write({ token, at, as }) {
  clearTimeout(writing);
  history.replaceState(history.state, "", `${location.pathname}${location.search}${fragmentOf({ token, at, as })}`);
}

// ---- looking

async function look() {
  shown?.end();
  const { token, at, as } = fragment();
  place = at;
  const ending = new AbortController();
  const ask = service(token, document.documentElement.lang, ending.signal);
  shown = { token, as, end: () => ending.abort(), jump: () => {} };
  state("loading");
  try {
    await show(ask, token, at, as, ending.signal);
  } catch (trouble) {
    if (ending.signal.aborted) return;
    if (!(trouble instanceof Refused)) throw trouble;
    refused(trouble, token);
  }
}

async function show(ask, token, at, as, signal) {
  const framesAfter = (seq) => ask(`/matches/${match}/frames?after=${seq}&limit=${PAGE}${as === null ? "" : `&as=${as}`}`, { patient: waiting });
  let answer = await framesAfter(-1);
  const isRunning = () => RUNNING.includes(answer.status);
  const names = namesOf(answer.seats, words);
  const seat = answer.as ?? answer.viewer.seat;
  const mayPlay = answer.viewer.seat !== null && as === null;
  const table = viewer(host, {
    game: answer.game, words, names, viewer: seat,
    play: mayPlay ? (move) => played(move) : null,
    ask: mayPlay ? (move) => played(move, true) : null,
    links: (frame) => linksOf(ask, token, as, answer.game, frame),
    stepped: ({ seq }, isLast) => settled && rememberPlace(isLast && isRunning() ? null : seq),
  });
  let settled = false;
  signal.addEventListener("abort", table.stop);
  shown.jump = table.jump;

  function take(next, begin) {
    answer = next;
    if (!table.last()) table.live(isRunning());
    table.add(frames(answer, table.last() ?? null), begin);
    table.live(isRunning());
    head(answer, names, table.last());
  }

  let catching = Promise.resolve();

  /** Fetches what is new; one fetch after the other, so that no event is shown twice. */
  function catchUp() {
    catching = catching.then(async () => {
      const known = table.last()?.seq ?? -1;
      let next = await framesAfter(known);
      while (next.frames.length > 0 && !signal.aborted) {
        take(next);
        if (next.status === "seeding") await seeding(ask);
        if (next.next === null) return;
        next = await framesAfter(next.next);
      }
      if (next.status !== answer.status || next.closed !== answer.closed) take(next);
    });
    const caught = catching;
    catching = catching.catch(() => {});
    return caught;
  }

  /** Makes a move; a `dry` one is ruled on and not made, so that a player hears why a card may not be played. */
  async function played(move, dry = false) {
    const seq = table.last().seq;
    try {
      await ask(`/v1/matches/${match}/moves`, { move, dry, seq, tries: MOST_TRIES, patient: waiting });
    } catch (trouble) {
      if (signal.aborted) return;
      waiting(false);
      if (trouble.code === "stale-position") await catchUp();
      table.notice(...(trouble instanceof Refused ? reasons(trouble, answer.game) : [say("unsent")]));
      host.querySelector(".notice").scrollIntoView({ block: "nearest" });
      return;
    }
    await catchUp();
  }

  state("shown");
  asking(answer, as);
  take(answer, beginning(answer, at));
  const page = answer.next;
  if (page !== null) await catchUp();
  if (page !== null && at > page) table.jump(at);
  settled = true;
  if (answer.status === "seeding") await seeding(ask);
  if (isRunning()) await follow({ ask, match, after: () => table.last().seq, catchUp, isRunning, waiting, signal });
  waiting(false);
}

/** Where to begin: where the link says, else where a running match stands, or where one that is over was dealt. */
function beginning({ frames: found, status }, at) {
  if (at !== null) return Math.max(found.findLastIndex(({ seq }) => seq <= at), 0);
  return RUNNING.includes(status) ? found.length - 1 : Math.max(found.findIndex((frame) => frame.view), 0);
}

// ---- what stands around the table

function head(answer, names, last) {
  const title = `${answer.title} · ${names.map((name) => text(name, 24)).join(" – ")}`;
  const mine = answer.status === "playing" && answer.viewer.seat !== null && answer.as === null && last?.view?.to_act?.includes(answer.viewer.seat);
  document.title = `${mine ? `${say("your_turn")} · ` : ""}${title} · gyoji`;
  part("title").textContent = answer.title;
  part("players").textContent = answer.seats.some(({ name }) => name !== null) ? names.join(" · ") : "";
  part("role").textContent = role(answer);
  const how = standing(answer);
  part("standing").textContent = say(mine ? "your_turn" : `status_${how}`);
  part("standing").className = `standing ${mine ? "mine" : how}`;
  part("about").textContent = ["voided", "withheld", "seeding"].includes(how) ? say(`about_${how}`) : result(last?.view?.outcome, names);
}

/** Who has won, and by what scores. */
function result(outcome, names) {
  if (!outcome) return "";
  const { winners, scores } = outcome;
  return say("result", { winners: winners.map((seat) => names[seat]).join(", "), scores: names.map((name, seat) => `${name} ${scores[seat]}`).join(", ") });
}

function standing({ status, closed }) {
  return status === "finished" && !closed ? "withheld" : status;
}

function role({ viewer: { role: who, seat }, as, seats }) {
  const called = (one) => (seats[one].name === null ? say("seat_number", { seat: one }) : say("seat_name", { seat: one, name: text(seats[one].name, 40) }));
  const looks = who === "seat" ? say("role_seat", { seat: called(seat) }) : say(`role_${who}`);
  return as === null ? looks : `${looks} ${say("role_as", { seat: called(as) })}`;
}

/** The choice of a seat's eyes, for those whom everything is open to. */
function asking({ viewer: { role: who }, seats, frames: found }, as) {
  const choice = part("as");
  const view = found.find((frame) => frame.view)?.view;
  part("looking-as").hidden = !LOOKING_AS.includes(who) || (as === null && !view?.table.hands.every(Array.isArray));
  choice.replaceChildren(make("option", { value: "" }, say("everybody")),
    ...seats.map(({ seat, name }) => make("option", { value: String(seat) }, name === null ? say("seat", { seat }) : `${say("seat", { seat })}: ${text(name, 40)}`)));
  choice.value = as === null ? "" : String(as);
  choice.onchange = () => {
    write({ ...fragment(), at: place, as: choice.value || null });
    look();
  };
}

async function seeding(ask) {
  const { seeding: told } = await ask(`/v1/matches/${match}`);
  if (told?.missing?.length > 0) part("about").textContent = say("about_seeding_seats", { seats: told.missing.join(", ") });
}

// ---- links of a position

function linksOf(ask, token, as, game, { seq, view }) {
  const query = as === null ? "" : `?as=${as}`;
  const files = [[`/v1/matches/${match}/replay`, "replay", `${match}.jsonl`]];
  if (view !== null) files.unshift([`/v1/matches/${match}/positions/${seq}${query}`, "position", `${match}.${seq}.json`]);
  return [copyButton(seq), ...files.map(([address, key, name]) => fileLink(ask, token, address, say(key), name)),
    ...(view !== null && isWhole(view) ? [consoleLink(view)] : []), auditLink(token), make("a", { className: "button", href: inLanguage(`/rules/${game}`) }, say("rulebook"))];
}

/** Whether nothing of the position is hidden from whoever looks. */
function isWhole({ table }) {
  return table.hands.every(Array.isArray) && !JSON.stringify(table).includes('{"count":');
}

/** A link that lays the position on the referee's console. */
function consoleLink(state) {
  return leadsTo(inLanguage("/console"), "to_console", async () => (await import("./console-link.mjs")).fragmentOf({ state }));
}

/** A link to the audit of the match; the token goes along in the fragment, which no server is sent. */
function auditLink(token) {
  return leadsTo(inLanguage("/audit"), "to_audit", () => `${new URLSearchParams({ match, ...(token === null ? {} : { token }) })}`);
}

/** A link whose fragment is made when it is followed. */
function leadsTo(address, key, fragment) {
  const link = make("a", { className: "button", href: address }, say(key));
  link.onclick = async (event) => {
    event.preventDefault();
    location.assign(`${address}#${await fragment()}`);
  };
  return link;
}

/** A link to the position, without the token: whoever is to see it has their own, or sees what all may. */
function copyButton(seq) {
  const address = `${location.origin}${location.pathname}${location.search}${fragmentOf({ at: seq })}`;
  const button = make("button", { type: "button" }, say("copy"));
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = say("copied");
    } catch {
      // No clipboard without a secure address, or without leave: the link is there to be copied by hand.
      const field = make("input", { readOnly: true, value: address, "aria-label": say("copy") });
      button.replaceWith(field);
      field.select();
    }
  };
  return button;
}

/** A link to a file of the service. With a token it is fetched, since a link carries none, and given to the browser. */
function fileLink(ask, token, address, label, name) {
  const link = make("a", { className: "button", href: address, download: name }, label);
  if (token === null) return link;
  link.onclick = async (event) => {
    event.preventDefault();
    try {
      const held = URL.createObjectURL(await ask(address, { as: "blob" }));
      make("a", { href: held, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(held), 60000);
    } catch {
      link.textContent = say("not_fetched");
    }
  };
  return link;
}

// ---- what goes wrong

function reasons({ document: told, status }, game) {
  if (status === 412) return [make("p", {}, say("moved_on"))];
  const because = told.because ?? told.detail ?? say("failed", { status });
  return [make("p", {}, make("b", {}, say("refused")), " ", because),
    told.rule ? make("p", {}, make("span", {}, told.rule_text ?? ""), ruleLink(game, told.rule)) : null].filter(Boolean);
}

function refused({ status, document: told }, token) {
  const key = { 401: "lost_token", 403: "lost_forbidden", 404: "lost_match", 409: "lost_hidden" }[status];
  state("lost", key ? [say(key)] : [told.title ?? say("failed", { status }), told.detail ?? ""], status === 404 || status === 401 ? say(token === null ? "how_to_look" : "how_with_token") : "");
}

function state(name, sentences = [say(name)], more = "") {
  host.dataset.state = name;
  if (name === "shown") return;
  if (name === "lost") forget();
  host.replaceChildren(make("div", { className: "panel state" }, sentences.filter(Boolean).map((one) => make("p", { className: "lead" }, one)), more ? make("p", {}, more) : null,
    name === "lost" ? make("p", {}, make("button", { type: "button", onclick: look }, say("again"))) : null));
}

/** Nothing stands around the table any more of whom it was shown to before. */
function forget() {
  document.title = `${say("title")} · gyoji`;
  part("title").textContent = say("title");
  for (const name of ["standing", "players", "role", "about", "network"]) part(name).textContent = "";
  part("standing").className = "standing";
  part("looking-as").hidden = true;
}

/** Says that the service does not answer, as long as that lasts. */
function waiting(is) {
  part("network").textContent = is ? say("network") : "";
}

addEventListener("hashchange", () => {
  const { token, at, as } = fragment();
  if (token !== shown.token || as !== shown.as) look();
  else if (at !== null) shown.jump(at);
});

look();
