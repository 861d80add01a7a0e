// A player's table: the hand at the bottom edge, the trick in the middle, the others as one strip, and over the hand the one
// sentence that says what to do. It is drawn from the same frames as the viewer of a match.

import { drawingOf, expanded, list, make, moveName, say as tableSays, shapeOf, sign, text } from "./cards.mjs";
import { ended } from "./frames.mjs";
import { handOf } from "./hand.mjs";
import { instruction } from "./instruction.mjs";
import { adjustments, takeBack } from "./lines.mjs";
import { opponentsStrip } from "./opponents.mjs";
import { seatClocks } from "./seat-clocks.mjs";
import { rulingBanner } from "./ruling-banner.mjs";
import { scoringSheet } from "./scoring-sheet.mjs";
import { ruleLink } from "./rule-links.mjs";
import { summaryCard } from "./summary-card.mjs";
import { endedTrick, placeOf, tableParts } from "./table.mjs";

/** Milliseconds for which a finished trick, and the sheet of a round, stay unless they are acknowledged. */
const TRICK_STAYS = 2000;
const SHEET_STAYS = 10000;
/** Milliseconds for which cards go to whoever has won them. */
const GATHERS = 250;
/** Frames that came together, as after a pause of the network: the table does not stop at each. */
const LATE = 12;

/**
 * Puts a player's table into `host`. `play(move)` and `ask(move)` send a move, or ask why it is not allowed; `claim()` claims
 * that a time is up; `review()` goes to the viewer; `settings` are those of `settingsOf`; `status()` says how the match
 * stands; `result(frame)` gives how it came out, in sentences, the result first.
 */
