// A player's table: the hand at the bottom edge, the trick in the middle, the others as one strip, and over the hand the one
// sentence that says what to do. It is drawn from the same frames as the viewer of a match.

import { drawingOf, expanded, list, make, say as tableSays, text } from "./cards.mjs";
import { handAtEnd, partsOfTrick, reasonsOf, wonBy } from "./ended-trick.mjs";
import { ended } from "./frames.mjs";
import { frameQueue } from "./frame-queue.mjs";
import { handOf } from "./hand.mjs";
import { NOTHING, instruction } from "./instruction.mjs";
import { adjustments } from "./lines.mjs";
import { moveChoice } from "./move-choice.mjs";
import { opponentsStrip } from "./opponents.mjs";
import { playerDialog } from "./player-dialog.mjs";
import { rulingBanner } from "./ruling-banner.mjs";
import { scoringSheet } from "./scoring-sheet.mjs";
import { seatClocks } from "./seat-clocks.mjs";
import { placeOf, tableParts } from "./table.mjs";

/**
 * Puts a player's table into `host`. `play(move)` and `ask(move)` send a move, or ask why it is not allowed; `claim()` claims
 * that a time is up; `review()` goes to the viewer; `call()` calls the referee; `settings` are those of `settingsOf`; `status()` says how the match
 * stands; `result(frame)` gives how it came out, in sentences, the result first.
 */
