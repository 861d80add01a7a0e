// The page of a match: whoever has the link looks, the seat that the link's token is of plays at a table of its own, and a
// referee rules.
//
// The token, or a referee's key, comes from the fragment of the address or is typed in. It is kept in a variable and is
// sent to this service alone, in a header.

import { cardsByName, make, say as tableSays } from "./cards.mjs";
import { follow, Refused, service } from "./feed.mjs";
import { frames, namesOf, sentence } from "./frames.mjs";
import { askWhoseEyes, cameOut, forgetHead, showHead } from "./match-head.mjs";
import { ruleLink } from "./rule-links.mjs";

const host = document.getElementById("match");
const words = JSON.parse(document.getElementById("words").textContent);
const match = encodeURIComponent(host.dataset.match);
const say = (key, facts) => sentence(words, key, facts);
const part = (name) => document.getElementById(name);

const PAGE = 500;
/** Events that a player's table begins with: the last trick, and what a referee has just ruled, are among them. */
const RECENT = 24;
const MOST_TRIES = 4;
const RUNNING = ["seeding", "playing", "paused"];

let shown = null;

// ---- what the address says

function fragment() {
  const said = new URLSearchParams(location.hash.slice(1));
  const whole = (name) => (/^\d{1,9}$/.test(said.get(name) ?? "") ? Number(said.get(name)) : null);
  return { token: said.get("token"), key: said.get("key"), set: said.get("set"), at: whole("at"), as: whole("as") };
}

function fragmentOf(facts) {
  const said = new URLSearchParams(Object.entries(facts).filter(([, value]) => value !== null));
  return said.size > 0 ? `#${said}` : "";
}

/** A key that was typed in: it is nowhere but here. */
let typed = null;

const heldBy = ({ token, key }) => key ?? token;

/** What this service is sent to know who looks. */
const credential = () => typed ?? heldBy(fragment());

const lineAsked = () => (new URLSearchParams(location.search).get("line") === "ruled" ? "ruled" : "played");

let writing = null;
let place = null;

/** Writes down where the viewer stands, once it has stood there for a moment: browsers take few changes a second. */
function rememberPlace(at) {
  place = at;
  clearTimeout(writing);
  writing = setTimeout(() => write({ at }), 250);
}

function write(facts) {
  clearTimeout(writing);
  history.replaceState(history.state, "", `${location.pathname}${location.search}${fragmentOf({ ...fragment(), ...facts })}`);
}

/** The line is in the part of the address that is sent to others along with it. */
function rememberLine(line) {
  const asked = new URLSearchParams(location.search);
  if (line === "ruled") asked.set("line", line);
  else asked.delete("line");
  history.replaceState(history.state, "", `${location.pathname}${asked.size > 0 ? `?${asked}` : ""}${location.hash}`);
}

const addressOf = (seq) => `${location.origin}${location.pathname}${location.search}${fragmentOf({ at: seq })}`;

// ---- looking

/** Whether a player wants to look at what was played, in place of the table. */
let reviews = false;

/** Whether whoever looks is a player at the own table, as far as the token says so: the service has the last word. */
const seemsToPlay = ({ key, at, as }) => !reviews && typed === null && key === null && at === null && as === null && credential()?.startsWith("gyoji_seat_") === true;

/** The modules of a table or of a viewer are asked for at once: each of them has others. */
const MODES = {
  play: () => [import("./player.mjs"), import("./settings.mjs"), styles("player")],
  review: () => [import("./viewer.mjs"), import("./match-links.mjs"), import("./clocks.mjs")],
};

async function look() {
  shown?.end();
  const { at, as } = fragment();
  const token = credential();
  place = at;
  const ending = new AbortController();
  const ask = service(token, document.documentElement.lang, ending.signal);
  shown = { token, held: heldBy(fragment()), as, end: () => ending.abort(), jump: () => {} };
  state("loading");
  MODES[seemsToPlay(fragment()) ? "play" : "review"]();
  try {
    await show(ask, token, at, as, ending.signal);
  } catch (trouble) {
    if (ending.signal.aborted) return;
    if (!(trouble instanceof Refused)) throw trouble;
    refused(trouble, token);
  }
}