export function playerTable(host, { game, title, words, names, seat, play, ask, claim, review, settings, status, result }) {
  const say = (key, facts) => tableSays({ table: { ...words, ...words.table, games: words.table.games } }, game, key, facts);
  const rules = words.table.games[game].rules ?? {};
  const frames = [];
  let waiting = [];
  let shown = null;
  let before = null;
  let stage = null;
  let chosen = null;
  let busy = false;
  let desk = null;
  let wasMine = false;
  let lastTrick = null;
  let lastSheet = null;
  let sentence = { text: "", isMine: false, waitsFor: [] };

  // ---- what there is on the page

  const round = make("span", { className: "soft" });
  const clock = seatClocks(words, names);
  const hand = handOf(game, words, say, pressed);
  const strip = opponentsStrip(say, { open: lookAt, clock: clock.face });
  const centre = make("div", { className: "middle-of-table", tabIndex: 0, role: "group", "aria-label": say("table") });
  const over = make("div", { className: "over-table" });
  const own = make("div", { className: "own" });
  const spoken = make("p", { className: "instruction", role: "status" });
  const time = make("span", { className: "time", "aria-hidden": "true" });
  const notice = make("div", { className: "notice", role: "alert" });
  const actions = make("div", { className: "actions" });
  const dialog = make("dialog", { className: "player-dialog", onclose: () => dialog.replaceChildren() });
  const trickButton = make("button", { type: "button", className: "last-trick", onclick: showLastTrick }, say("last_trick"));
  host.replaceChildren(make("div", { className: `table player ${text(game)}` },
    make("header", { className: "player-bar" }, make("div", { className: "which" }, make("h1", { title }, title), round),
      trickButton,
      make("button", { type: "button", onclick: () => openDialog(say("summary"), summaryCard(game, words, say)) }, say("summary")),
      make("button", { type: "button", "aria-label": say("menu"), title: say("menu"), onclick: showMenu }, "☰")),
    strip.element,
    make("div", { className: "middle" }, over, centre),
    make("section", { className: "dock", "aria-label": say("your_cards") },
      notice, own,
      make("div", { className: "saying" }, make("div", { className: "said" }, spoken, time), actions),
      hand.element),
    dialog));
  const root = host.firstElementChild;
  const listening = new AbortController();
  document.addEventListener("keydown", keyed, { signal: listening.signal });
  centre.addEventListener("click", (event) => { if (stage !== null && !event.target.closest("a, button, summary")) goOn(); });
  const ticking = setInterval(tick, 250);

  // ---- frames, one after the other

  function add(added) {
    frames.push(...added);
    takeBack(frames, added);
    if (shown === null) {
      for (const [place, frame] of added.entries()) remember(added[place - 1] ?? null, frame);
      shown = added.at(-1);
      before = added.at(-2) ?? null;
      return draw();
    }
    waiting.push(...added);
    return stage === null ? advance() : undefined;
  }

  /** Shows what has come, and stops where a trick or a round has ended. */
  function advance() {
    const isLate = waiting.length > LATE;
    while (waiting.length > 0 && stage === null) {
      before = shown;
      shown = waiting.shift();
      const trick = remember(before, shown);
      if (shown.ruling !== null) showRuling(shown, before);
      if (trick !== null && !isLate) return stop(() => drawTrick(trick), TRICK_STAYS, afterTrick);
      if (ended(words, game, shown, "round") !== null && !isLate) return stop(drawSheet, SHEET_STAYS);
    }
    return draw();
  }

  /** Keeps the trick and the sheet that a frame has ended; gives the trick, or null. */
  function remember(previous, frame) {
    const options = { previous: previous?.view ?? null, move: frame.move, words };
    const plays = frame.type === "move_played" ? endedTrick(game, frame.view, options) : null;
    if (plays !== null) lastTrick = { plays, view: previous.view, frame, won: ended(words, game, frame, "trick") };
    const event = ended(words, game, frame, "round");
    if (event !== null) lastSheet = { event, frame };
    trickButton.hidden = lastTrick === null;
    return plays === null ? null : lastTrick;
  }

  function stop(show, milliseconds, then = null) {
    stage = { then, timer: setTimeout(goOn, milliseconds) };
    show();
  }

  /** Goes on from where the table has stopped. */
  function goOn() {
    const { then, timer } = stage ?? {};
    clearTimeout(timer);
    stage = null;
    over.replaceChildren(...[...over.children].filter((one) => one.matches(".ruling-banner")));
    if (then) then();
    else advance();
  }

  /** The cards go to whoever has won them, then the sheet of the round is shown, or the table goes on. */
  function afterTrick() {
    const hasEnded = ended(words, game, shown, "round") !== null;
    if (hasEnded) return stop(drawSheet, SHEET_STAYS);
    root.classList.add("gathers");
    stage = { then: () => { root.classList.remove("gathers"); advance(); }, timer: setTimeout(goOn, GATHERS) };
    return undefined;
  }

  // ---- drawing

  const optionsNow = () => ({ names, viewer: seat, words, previous: before?.view ?? null, move: shown.move, won: ended(words, game, shown, "trick") });

  function isOpen() {
    return stage === null && status() === "playing" && waiting.length === 0 && shown.legal.length > 0;
  }

  function draw() {
    const { view, legal } = shown;
    root.classList.remove("gathers");
    if (view === null) return drawNothing();
    const mine = isOpen() ? legal : [];
    const parts = tableParts(game, view, { ...optionsNow(), legal: mine, play: mine.length > 0 ? choose : null, previous: null });
    sentence = status() === "playing" ? instruction(parts.at, seat, mine, say) : { text: statusNow(), isMine: false, waitsFor: [] };
    if (view.outcome || status() === "finished") sentence = { text: "", isMine: false, waitsFor: [] };
    lay(parts, [...parts.display(), ...parts.centre(), parts.moves()], view.table.hands?.[seat]);
    if (!sentence.isMine) chosen = null;
    if (sentence.isMine && !wasMine && !document.hidden) settings.call();
    wasMine = sentence.isMine;
    showOutcome();
    showChosen();
    return undefined;
  }

  const statusNow = () => say(`about_${status()}`);

  function drawNothing() {
    centre.replaceChildren(make("p", { className: "undealt" }, say("undealt")));
    write(spoken, statusNow());
  }

  /** Lays the parts where they belong; the hand is the last of them and stays where it is. */
  function lay(parts, middle, codes) {
    const { at } = parts;
    const { view } = at;
    root.dataset.seq = shown.seq;
    root.className = `table player seats-${at.seats.length} ${text(game)}`;
    round.textContent = view.outcome ? "" : [at.say("round", { round: text(view.round) }), at.say(`phase_${text(view.phase)}`)].join(" · ");
    strip.show(parts, given());
    centre.replaceChildren(...middle.filter((one) => one !== null));
    own.replaceChildren(make("b", { className: "who" }, text(at.name(seat), 40)), make("span", { className: "score" }, score(view, at)), clock.face(seat) ?? "",
      ...parts.chips(seat).map((chip) => make("span", { className: "chip" }, chip)), ...parts.own(seat));
    const mine = isOpen() ? expanded(shown.legal) : [];
    hand.show(list(codes), {
      name: at.say("hand", { name: at.name(seat), count: list(codes).length }), chosen: chosen?.key ?? null, isTurn: mine.some((move) => placeOf(at, move.type) === "hand"),
      movesWith: (code) => mine.filter((move) => move.seat === seat && placeOf(at, move.type) === "hand" && move.card === code),
    });
    write(spoken, sentence.text);
    tick();
  }

  const given = () => adjustments(frames, shown.seq, names.length);

  function score(view, at) {
    const points = given()[seat];
    const plain = String(view.scores?.[seat] ?? 0).replace("-", "−");
    return `${plain}${points ? ` ${points > 0 ? "+" : "−"}${Math.abs(points)}` : ""} ${at.say("points", { count: view.scores?.[seat] })}`;
  }

  /** The trick that has ended as it lay, its winner crowned, and why, until it is acknowledged. */
  function drawTrick({ plays, view, frame, won }) {
    const parts = tableParts(game, { ...view, to_act: [], table: { ...view.table, trick: plays } }, { names, viewer: seat, words, won, stands: true });
    const isSame = frame.view.round === view.round || drawingOf(words, game).layout.dealt_once;
    const hands = list(isSame ? frame.view.table.hands?.[seat] : view.table.hands?.[seat]).filter((code, place, all) => isSame || frame.move?.seat !== seat || place !== all.indexOf(frame.move.card));
    sentence = { text: wonBy(won, frame), isMine: false, waitsFor: [] };
    lay(parts, [...parts.display(), ...parts.centre(), reasons(frame)], hands);
    showContinue(say("go_on"));
  }

  const wonBy = (won, frame) => (won === null ? frame.told.filter(({ detail }) => !detail).map((one) => one.text).at(-1) ?? "" : say("trick_won", { name: names[won.seat] }));

  /** What happened as the trick ended, each with its rule. */
  function reasons({ told }) {
    return make("ul", { className: "reasons" }, told.filter(({ detail }) => !detail).slice(0, 6).map(({ text: said, rule }) =>
      make("li", {}, said, rule ? [" ", rules[rule] ? make("i", {}, rules[rule]) : "", ruleLink(game, rule)] : null)));
  }

  /** The old table with the sheet of the round over it. */
  function drawSheet() {
    over.append(sheetOf(lastSheet));
    write(spoken, say("sheet", { round: text(lastSheet.event.round ?? "") }));
    time.textContent = "";
    showContinue(say("deal_on"));
  }

  function sheetOf({ event, frame }) {
    const told = frame.told.filter(({ detail, rule }) => detail && rule);
    return scoringSheet({ game, event, told, scores: frame.view.scores, names, rules, say });
  }

  /** How the match came out, before whatever else there is to say of it. */
  function showOutcome() {
    const sentences = result(frames.at(-1));
    if (sentences.length === 0) return;
    const [first, ...more] = sentences;
    over.replaceChildren(make("section", { className: "came", "aria-label": say("result_head") }, make("h2", {}, first), more.map((one) => make("p", {}, one)), lastSheet === null ? null : sheetOf(lastSheet),
      make("button", { type: "button", onclick: review }, say("review"))));
    write(spoken, first);
  }

  // ---- rulings

  function showRuling(frame, previous) {
    const undone = frames.filter(({ takenBackBy, type }) => takenBackBy === frame.seq && type === "move_played");
    const banner = rulingBanner({ game, words, frame, before: previous, undone, adjusted: adjustments(frames, frame.seq, names.length), names, rules, say, close: () => banner.remove() });
    over.prepend(banner);
    write(spoken, frame.told[0]?.text ?? "");
  }

  // ---- choosing and playing

  /** A card of the hand was pressed. */
  function pressed({ code, key, moves }) {
    if (stage !== null) goOn();
    notice.replaceChildren();
    if (!isOpen() || !sentence.isMine) return say1(sentence.text || say("not_now"));
    if (moves.length === 0) {
      chosen = null;
      showChosen();
      const like = expanded(shown.legal).find(({ type }) => placeOf({ drawing: drawingOf(words, game) }, type) === "hand");
      return once(ask, { ...(like ?? { type: "play", seat }), seat, card: code });
    }
    if (moves.length === 1 && (settings.isOneTap() || chosen?.key === key)) return once(play, moves[0]);
    chosen = chosen?.key === key ? null : { key, moves };
    return showChosen();
  }

  const say1 = (said) => notice.replaceChildren(make("p", {}, said));

  /** A move that no card of the hand stands for was pressed. */
  function choose(move) {
    notice.replaceChildren();
    const key = JSON.stringify(move);
    if (settings.isOneTap() || chosen?.key === key) return once(play, move);
    chosen = { key, moves: [move], isButton: true };
    return showChosen();
  }

  function showChosen() {
    for (const one of root.querySelectorAll("[data-key]")) if (one.matches(".hand button, .move")) one.setAttribute("aria-pressed", String(one.dataset.key === chosen?.key));
    const label = (move) => (chosen.isButton ? say("confirm", { move: moveName(game, move, words) }) : moveName(game, move, words));
    actions.replaceChildren(...(chosen === null ? [] : chosen.moves.map((move) =>
      make("button", { type: "button", className: "first", onclick: () => once(play, move) }, signsOf(move), label(move)))));
  }

  const signsOf = (move) => Object.values(move).map((word) => shapeOf(words, game, word)).filter((shape) => shape !== null).map((shape) => sign(words, game, shape));

  function showContinue(label) {
    actions.replaceChildren(make("button", { type: "button", className: "first", onclick: goOn }, label));
  }

  async function once(send, move) {
    if (busy) return;
    busy = true;
    root.setAttribute("aria-busy", "true");
    try {
      await send(move);
    } finally {
      busy = false;
      root.removeAttribute("aria-busy");
    }
  }

  function keyed({ key, target, ctrlKey, metaKey, altKey }) {
    if (key !== "Escape" || ctrlKey || metaKey || altKey || target.closest("dialog")) return;
    chosen = null;
    notice.replaceChildren();
    if (stage === null) showChosen();
  }

  // ---- time

  function tick() {
    clock.tick();
    const late = clock.late();
    time.textContent = stage === null && sentence.waitsFor.length === 1 ? clock.text(sentence.waitsFor[0]) : sentence.isMine ? clock.text(seat) : "";
    const isAsked = actions.querySelector(".claim") !== null;
    if (late.length > 0 && desk?.may.claim && stage === null && chosen === null) {
      if (!isAsked) actions.replaceChildren(make("button", { type: "button", className: "claim", onclick: claim }, say("claim")));
      write(spoken, late.map((one) => say("time_up", { name: names[one] })).join(" "));
    } else if (isAsked) actions.replaceChildren();
  }

  // ---- dialogs

  function openDialog(head, ...content) {
    dialog.setAttribute("aria-label", head);
    dialog.replaceChildren(make("h2", {}, head), ...content.flat().filter((one) => one !== null), make("button", { type: "button", className: "first close", onclick: () => dialog.close() }, say("close")));
    dialog.showModal();
  }

  function lookAt(one) {
    const parts = tableParts(game, shown.view, { ...optionsNow(), previous: null });
    openDialog(names[one], make("div", { className: "table" }, parts.seat(one)));
  }

  function showLastTrick() {
    const { plays, view, frame, won } = lastTrick;
    const parts = tableParts(game, { ...view, to_act: [], table: { ...view.table, trick: plays } }, { names, viewer: seat, words, won, stands: true });
    openDialog(say("last_trick"), make("div", { className: `table seats-${parts.at.seats.length}` }, parts.centre(), reasons(frame)));
  }

  function showMenu() {
    const others = [...document.querySelectorAll(".languages a")].map((link) => make("a", { className: "button", href: "#", lang: link.lang, onclick: (event) => { event.preventDefault(); link.click(); } }, link.textContent));
    const history = shown?.view ? tableParts(game, shown.view, { ...optionsNow(), previous: null }).history() : null;
    openDialog(say("menu"),
      make("div", { className: "row" }, make("button", { type: "button", onclick: () => { dialog.close(); review(); } }, say("review")), others),
      settings.element, history === null ? null : make("div", { className: "table" }, history));
  }

  return {
    add,
    last: () => frames.at(-1),
    at: () => shown,
    after: (seq) => frames.filter((frame) => frame.seq > seq),
    live: () => { if (shown !== null && stage === null && waiting.length === 0) draw(); },
    notice: (...content) => notice.replaceChildren(...content),
    time: (answer) => { desk = answer; clock.set(answer); },
    stop: () => { listening.abort(); clearInterval(ticking); clearTimeout(stage?.timer); },
  };
}

function write(element, said) {
  if (element.textContent !== said) element.textContent = said;
}