export function playerTable(host, { game, title, words, names, seat, play, ask, claim, review, call, settings, status, result }) {
  const say = (key, facts) => tableSays({ table: { ...words, ...words.table, games: words.table.games } }, game, key, facts);
  const rules = words.table.games[game].rules ?? {};
  const about = { game, words, names, seat, say, rules };
  const queue = frameQueue({ game, words, table: { draw, trick: drawTrick, sheet: drawSheet, ruling: showRuling, gather: () => root.classList.add("gathers"), clear: clearOver, isRead: () => over.querySelector("details[open]") !== null } });
  const clock = seatClocks(words, names);
  const hand = handOf(game, words, say, pressed);
  const strip = opponentsStrip(say, { open: (one) => dialog.seat(partsNow(), one), clock: clock.face });
  const dialog = playerDialog(about, { settings, review });
  const choice = moveChoice({ game, words, say, isOneTap: settings.isOneTap, marked: () => root.querySelectorAll(".hand button, .move"), busy });
  const page = elements();
  const { centre, notice, over, own, root, round, spoken, time, trickButton } = page;
  let desk = null;
  let sentence = NOTHING;
  let wasMine = false;

  host.replaceChildren(root);
  const listening = new AbortController();
  document.addEventListener("keydown", keyed, { signal: listening.signal });
  const ticking = setInterval(tick, 250);

  /** What there is on the page. */
  function elements() {
    const button = (name, onclick) => make("button", { type: "button", className: name.replace("_", "-"), "aria-label": say(name), title: say(name), onclick }, name === "menu" ? "☰" : say(name));
    const found = {
      round: make("span", { className: "soft" }),
      centre: make("div", { className: "middle-of-table", tabIndex: 0, role: "group", "aria-label": say("table") }),
      over: make("div", { className: "over-table" }),
      own: make("div", { className: "own" }),
      spoken: make("p", { className: "instruction", role: "status" }),
      time: make("span", { className: "time", "aria-hidden": "true" }),
      notice: make("div", { className: "notice", role: "alert" }),
      trickButton: button("last_trick", () => dialog.lastTrick(queue.lastTrick())),
    };
    found.centre.addEventListener("click", (event) => { if (!event.target.closest("a, button, summary")) queue.goOn(); });
    found.root = make("div", { className: `table player ${text(game)}` },
      make("header", { className: "player-bar" }, make("div", { className: "which" }, make("h1", { title }, title), found.round),
        found.trickButton, button("summary", dialog.summary), make("button", { type: "button", className: "referee", "aria-label": say("call_referee"), title: say("call_referee"), onclick: call }, say("referee")), button("menu", () => dialog.menu(queue.at()?.view ? partsNow().history() : null))),
      strip.element,
      make("div", { className: "middle" }, found.over, found.centre),
      make("section", { className: "dock", "aria-label": say("your_cards") },
        found.notice, found.own,
        make("div", { className: "saying" }, make("div", { className: "said" }, found.spoken, found.time), choice.element),
        hand.element),
      dialog.element);
    return found;
  }

  function busy(is) {
    if (is) root.setAttribute("aria-busy", "true");
    else root.removeAttribute("aria-busy");
  }

  // ---- drawing

  const isPlaying = () => status() === "playing";

  const isOpen = () => queue.isThrough() && isPlaying() && queue.at().legal.length > 0;

  function partsNow(more = {}) {
    const { move, view } = queue.at();
    return tableParts(game, view, { names, viewer: seat, words, move, won: ended(words, game, queue.at(), "trick"), ...more });
  }

  function draw() {
    const { view, legal } = queue.at();
    if (view === null) return drawNothing();
    const mine = isOpen() ? legal : [];
    const parts = partsNow({ legal: mine, play: mine.length > 0 ? choose : null });
    sentence = sentenceNow(parts, mine);
    choice.keep(sentence.isMine ? expanded(mine) : []);
    lay(parts, [...parts.display(), ...parts.centre(), parts.moves()], view.table.hands?.[seat]);
    if (sentence.isMine && !wasMine && !document.hidden) settings.call();
    wasMine = sentence.isMine;
    showOutcome();
    choice.show();
    return tick();
  }

  function sentenceNow(parts, mine) {
    if (queue.at().view.outcome || status() === "finished") return NOTHING;
    return isPlaying() ? instruction(parts.at, seat, mine, say) : { ...NOTHING, text: say(`about_${status()}`) };
  }

  function drawNothing() {
    centre.replaceChildren(make("p", { className: "undealt" }, say("undealt")));
    write(spoken, say(`about_${status()}`));
  }

  /** Lays the parts where they belong; the hand is the last of them and stays where it is. */
  function lay(parts, middle, codes) {
    const { at } = parts;
    const { view } = at;
    root.dataset.seq = queue.at().seq;
    root.className = `table player seats-${at.seats.length} ${text(game)}`;
    round.textContent = view.outcome ? "" : [at.say("round", { round: text(view.round) }), at.say(`phase_${text(view.phase)}`)].join(" · ");
    trickButton.hidden = queue.lastTrick() === null;
    strip.show(parts, given());
    centre.replaceChildren(...middle.filter((one) => one !== null));
    own.replaceChildren(make("b", { className: "who" }, text(at.name(seat), 40)), make("span", { className: "score" }, score(at)), clock.face(seat) ?? "",
      ...parts.chips(seat).map((chip) => make("span", { className: "chip" }, chip)), ...parts.own(seat));
    const mine = (isOpen() ? expanded(queue.at().legal) : []).filter((move) => move.seat === seat && placeOf(at, move.type) === "hand");
    hand.show(list(codes), {
      name: at.say("hand", { name: at.name(seat), count: list(codes).length }), chosen: choice.key(), isTurn: mine.length > 0 || sentence.asksForHand,
      movesWith: (code) => mine.filter(({ card }) => card === code),
    });
    write(spoken, sentence.text);
    tick();
  }

  const given = () => adjustments(queue.all, queue.at().seq, names.length);

  function score({ view, say: tellsOf }) {
    const plain = view.scores?.[seat] ?? 0;
    const more = given()[seat];
    return `${minus(plain)}${more ? ` ${more > 0 ? "+" : "−"}${Math.abs(more)}` : ""} ${tellsOf("points", { count: plain })}`;
  }

  /** The trick that has ended as it lay, until it is acknowledged. */
  function drawTrick(trick) {
    const parts = partsOfTrick(about, trick);
    sentence = { ...NOTHING, text: wonBy(about, trick) };
    lay(parts, [...parts.display(), ...parts.centre(), reasonsOf(about, trick)], handAtEnd(about, trick));
    choice.offer(say("go_on"), queue.goOn);
  }

  /** The old table with the sheet of the round over it. */
  function drawSheet(sheet) {
    over.append(sheetOf(sheet));
    write(spoken, say("sheet", { round: text(sheet.event.round ?? "") }));
    time.textContent = "";
    choice.offer(say(sheet.frame.view.outcome ? "go_on" : "deal_on"), queue.goOn);
  }

  function sheetOf({ event, frame }) {
    const told = frame.told.filter(({ detail, rule }) => detail && rule);
    return scoringSheet({ game, event, told, scores: frame.view.scores, names, rules, say });
  }

  /** What it has stopped at is put away; the banner of a ruling stays until it is read. */
  function clearOver() {
    root.classList.remove("gathers");
    over.replaceChildren(...[...over.children].filter((one) => one.matches(".ruling-banner")));
  }

  /** How the match came out, before whatever else there is to say of it. */
  function showOutcome() {
    const [first, ...more] = result(queue.all.at(-1));
    if (first === undefined) return;
    over.replaceChildren(make("section", { className: "came", "aria-label": say("result_head") }, make("h2", {}, first), more.map((one) => make("p", {}, one)),
      queue.lastSheet() === null ? null : sheetOf(queue.lastSheet()), make("button", { type: "button", onclick: review }, say("review"))));
    write(spoken, first);
  }

  function showRuling(frame, before) {
    const undone = queue.all.filter(({ takenBackBy, type }) => takenBackBy === frame.seq && type === "move_played");
    const banner = rulingBanner({ game, words, frame, before, undone, adjusted: adjustments(queue.all, frame.seq, names.length), names, rules, say, close: () => banner.remove() });
    over.prepend(banner);
    write(spoken, frame.told[0]?.text ?? "");
  }

  // ---- choosing

  /** A card of the hand was pressed: it is selected, played, or asked about. */
  function pressed({ code, key, moves }) {
    queue.goOn();
    notice.replaceChildren();
    if (queue.isStopped()) return undefined;
    if (!isOpen() || !sentence.isMine) return notice.replaceChildren(make("p", {}, sentence.text || say("not_now")));
    if (moves.length > 0) return choice.take({ key, moves }, play);
    choice.drop();
    choice.show();
    const like = expanded(queue.at().legal).find(({ type }) => placeOf({ drawing: drawingOf(words, game) }, type) === "hand");
    if (like === undefined && !sentence.asksForHand) return notice.replaceChildren(make("p", {}, sentence.text));
    return choice.once(ask, { ...(like ?? { type: "play", seat }), seat, card: code });
  }

  /** A move that no card of the hand stands for was pressed. */
  function choose(move) {
    notice.replaceChildren();
    return choice.take({ key: JSON.stringify(move), moves: [move], isButton: true }, play);
  }

  function keyed({ key, target, ctrlKey, metaKey, altKey }) {
    if (key !== "Escape" || ctrlKey || metaKey || altKey || target.closest("dialog")) return;
    notice.replaceChildren();
    choice.drop();
    if (!queue.isStopped()) choice.show();
  }

  // ---- time

  function tick() {
    clock.tick();
    const [waitedFor, ...others] = sentence.waitsFor;
    time.textContent = sentence.isMine ? clock.text(seat) : waitedFor !== undefined && others.length === 0 ? clock.text(waitedFor) : "";
    offerClaim(clock.late());
  }

  /** Whoever may claim that a time is up is offered it, unless there is a move to make. */
  function offerClaim(late) {
    const isOffered = choice.offers("claim");
    const may = late.length > 0 && desk?.may.claim && !queue.isStopped() && choice.key() === null;
    if (isOffered && !may) choice.clear();
    if (isOffered || !may) return;
    choice.offer(say("claim"), claim, "claim");
    write(spoken, late.map((one) => say("time_up", { name: names[one] })).join(" "));
  }

  return {
    add: queue.add,
    last: () => queue.all.at(-1),
    at: queue.at,
    after: (seq) => queue.all.filter((frame) => frame.seq > seq),
    live: () => { if (queue.at() !== null && queue.isThrough()) draw(); },
    notice: (...content) => notice.replaceChildren(...content),
    time: (answer) => { desk = answer; clock.set(answer); },
    stop: () => { listening.abort(); clearInterval(ticking); queue.end(); },
  };
}

const minus = (points) => String(points).replace("-", "−");

function write(element, said) {
  if (element.textContent !== said) element.textContent = said;
}
