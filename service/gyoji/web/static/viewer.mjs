// The viewer of a match: its table, step by step, what happened, the scores, and what could have been played. All of it is
// in the frames that it is given; stepping asks nobody for anything.

import { make, text } from "./cards.mjs";
import { ended, sentence } from "./frames.mjs";
import { adjustments, goesBack, lineChoice, lineOf, takeBack, takenNote } from "./lines.mjs";
import { scoreChart } from "./scores.mjs";
import { controls, listenForKeys, listenForSwipes } from "./steps.mjs";
import { ruleLink } from "./rule-links.mjs";
import { story } from "./story.mjs";
import { drawTable, expanded, moveName } from "./table.mjs";

/** Events that came at once and are said aloud. */
const MOST_SPOKEN = 3;

/**
 * Puts a viewer into `host`, in place of what is there.
 *
 * @param {HTMLElement} host
 * @param {object} options
 * @param {string} options.game the slug
 * @param {object} options.words of the page: its members `viewer` and `table` are used
 * @param {string[]} options.names of the seats, by seat
 * @param {number | null} [options.viewer] the seat that sits at the bottom
 * @param {((move: object) => Promise<void>) | null} [options.play] plays a move; while its promise is open no other can be
 *   played. Without it nothing on the table can be pressed
 * @param {((move: object) => Promise<void>) | null} [options.ask] asks why a card of that seat may not be played
 * @param {(frame: object) => (Node | string)[]} [options.links] what stands under the table for a position
 * @param {(frame: object, isLast: boolean) => void} [options.stepped] is told of every step
 * @param {() => boolean} [options.playable] whether moves can be made now, where the match is live
 * @param {"played" | "ruled"} [options.line] which line is stepped through, where a referee has taken something back
 * @param {(line: string) => void} [options.lined] is told when another line is chosen
 * @returns {{add: (frames: object[], begin?: number) => void, go: (index: number) => void, jump: (seq: number) => void, last: () => object | undefined,
 *   at: () => object | undefined, after: (seq: number) => object[], live: (is: boolean) => void, notice: (...content: (Node | string)[]) => void,
 *   flag: (seq: number) => void, stop: () => void}}
 *   `add` appends frames; whoever looks at the last one, goes on to the new last one while the match is `live`; the first
 *   time `begin` says which of them is shown. `last` is the last of all, `after` are all that follow an event, also where
 *   they were taken back. `jump`
 *   goes to the event with that number, or the last before it. `notice` says something at the table until the next
 *   step. `flag` marks an event as the one where a log breaks. `stop` ends the playing by itself and the listening.
 */
export function viewer(host, { game, words, names, viewer: seat = null, play = null, ask = null, links = () => [], stepped = () => {}, playable = () => true, line = "played", lined = () => {} }) {
  const say = (key, facts) => sentence(words.viewer, key, facts);
  const played = [];
  let all = [];
  let index = -1;
  let live = false;
  let busy = false;
  let broken = null;

  const stage = make("div", { className: "stage", tabIndex: -1, role: "group", "aria-label": say("table") });
  const caption = make("div", { className: "caption" });
  const notice = make("div", { className: "notice", role: "alert" });
  const under = make("div", { className: "links" });
  const speech = make("p", { className: "unseen", "aria-live": "polite" });
  const possible = possibleMoves(game, words, names, say);
  const events = story(game, say("events"), step, (frame) => takenNote(frame, say));
  const chart = scoreChart(names, say, step);
  const choice = lineChoice(say, choose);
  const steer = controls(say, { go, index: () => index, last: () => all.length - 1, landmark: (from, way) => landmark(all, from, way) });

  host.replaceChildren(make("div", { className: "viewer" },
    make("section", { className: "at-table" }, choice.element, steer.element, caption, stage, notice, possible.element, under),
    make("div", { className: "beside" },
      make("section", {}, make("h2", {}, say("scores")), chart.element),
      make("section", {}, make("h2", {}, say("events")), events.element)),
    speech));
  const listening = new AbortController();
  listenForKeys(host, steer.key, listening.signal);
  listenForSwipes(stage, (by) => step(index + by));

  function add(frames, begin = frames.length - 1) {
    if (frames.length === 0) return;
    const follows = index === all.length - 1;
    const wasAt = all[index]?.seq ?? frames[begin].seq;
    played.push(...frames);
    takeBack(played, frames);
    if (frames.some(goesBack) || line === "ruled") layOut(index < 0 ? null : wasAt);
    else lay(frames);
    choice.show(line, played);
    if (index < 0) jump(wasAt);
    else if (live && follows) follow(frames);
    else show();
  }

  /** Lays the line out anew, standing at the same event or at the last in force before it. */
  function layOut(at) {
    all = [];
    events.clear();
    chart.clear();
    lay(lineOf(played, line));
    flag(broken);
    index = -1;
    if (at !== null) jump(at);
  }

  function lay(frames) {
    all.push(...frames);
    events.add(frames);
    chart.add(frames);
  }

  function choose(which) {
    if (which === line) return;
    steer.stop();
    line = which;
    layOut(all[index].seq);
    choice.show(line, played);
    lined(line);
  }

  function follow(frames) {
    go(all.length - 1);
    tell(frames.slice(-MOST_SPOKEN));
  }

  function go(to) {
    const goal = Math.min(Math.max(to, 0), all.length - 1);
    if (goal === index || goal < 0) return;
    index = goal;
    notice.replaceChildren();
    draw();
    show();
    if (document.activeElement?.type !== "range") tell([all[index]]);
  }

  /** A step that somebody made by hand ends the playing by itself. */
  function step(to) {
    steer.stop();
    go(to);
  }

  function draw() {
    const { view, legal } = all[index];
    const focused = stage.contains(document.activeElement) ? document.activeElement : null;
    const mayPlay = play && live && playable() && index === all.length - 1 && legal.length > 0;
    stage.replaceChildren(view === null ? make("p", { className: "undealt" }, say("undealt")) : drawTable(game, view, {
      names, viewer: seat, words, legal: seat === null ? [] : legal.filter((move) => move.seat === seat), play: mayPlay ? (move) => once(play, move) : null, ask: mayPlay && ask ? (move) => once(ask, move) : null,
      previous: all[index - 1]?.view ?? null, move: all[index].move, won: ended(words, game, all[index], "trick"),
    }));
    if (focused) focusAgain(stage, focused);
  }

  function show() {
    const frame = all[index];
    const isLast = index === all.length - 1;
    caption.replaceChildren(...captionOf(game, frame, say));
    steer.show({ seq: frame.seq, lastSeq: played.at(-1).seq, told: frame.told[0]?.text ?? "", stale: live && !isLast });
    events.show(index);
    chart.show(index, adjustments(played, frame.seq, names.length));
    possible.show(frame);
    under.replaceChildren(...links(frame));
    stepped(frame, isLast);
  }

  function tell(frames) {
    speech.textContent = frames.flatMap(({ told }) => told.filter(({ detail }) => !detail)).map((one) => one.text).join(" ");
  }

  /** Plays a move, or asks about it; while that is open nothing else is sent. */
  async function once(send, move) {
    if (busy) return;
    busy = true;
    stage.setAttribute("aria-busy", "true");
    try {
      await send(move);
    } finally {
      stage.removeAttribute("aria-busy");
      busy = false;
    }
  }

  function flag(seq) {
    broken = seq;
    events.flag(all.findIndex((frame) => frame.seq === seq));
  }

  function jump(seq) {
    go(Math.max(all.findLastIndex((frame) => frame.seq <= seq), 0));
  }

  return {
    add, go, jump,
    last: () => played.at(-1),
    at: () => all[index],
    after: (seq) => played.filter((frame) => frame.seq > seq),
    live: (is) => {
      if (is === live) return;
      live = is;
      if (index < 0) return;
      draw();
      show();
    },
    notice: (...content) => notice.replaceChildren(...content),
    flag,
    stop: () => { steer.stop(); listening.abort(); },
  };
}