async function show(ask, token, at, as, signal) {
  const asSeat = as === null ? "" : `&as=${as}`;
  const ofFrames = (query) => ask(`/matches/${match}/frames?${query}&limit=${PAGE}${asSeat}`, { patient: waiting });
  const framesAfter = (seq) => ofFrames(`after=${seq}`);
  let answer = await ofFrames(seemsToPlay(fragment()) ? `last=${RECENT}` : "after=-1");
  const plays = seemsToPlay(fragment()) && answer.viewer.seat !== null;
  if (!plays && answer.frames[0]?.seq > 0) answer = await framesAfter(-1);
  await learn(answer.game, signal);
  const isRunning = () => RUNNING.includes(answer.status);
  const names = namesOf(answer.seats, words);
  const page = { ask, match, token, held: fragment().token, as, game: answer.game, say, address: addressOf };
  let settled = false;
  let desk = null;
  const rating = () => table.last()?.view?.outcome?.rating ?? null;
  const came = () => cameOut(answer, names, table.last(), rating() && tableSays(words, answer.game, `rating_${rating()}`), say);
  const sending = { play: (move) => played(move), ask: (move) => played(move, true) };
  let board = null;
  const table = await (plays ? playing() : reviewing());
  document.body.classList.toggle("playing", plays);
  signal.addEventListener("abort", () => { table.stop(); board?.stop(); desk?.end(); });
  shown.jump = table.jump ?? look;

  async function playing() {
    const [{ playerTable }, { settingsOf }] = await Promise.all(MODES.play());
    return playerTable(host, {
      game: answer.game, title: answer.title, words, names, seat: answer.viewer.seat, ...sending, claim: () => claimed().catch((trouble) => signal.aborted || saysWhy(trouble)),
      settings: settingsOf(fragment().set, say, (set) => write({ set })), review: () => { reviews = true; look(); }, status: () => answer.status,
      result: () => { const { result, about } = came(); return result.length > 0 || !isRunning() ? [...result, ...about] : []; },
    });
  }

  async function reviewing() {
    const [{ viewer }, { positionLinks }, { clocks }] = await Promise.all(MODES.review());
    board = clocks(part("clocks"), words, claimed);
    const mayPlay = answer.viewer.seat !== null && as === null;
    return viewer(host, {
      game: answer.game, words, names, viewer: answer.as ?? answer.viewer.seat, line: lineAsked(), lined: rememberLine,
      ...(mayPlay ? sending : {}),
      playable: () => answer.status === "playing",
      links: (frame) => [...(mayPlay ? [backToTable()] : []), ...(desk === null ? [] : [desk.opener(frame)]), ...positionLinks(page, frame)],
      stepped: ({ seq }, isLast) => settled && rememberPlace(isLast && isRunning() ? null : seq),
    });
  }

  function take(next, begin) {
    answer = next;
    if (plays) table.time(answer.desk);
    else board.show(answer.desk, names);
    if (!table.last()) table.live(isRunning());
    table.add(frames(answer, table.last() ?? null), begin);
    table.live(isRunning());
    const { result, about } = came();
    showHead(answer, names, table.last(), [...result, ...about], say);
    desk?.took();
  }

  let catching = Promise.resolve();

  /** Fetches what is new; one fetch after the other, so that no event is shown twice. */
  function catchUp() {
    catching = catching.then(async () => {
      const known = table.last()?.seq ?? -1;
      let next = await framesAfter(known);
      // Somebody else sits there now: everything is called anew.
      if (namesOf(next.seats, words).some((name, seat) => name !== names[seat])) names.splice(0, names.length, ...namesOf(next.seats, words));
      while (next.frames.length > 0 && !signal.aborted) {
        take(next);
        if (next.status === "seeding") await seeding(ask, names);
        if (next.next === null) return;
        next = await framesAfter(next.next);
      }
      if (next.status !== answer.status || next.closed !== answer.closed) take(next);
    });
    const caught = catching;
    catching = catching.catch(() => {});
    return caught;
  }

  let following = false;

  /** Follows the match as long as it runs; one that was over may run again by a ruling. */
  async function keepUp() {
    if (following || !isRunning()) return;
    following = true;
    await follow({ ask, match, after: () => table.last().seq, catchUp, beginAgain: () => location.reload(), isRunning, waiting, signal });
    following = false;
    waiting(false);
  }

  /** Makes a move; a `dry` one is ruled on and not made, so that a player hears why a card may not be played. */
  async function played(move, dry = false) {
    const seq = table.last().seq;
    try {
      await ask(`/v1/matches/${match}/moves`, { move, dry, seq, tries: MOST_TRIES, patient: waiting });
    } catch (trouble) {
      if (signal.aborted) return;
      if (trouble.code === "stale-position") await catchUp();
      return saysWhy(trouble);
    }
    await catchUp();
  }

  /** Says at the table why what was sent was not taken. */
  function saysWhy(trouble) {
    waiting(false);
    table.notice(...(trouble instanceof Refused ? reasons(trouble, answer.game) : [say("unsent")]));
    host.querySelector(".notice").scrollIntoView({ block: "nearest" });
  }

  async function claimed() {
    try {
      await ask(`/v1/matches/${match}/claims`, { body: {}, tries: MOST_TRIES, patient: waiting });
    } finally {
      await catchUp();
    }
  }

  state("shown");
  askWhoseEyes(answer, as, say, (chosen) => {
    write({ at: place, as: chosen });
    look();
  });
  part("for-referees").hidden = answer.desk.may.rule;
  const first = answer.next;
  const begin = beginning(answer, at);
  if (answer.desk.may.rule) {
    desk = deskOf({ ask, match, words, table, names, as, game: answer.game, answer: () => answer, catchUp: () => catchUp().then(() => { keepUp(); }) }, signal);
  }
  take(answer, begin);
  if (first !== null) await catchUp();
  if (first !== null && at > first) shown.jump(at);
  settled = true;
  if (answer.status === "seeding") await seeding(ask, names);
  await keepUp();
}

