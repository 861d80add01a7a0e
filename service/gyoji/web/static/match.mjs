// The page of a match: whoever has the link looks, the seat that the link's token is of plays at a table of its own, and a
// referee rules.
//
// The token, or a referee's key, comes from the fragment of the address or is typed in. It is kept in a variable and is
// sent to this service alone, in a header.

import { make, say as tableSays } from "./cards.mjs";
import { follow, Refused, service } from "./feed.mjs";
import { frames, namesOf, sentence } from "./frames.mjs";
import { askWhoseEyes, cameOut, forgetHead, showHead } from "./match-head.mjs";
import { addressOf, fragment, heldBy, lineAsked, rememberLine, write, writeSoon } from "./match-address.mjs";
import { reasons } from "./refusal.mjs";
import { asksForNotation, settingsOf } from "./settings.mjs";

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

/** A key that was typed in: it is nowhere but here. */
let typed = null;

/** What this service is sent to know who looks. */
const credential = () => typed ?? heldBy(fragment());

/** The event at which the viewer stands. */
let place = null;

// ---- looking

/** Whether a player wants to look at what was played, in place of the table. */
let reviews = false;

/** Whether whoever looks is a player at the own table, as far as the token says so: the service has the last word. */
const seemsToPlay = ({ key, at, as }) => !reviews && typed === null && key === null && at === null && as === null && credential()?.startsWith("gyoji_seat_") === true;

/**
 * The modules of a table and of a viewer, first the one that draws it. They are asked for at once, with those that they
 * import themselves: to learn of each only from another would take as many ways to the service.
 */
const MODULES = {
  play: ["player", "ended-trick", "frame-queue", "hand", "instruction", "move-choice", "opponents", "player-dialog", "ruling-banner", "scoring-sheet", "seat-clocks", "summary-card"],
  review: ["viewer", "match-links", "clocks", "scores", "steps", "story"],
};
const STYLES = { play: ["player"], review: [] };

const modules = (mode) => Promise.all([...MODULES[mode].map((name) => import(`./${name}.mjs`)), ...STYLES[mode].map(styles)]);

async function look() {
  shown?.end();
  const { at, as, set } = fragment();
  const token = credential();
  place = at;
  words.notation = asksForNotation(set);
  const ending = new AbortController();
  const ask = service(token, document.documentElement.lang, ending.signal);
  shown = { token, held: heldBy(fragment()), as, end: () => ending.abort(), jump: () => {} };
  state("loading");
  modules(seemsToPlay(fragment()) ? "play" : "review");
  try {
    await show(ask, token, at, as, ending.signal);
  } catch (trouble) {
    if (ending.signal.aborted) return;
    if (!(trouble instanceof Refused)) throw trouble;
    if (typed !== null && trouble.status === 401) return forgetTyped();
    refused(trouble, token);
  }
}

/** A key that nobody has was typed in: what was looked at before is shown again, and says so. */
function forgetTyped() {
  typed = null;
  part("key-said").textContent = say("key_unknown");
  return look();
}