/** Where the next round or trick begins, or the play pile was cleared; the ends otherwise. */
function landmark(all, from, way) {
  for (let index = from + way; index > 0 && index < all.length; index += way) {
    if (begins(all[index - 1].view, all[index].view)) return index;
  }
  return way < 0 ? 0 : all.length - 1;
}

function begins(before, after) {
  if (!before || !after) return before !== after;
  const emptied = (name) => before.table?.[name]?.length > 0 && after.table?.[name]?.length === 0;
  return before.round !== after.round || emptied("trick") || emptied("pile");
}

const MOST_CAPTION = 5;

/** What happened at this step, over the table; a deal or a long account of scores stands in the list of events. */
function captionOf(game, frame, say) {
  const { told, seq, at } = frame;
  const lines = told.filter(({ detail }) => !detail).slice(0, MOST_CAPTION);
  const rules = [...new Set(lines.map(({ rule }) => rule).filter(Boolean))];
  return [
    make("p", {}, make("span", { className: "soft" }, say("event", { seq }), " · ", make("time", { dateTime: at }, timeOf(at))), make("br"),
      lines.map((one) => text(one.text, 300)).join(" ")),
    ...rules.map((rule) => ruleLink(game, rule)),
    takenNote(frame, say),
  ].filter(Boolean);
}

/** A time as the reader's browser writes times in the language of the page: en-GB and en-US differ. */
function timeOf(at) {
  const time = new Date(at);
  const { lang } = document.documentElement;
  const spoken = navigator.languages.find((one) => one.startsWith(lang)) ?? lang;
  return Number.isNaN(time.getTime()) ? text(at) : time.toLocaleString(spoken, { dateStyle: "short", timeStyle: "medium" });
}

/** What each seat could play at a step, as far as whoever looks may know it. */
function possibleMoves(game, words, names, say) {
  const list = make("div", {});
  const element = make("details", { className: "possible", open: matchMedia("(min-width: 60rem)").matches }, make("summary", {}, say("possible")), list);

  function show({ legal, view }) {
    const moves = expanded(legal);
    const seats = [...new Set([...moves.map((move) => move.seat), ...(view?.to_act ?? [])])].sort((one, other) => one - other);
    list.replaceChildren(seats.length === 0 ? make("p", { className: "soft" }, say("possible_nothing"))
      : make("dl", {}, seats.flatMap((seat) => ofSeat(names[seat], moves.filter((move) => move.seat === seat)))));
  }

  function ofSeat(name, own) {
    return [make("dt", {}, name), make("dd", {}, own.length === 0 ? make("span", { className: "soft" }, say("possible_unknown"))
      : make("ul", {}, own.map((move) => make("li", {}, moveName(game, move, words)))))];
  }

  return { element, show };
}

/** The focus stays with the same move or pile where that is still there, else goes to the first move, else to the table. */
function focusAgain(stage, focused) {
  const same = [...stage.querySelectorAll("[data-key]")].find((one) => one.dataset.key === focused.dataset.key);
  (same ?? stage.querySelector("button") ?? stage).focus({ preventScroll: true });
}