/** Asks for the words of a game and how it is drawn. */
async function learn(game, signal) {
  words.table.games[game] ??= await wordsOf(`games/${game}`, signal);
}

/** Asks for words of the service: they are the same for everybody, so that no token is sent. */
function wordsOf(name, signal) {
  const language = document.documentElement.lang;
  return service(null, language, signal)(`/static/${name}.${language}.json`, { patient: waiting, cache: "default" });
}

const styled = new Map();

/** Loads styles that not everybody needs who opens the page, once. */
function styles(name) {
  if (!styled.has(name)) styled.set(name, new Promise((loaded) => {
    document.head.append(make("link", { rel: "stylesheet", href: `/static/${name}.css`, onload: loaded, onerror: loaded }));
  }));
  return styled.get(name);
}

/** The desk of a referee: for those alone who may rule, and loaded when a position is to be ruled on. */
function deskOf(facts, signal) {
  let desk = null;
  async function open(frame) {
    desk ??= await loaded();
    desk.open(frame);
  }
  async function loaded() {
    const [{ rulingDesk }, said] = await Promise.all([import("./ruling.mjs"), wordsOf("ruling", signal), styles("ruling")]);
    return rulingDesk(part("desk"), { ...facts, say: (key, told) => sentence(said, key, told) });
  }
  return {
    opener: (frame) => make("button", { type: "button", className: "first", onclick: () => open(frame) }, say("rule_here")),
    took: () => desk?.took(),
    end: () => desk?.end(),
  };
}

/** Where to begin: where the link says, else where a running match stands, or where one that is over was dealt. */
function beginning({ frames: found, status }, at) {
  if (at !== null) return Math.max(found.findLastIndex(({ seq }) => seq <= at), 0);
  return RUNNING.includes(status) ? found.length - 1 : Math.max(found.findIndex((frame) => frame.view), 0);
}

async function seeding(ask, names) {
  const { seeding: told } = await ask(`/v1/matches/${match}`);
  if (told?.missing?.length > 0) part("about").textContent = say("about_seeding_seats", { names: told.missing.map((seat) => names[seat]).join(say("comma")) });
}

/** Leads from what was played back to the own table. */
function backToTable() {
  return make("button", { type: "button", className: "first", onclick: () => { reviews = false; write({ at: null }); look(); } }, say("to_table"));
}

// ---- what goes wrong

function reasons({ document: told, status }, game) {
  if (status === 412) return [make("p", {}, say("moved_on"))];
  const because = told.because === undefined ? told.detail ?? say("failed", { status }) : cardsByName(game, told.because, words);
  return [make("p", {}, make("b", {}, say("refused")), " ", because),
    told.rule ? make("p", {}, make("span", {}, told.rule_text ?? ""), ruleLink(game, told.rule)) : null].filter(Boolean);
}

function refused({ status, document: told }, token) {
  const known = { 401: "lost_token", 403: "lost_forbidden", 404: "lost_match", 409: "lost_hidden" };
  const key = told.code === "token-expired" ? null : known[status];
  state("lost", key ? [say(key)] : [told.title ?? say("failed", { status }), told.detail ?? ""], key && (status === 404 || status === 401) ? say(token === null ? "how_to_look" : "how_with_token") : "");
}

function state(name, sentences = [say(name)], more = "") {
  host.dataset.state = name;
  if (name === "shown") return;
  document.body.classList.remove("playing");
  if (name === "lost") forgetHead(say);
  part("for-referees").hidden = name !== "lost";
  host.replaceChildren(make("div", { className: "panel state" }, sentences.filter(Boolean).map((one) => make("p", { className: "lead" }, one)), more ? make("p", {}, more) : null,
    name === "lost" ? make("p", {}, make("button", { type: "button", onclick: look }, say("again"))) : null));
}

/** Says that the service does not answer, as long as that lasts. */
function waiting(is) {
  part("network").textContent = is ? say("network") : "";
}

part("for-referees").querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  typed = part("key").value.trim() || null;
  part("key").value = "";
  look();
});

addEventListener("hashchange", () => {
  const { at, as } = fragment();
  if (heldBy(fragment()) !== shown.held) typed = null;
  if (credential() !== shown.token || as !== shown.as) look();
  else if (at !== null) shown.jump(at);
});

look();