async function show(ask, token, at, as, signal) {
  const more = `${as === null ? "" : `&as=${as}`}${words.notation ? "&notation=log" : ""}`;
  const ofFrames = (query) => ask(`/matches/${match}/frames?${query}&limit=${PAGE}${more}`, { patient: waiting });
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
  const calls = callsOf({ seat: () => answer.viewer.seat, names, isPlaying: () => answer.status === "playing", send: sent, seq: () => table.last().seq });
  const rating = () => table.last()?.view?.outcome?.rating ?? null;
  const came = () => cameOut(answer, names, table.last(), rating() && tableSays(words, answer.game, `rating_${rating()}`), say);
  const sending = { play: (move) => played(move), ask: (move) => played(move, true) };
  let board = null;
  const table = await (plays ? playing() : reviewing());
  document.body.classList.toggle("playing", plays);
  signal.addEventListener("abort", () => { table.stop(); board?.stop(); desk?.end(); calls.end(); });
  shown.jump = table.jump ?? look;

  async function playing() {
    const [{ playerTable }] = await modules("play");
    return playerTable(host, {
      game: answer.game, title: answer.title, words, names, seat: answer.viewer.seat, ...sending, claim: () => claimed().catch((trouble) => signal.aborted || saysWhy(trouble)),
      settings: settingsOf(fragment().set, say, choose), review: () => { reviews = true; look(); }, call: calls.ask, status: () => answer.status,
      result: () => { const { result, about } = came(); return result.length > 0 || !isRunning() ? [...result, ...about] : []; },
    });
  }

  async function reviewing() {
    const [{ viewer }, { positionLinks }, { clocks }] = await modules("review");
    board = clocks(part("clocks"), words, claimed);
    const mayPlay = answer.viewer.seat !== null && as === null;
    return viewer(host, {
      game: answer.game, words, names, viewer: answer.as ?? answer.viewer.seat, line: lineAsked(), lined: rememberLine,
      ...(mayPlay ? sending : {}),
      playable: () => answer.status === "playing",
      links: (frame) => [...(mayPlay ? [backToTable()] : []), ...(desk === null ? [] : [desk.opener(frame)]), ...positionLinks(page, frame), notationButton()],
      stepped: ({ seq }, isLast) => settled && stepped(isLast && isRunning() ? null : seq),
    });
  }

  function stepped(at) {
    place = at;
    writeSoon({ at });
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
    calls.show(answer.desk);
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
      calls.show(next.desk);
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
    await follow({ ask, match, more: () => (answer.desk.calls ? "?calls=1" : ""), after: () => table.last().seq, catchUp, beginAgain: () => location.reload(), isRunning, waiting, signal });
    following = false;
    waiting(false);
  }

  /** Makes a move and tells whether it was made; a `dry` one is ruled on alone, so that a player hears why a card may not be played. */
  async function played(move, dry = false) {
    const seq = table.last().seq;
    try {
      await ask(`/v1/matches/${match}/moves`, { move, dry, seq, tries: MOST_TRIES, patient: waiting });
    } catch (trouble) {
      if (signal.aborted) return false;
      if (trouble.code === "stale-position") await catchUp();
      saysWhy(trouble);
      return false;
    }
    await catchUp();
    return !dry;
  }

  /** Says at the table why what was sent was not taken. */
  function saysWhy(trouble) {
    waiting(false);
    table.notice(...(trouble instanceof Refused ? reasons(trouble, { game: answer.game, words, names, say }) : [say("unsent")]));
    host.querySelector(".notice").scrollIntoView({ block: "nearest" });
  }

  /** Sends what is beside the game: a call for the referee, that it is closed, or a pause. */
  async function sent(path, body, seq) {
    try {
      await ask(`/v1/matches/${match}${path}`, { body, seq, tries: MOST_TRIES, patient: waiting });
    } catch (trouble) {
      if (!signal.aborted) saysWhy(trouble);
    }
    await catchUp();
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

/** Calls for the referee: for those alone who may know of them, and loaded when there are any, or one is to be made. */
function callsOf(facts) {
  let loading = null;
  let calls = null;
  let last = null;
  const loaded = () => (loading ??= Promise.all([import("./referee-call.mjs"), wordsOf("referee-call", new AbortController().signal), styles("referee-call")]).then(([{ refereeCalls }, said]) => {
    calls = refereeCalls(part("referee-calls"), { ...facts, seat: facts.seat(), say: (key, told) => sentence(said, key, told) });
    if (last !== null) calls.show(last);
  }));
  return {
    show(desk) {
      if (!desk.calls) return;
      last = desk;
      if (calls !== null) calls.show(desk);
      else if (desk.calls.length > 0) loaded();
    },
    ask: () => loaded().then(() => calls.ask()),
    end: () => calls?.end(),
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

/** Keeps the letters of a player's settings; where they ask for notation, or no more, all is told anew. */
function choose(set) {
  write({ set });
  if (asksForNotation(set) !== words.notation) look();
}

/** Shows cards and seats as the log of the match writes them, or no longer. */
function notationButton() {
  const others = (fragment().set ?? "").replace("n", "");
  return make("button", { type: "button", "aria-pressed": String(words.notation), onclick: () => choose((words.notation ? others : `${others}n`) || null) }, say("set_notation"));
}

/** Leads from what was played back to the own table. */
function backToTable() {
  return make("button", { type: "button", className: "first", onclick: () => { reviews = false; write({ at: null }); look(); } }, say("to_table"));
}

// ---- what goes wrong

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
  part("key-said").textContent = "";
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
