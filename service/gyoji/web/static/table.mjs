// The tables of the games, drawn from a view of the match, each as its `drawing.toml` lays it out. Nothing here knows the
// rules: what may be played comes in as legal moves, and what a view does not say is not shown.

import { card, cardName, draw, drawCard, drawingOf, expanded, list, make, moveName, say, shapeOf, sign, size, task, text } from "./cards.mjs";

export { cardName, drawCard, expanded, moveName };

// ---- moves

const PLAYED = { play: { place: "hand" } };

/** Where on the table what a move of that type is about lies: "hand" or a member of the table; null: it is a button. */
export const placeOf = ({ drawing }, type) => ({ ...PLAYED, ...drawing.moves })[type]?.place ?? null;

/** The moves that are about one thing that lies at a place. */
const movesAt = (at, place, seat, what) =>
  at.legal.filter((move) => placeOf(at, move.type) === place && move.seat === seat && Object.entries(move).some(([name, value]) => name !== "type" && value === what));

function moveButton(at, move, ...content) {
  const name = moveName(at.game, move, at.words);
  return make("button", {
    type: "button", className: "move", "aria-label": name, title: name, "data-key": JSON.stringify(move), onclick: () => at.play(move),
  }, content);
}

/** The shapes that stand for words in a move. */
const signs = (at, move) => Object.values(move).map((word) => shapeOf(at.words, at.game, word)).filter((shape) => shape !== null).map((shape) => sign(at.words, at.game, shape));

/** A card that may not be played now, as a button that asks why: for a move like those that could be made. */
function askButton(at, code, seat, options) {
  const move = { ...(at.legal.find(({ type }) => placeOf(at, type) === "hand") ?? { type: "play" }), seat, card: code };
  const name = at.say("ask_why", { card: cardName(at.game, code, at.words) });
  return make("button", { type: "button", className: "ask", "aria-label": name, title: name, "data-key": JSON.stringify(move), onclick: () => at.ask(move) },
    drawCard(at.game, code, at.words, options));
}

// ---- cards lying together

/** Which of the things now were not there before: their places in `now`. */
function fresh(before, now) {
  if (!Array.isArray(before)) return new Set();
  const old = before.map((thing) => JSON.stringify(thing));
  return new Set(list(now).flatMap((thing, place) => {
    const found = old.indexOf(JSON.stringify(thing));
    if (found >= 0) old.splice(found, 1);
    return found >= 0 ? [] : [place];
  }));
}

/** One card on the table: marked if it may be played, a button if the caller can play it, or ask why not. */
function lying(at, code, { place, seat, ...options } = {}) {
  const moves = place ? movesAt(at, place, seat, code) : [];
  if (moves.length === 0 && at.ask && place === "hand" && seat === at.bottom) return make("li", {}, askButton(at, code, seat, options));
  if (moves.length === 0) return make("li", {}, drawCard(at.game, code, at.words, options));
  if (!at.play) return make("li", { className: "playable" }, drawCard(at.game, code, at.words, options));
  const picture = drawCard(at.game, code, at.words, options);
  if (moves.length === 1) return make("li", { className: "playable" }, moveButton(at, moves[0], picture));
  const choices = moves.map((move) => moveButton(at, move, ...(signs(at, move).length > 0 ? signs(at, move) : [text(move.type)])));
  return make("li", { className: "playable choices" }, picture, make("div", {}, choices));
}

/** Cards face up in their order: as a fan, or spread out (`spread`) where they are to be pressed. */
function cards(at, codes, name, { before, spread, ...options } = {}) {
  const news = fresh(before, codes);
  const items = list(codes).map((code, place) => lying(at, code, { ...options, fresh: news.has(place) }));
  const open = spread || items.some((item) => item.querySelector("button"));
  return make("ul", { className: open ? "spread" : "fan", "aria-label": name }, items);
}

const MOST_BACKS = 10;

function backs(at, count, name, grew) {
  const items = Array.from({ length: Math.min(count, MOST_BACKS) }, () => make("li", {}, drawCard(at.game, "", at.words, { faceDown: true, small: true })));
  for (const item of items) item.firstChild.setAttribute("aria-hidden", "true");
  return make("div", { className: "backs", role: "img", "aria-label": name }, make("ul", { role: "presentation" }, items), make("b", { className: grew ? "fresh" : "" }, String(count)));
}

/** What has been opened to look through stays open while the match is stepped through. */
const opened = new Set();

function details(key, className, summary, ...content) {
  const element = make("details", { className, open: opened.has(key) }, make("summary", { "data-key": key }, summary), content);
  element.addEventListener("toggle", () => (element.open ? opened.add(key) : opened.delete(key)));
  return element;
}

/** A pile by its name and count: its top card if that lies open, and all of it to look through if it is known. */
function pile(at, key, contents, { top, look = (known, name) => cards(at, known, name) } = {}) {
  const count = size(contents);
  const name = at.say(key);
  const picture = count === 0 ? make("span", { className: "slot" })
    : drawCard(at.game, top ?? "", at.words, { small: true, faceDown: top === undefined });
  const stack = [make("span", { className: "stack" }, picture, make("b", {}, String(count))), make("span", { className: "label" }, name)];
  if (list(contents).length === 0) return make("div", { className: "pile" }, stack);
  return details(`${at.game} ${key}`, "pile", stack, look(contents, name));
}

const row = (...all) => make("div", { className: "piles" }, all);
const chip = (className, ...content) => make("span", { className: `chip ${className}` }, content);
const fact = (name, value, isFresh) => make("p", { className: isFresh ? "fact fresh" : "fact" }, make("span", { className: "label" }, name), " ", value);
const minus = (points) => text(points ?? "", 12).replace("-", "−");
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const number = (code) => Number(/\d+$/.exec(text(code))?.[0] ?? 0);

// ---- seats

function handOf(at, seat) {
  const hand = at.table.hands?.[seat];
  const count = size(hand);
  const name = at.say("hand", { name: at.name(seat), count });
  if (count === 0) return make("p", { className: "label" }, at.say("no_cards"));
  const before = at.sameDeal ? at.before.table.hands?.[seat] : undefined;
  if (!Array.isArray(hand)) return backs(at, count, name, before !== undefined && size(before) < count);
  return cards(at, hand, name, { before, place: "hand", seat, spread: seat === at.bottom });
}

function seatOf(at, seat, place) {
  const turn = list(at.view.to_act).includes(seat);
  const won = list(at.view.outcome?.winners).includes(seat);
  const name = at.name(seat);
  return make("section", { className: `seat place-${place}${turn ? " turn" : ""}`, "aria-label": name },
    make("header", {},
      at.number(seat) === null ? null : make("span", { className: "number" }, at.number(seat)),
      make("h2", {}, text(name, 40)),
      turn ? chip("acts", at.say("to_act")) : null,
      won ? chip("won", at.say("won")) : null,
      chipsOf(at, seat).map((key) => chip("", at.say(key))),
      scoreOf(at, seat)),
    handOf(at, seat),
    list(at.layout.seat).map((part) => SEAT_PARTS[part.part]?.(at, part, seat)));
}

/** What marks the seat out at this moment. */
function chipsOf(at, seat) {
  const { leader, leader_where_empty: pile, marks } = at.layout;
  const leads = !at.view.outcome && (pile === undefined || at.table[pile]?.length === 0) && at.table[leader] === seat;
  return [...(leads ? ["leads"] : []), ...list(marks).filter(({ of }) => at.table[of] === seat).map(({ label }) => label)];
}

function scoreOf(at, seat) {
  const score = at.view.scores?.[seat];
  const changed = at.before && at.before.scores?.[seat] !== score;
  return make("span", { className: changed ? "score fresh" : "score" },
    make("b", {}, minus(score)), " ", make("span", { className: "label" }, at.say("points", { count: score })));
}

// ---- the trick

/** The trick on the table; where the last card has just ended it, the trick that it ended. */
function trickOf(at) {
  const now = list(at.table.trick);
  if (at.stands) return { plays: now, over: true };
  const before = list(at.before?.table.trick);
  if (now.length > 0 || before.length === 0) return { plays: now, over: false };
  return { plays: [...before, { seat: list(at.before.to_act)[0], card: lastCard(at) }], over: true };
}

/** The card that ended the trick: of the move if we are told it, else the one that has left a hand that we see. */
function lastCard(at) {
  if (at.move?.type === "play") return at.move.card;
  const seat = list(at.before.to_act)[0];
  const hand = list(at.before.table.hands?.[seat]);
  const gone = at.sameDeal ? [...fresh(at.table.hands?.[seat], hand)] : [...hand.keys()];
  return gone.length === 1 ? hand[gone[0]] : null;
}

/** The trick in order of play, each card before its seat, with what lies in the middle. */
function trick(at, middle = null) {
  const { plays, over } = trickOf(at);
  if (at.view.outcome && plays.length === 0) return null;
  const news = over ? new Set() : fresh(at.before?.table.trick, plays);
  const winner = over ? winnerOf(at) : null;
  const waiting = at.seats.filter((seat) => !plays.some((play) => play?.seat === seat));
  return make("div", { className: over ? "trick over" : "trick" },
    middle === null ? null : make("div", { className: "middle" }, middle),
    make("ol", { "aria-label": at.say(over ? "trick_over" : "trick") },
      plays.map((play, order) => make("li", { className: `place-${at.place(play?.seat)}${winner !== null && play?.seat === winner ? " winner" : ""}` },
        winner !== null && play?.seat === winner ? crown() : null,
        drawCard(at.game, play?.card, at.words, { fresh: news.has(order), faceDown: play?.card === null }),
        make("span", { className: "by" }, make("b", {}, `${order + 1}`), " ", at.name(play?.seat)))),
      waiting.map((seat) => make("li", { className: `place-${at.place(seat)}`, "aria-hidden": "true" },
        make("span", { className: "slot" }), make("span", { className: "by" }, at.name(seat))))),
    over ? make("p", { className: "label" }, winner === null ? at.say("trick_over") : at.say("trick_won", { name: at.name(winner) })) : null);
}

/** Who has won the trick that is over: as the event of the game says it, else who leads now. */
function winnerOf(at) {
  if (at.won !== null) return at.won.seat;
  return at.sameDeal && !at.stands ? at.table.lead : null;
}

const crown = () => draw("svg", { viewBox: "-12 -9 24 16", class: "crown", "aria-hidden": "true" }, draw("path", { d: "M-10 6L-11-6-5 0 0-8 5 0 11-6 10 6Z" }));

/** The trick that the last of these moves has ended, as it lay with its last card; null where none has. */
export function endedTrick(game, view, { previous, move, words }) {
  if (!view?.table || !previous?.table) return null;
  const { plays, over } = trickOf(placedOn(game, view, { previous, move, words }));
  return over ? plays : null;
}

// ---- earlier rounds

/** What was kept of the finished rounds: a row a round, a column a seat. `cell(round, seat)` gives [points, notes]. */
function history(at, cell, why = () => "") {
  const rounds = list(at.table.rounds);
  if (rounds.length === 0) return null;
  const cells = (round) => at.seats.map((seat) => {
    const [points, ...notes] = cell(round, seat);
    return make("td", {}, make("span", { className: "by" }, at.name(seat)), make("b", {}, points), notes.filter((note) => note !== "").map((note) => make("small", {}, note)));
  });
  const line = (round, place) => make("tr", {}, make("th", { scope: "row" }, at.say("round", { round: place + 1 }), make("small", {}, why(round))), cells(round));
  return details(`${at.game} rounds`, "rounds", at.say("rounds"), make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, at.say("round_head")), at.seats.map((seat) => make("th", { scope: "col" }, text(at.name(seat), 24))))),
    make("tbody", {}, rounds.map(line))));
}

const signed = (points) => (Number(points) > 0 ? `+${points}` : minus(points));

// ---- the parts of which a game's layout is made, by name

/** What lies under a name, or under several with points between them. */
export const held = (table, path) => path.split(".").reduce((inner, name) => inner?.[name], table);
const heldBefore = (at, path) => (at.before ? held(at.before.table, path) : undefined);

/** A word of the game, as `prefix_word` among its words. */
const wordOf = (at, { prefix }, word) => at.say(`${prefix}_${text(word)}`);

const SHOWN = {
  word: (at, part, value) => [shapeOf(at.words, at.game, value) ? sign(at.words, at.game, shapeOf(at.words, at.game, value)) : "", make("b", {}, wordOf(at, part, value))],
  card: (at, part, value) => make("b", {}, cardName(at.game, value, at.words, part.deck)),
  text: wordOf,
  flag: () => "",
};

/** One value of a seat: a word, a card, a number, its place in an order, or that something is so (`as`). */
function factOf(at, part, seat) {
  const { of, as, label, phases, unseen, under, until } = part;
  if (phases !== undefined && !phases.includes(at.view.phase)) return null;
  const values = held(at.table, of);
  const value = values?.[seat];
  if (as === "order") return fact(at.say(label), make("b", {}, String(list(values).indexOf(seat) + 1)));
  if (as === "number") return fact(at.say(label), make("b", {}, text(value ?? 0)), at.sameDeal && heldBefore(at, of)?.[seat] !== value);
  if (value) return fact(at.say(label), SHOWN[as](at, part, value), (as === "word" || as === "card") && at.before && heldBefore(at, of)?.[seat] !== value);
  const isToAct = at.view.phase === until && list(at.view.to_act).includes(seat);
  const isUnseen = unseen !== undefined && Array.isArray(values) && (under === undefined || at.view.options?.[under]) && !isToAct;
  return isUnseen ? fact(at.say(label), unseen === "" ? "" : at.say(unseen)) : null;
}

/** What may stand in the label of some cards. */
const figures = (at, codes, limit) => ({
  count: size(codes), total: sum(list(codes).map(number)), limit: limit?.[at.view.seats] ?? "?",
  cards: list(codes).map((code) => cardName(at.game, code, at.words)).join(at.say("comma")) || "–",
});

/** Cards that lie open before a seat, under a label. */
function cardsOf(at, { of, deck, label, limit }, seat) {
  const codes = held(at.table, of)?.[seat];
  const before = at.sameDeal ? heldBefore(at, of)?.[seat] : undefined;
  const name = at.say(label, figures(at, codes, limit));
  return make("div", { className: "coffee" }, make("span", { className: "label" }, name),
    list(codes).length > 0 ? cards(at, codes, name, { deck, small: true, before, place: of, seat }) : null);
}

/** Cards that a seat has won and may be looked through, where they are known. */
function wonOf(at, { of, label }, seat) {
  const won = list(held(at.table, of)?.[seat]);
  const name = at.say(label, { count: won.length });
  return won.length > 0 ? details(`${of} ${seat}`, "won", name, cards(at, won, name)) : null;
}

const SEAT_PARTS = { fact: factOf, cards: cardsOf, won: wonOf };

/** What lies in the middle of a trick: a card, or the totals of the cards on the table by letter of their suits. */
function middleOf(at, middle) {
  if (middle === undefined) return null;
  if (middle.totals !== undefined) return totals(at, middle.totals);
  const before = heldBefore(at, middle.card);
  const isOld = trickOf(at).over && !at.stands;
  const now = (isOld ? before : null) ?? held(at.table, middle.card);
  const isFresh = at.before !== null && before !== now;
  const picture = now ? drawCard(at.game, now, at.words, { deck: middle.deck, fresh: isFresh }) : make("span", { className: "slot" });
  return [picture, make("span", { className: "by" }, at.say(middle.label))];
}

function totals(at, words) {
  const found = trickOf(at).plays.map((play) => card(at.words, at.game, play?.card)).filter((one) => one !== null);
  return Object.entries(words).map(([letter, word]) => make("span", { className: "total" }, sign(at.words, at.game, shapeOf(at.words, at.game, word)),
    make("span", { className: "unseen" }, at.say(word)),
    make("b", {}, String(sum(found.filter(({ suit }) => suit.includes(letter)).map((one) => Number(one.number)))))));
}

function pileOf(at, { of, label = of, top, fan, tasks }) {
  const lying = held(at.table, of);
  if (fan !== undefined) return fanned(at, of, fan);
  const more = { ...(top ? { top: list(lying).at(-1) } : {}), ...(tasks ? { look: (known, name) => slips(at, known, name) } : {}) };
  return pile(at, label, lying, more);
}

const MOST_FANNED = 6;

/** A pile whose last cards lie in a fan, the top one at the right, and all of it to look through. */
function fanned(at, of, label) {
  const whole = list(held(at.table, of));
  const last = whole.slice(-MOST_FANNED);
  const news = fresh(heldBefore(at, of), whole);
  const name = at.say(label, { count: whole.length });
  const top = last.length === 0 ? make("span", { className: "slot" }) : make("ul", { className: "fan", "aria-label": name },
    last.map((code, place) => make("li", {}, drawCard(at.game, code, at.words, { fresh: news.has(whole.length - last.length + place) }))));
  const caption = make("span", { className: "label" }, name);
  return make("div", { className: "played" }, top, whole.length > last.length ? details(`${at.game} ${of}`, "", caption, cards(at, whole, name)) : caption);
}

/** A state of play in which other cards are good, with its rule, and what else counts at the moment. */
function skyOf(at, { of, states, unknown, chips }) {
  const now = held(at.table, of);
  const known = states.includes(now) ? now : null;
  const changed = at.before && heldBefore(at, of) !== now;
  return make("div", { className: `sky ${known ?? "unknown"}${changed ? " fresh" : ""}` },
    sign(at.words, at.game, known ? shapeOf(at.words, at.game, known) : unknown),
    make("div", {},
      make("b", {}, at.say(known ?? "undeclared")), make("span", {}, at.say(`${known ?? "undeclared"}_rule`)),
      list(chips).map((one) => (held(at.table, one.of) ? chip("", at.say(one.label, { [one.fact]: held(at.table, one.of) })) : null))));
}

const CENTRE_PARTS = {
  trick: (at, { phases, middle }) => (phases === undefined || phases.includes(at.view.phase) || trickOf(at).over ? trick(at, middleOf(at, middle)) : null),
  piles: (at, { piles }) => row(piles.map((one) => pileOf(at, one))),
  sky: skyOf,
  tasks: (at, { of, label }) => make("div", { className: "display" },
    make("h2", { className: "label" }, at.say(label)), slips(at, held(at.table, of), at.say(label), heldBefore(at, of))),
};

// ---- cards that ask for something, and are done or not

const stars = (at, level) => Array.from({ length: Math.min(Number(level) || 0, 3) }, () => sign(at.words, at.game, "star"));

const ownTasks = (at) => at.view.options?.[at.drawing.tasks?.option];

function slip(at, id, isFresh, moves) {
  const found = task(at.words, at.game, id, ownTasks(at));
  const asked = Object.entries(found?.requires ?? {}).filter(([colour, least]) => least > 0 && shapeOf(at.words, at.game, colour) !== null);
  const words = asked.map(([colour, least]) => at.say("asks", { colour: at.say(colour), least }));
  return make("li", { className: `errand${isFresh ? " fresh" : ""}${moves.length > 0 ? " playable" : ""}` },
    make("span", { className: "unseen" }, found ? at.say("errand", { id, level: found.level, asks: words.join(", "), points: found.points }) : ""),
    make("span", { className: "level", "aria-hidden": "true" }, found ? stars(at, found.level) : ""),
    make("code", { "aria-hidden": found ? "true" : null }, text(id, 32)),
    make("span", { className: "asks", "aria-hidden": "true" }, asked.map(([colour, least]) => make("span", {}, sign(at.words, at.game, shapeOf(at.words, at.game, colour)), make("b", {}, text(least))))),
    make("span", { className: "worth", "aria-hidden": "true" }, found ? make("b", {}, text(found.points)) : "", found ? make("small", {}, at.say("points", { count: found.points })) : ""),
    at.play && moves.length > 0 ? make("span", { className: "replace" }, make("small", {}, at.say("replace")), moves.map((move) => moveButton(at, move, stars(at, move.level)))) : null);
}

const slips = (at, ids, name, before) => {
  const news = fresh(before, ids);
  const [[, place] = []] = Object.entries(at.drawing.moves).map(([type, move]) => [type, move.place]).filter(([, where]) => list(at.layout.display).some(({ of }) => of === where));
  return make("ul", { className: "errands", "aria-label": name }, list(ids).map((id, at_) => {
    const moves = place === undefined ? [] : at.seats.flatMap((seat) => movesAt(at, place, seat, id));
    return slip(at, id, news.has(at_), moves);
  }));
};

// ---- what was kept of earlier rounds

const CELLS = {
  points: (at, { of }, round, seat) => signed(round[of]?.[seat]),
  count: (at, { of, label }, round, seat) => at.say(label, { count: round[of]?.[seat] }),
  counts: (at, { of }, round, seat) => Object.entries(round[of]?.[seat] ?? {}).filter(([, count]) => count > 0).map(([suit, count]) => at.say("card", { suit: at.say(`suit_${suit}`), number: count })).join(" · "),
  cards: (at, { of, label }, round, seat) => at.say(label, figures(at, round[of]?.[seat])),
  finished: (at, { label }, round, seat) => (round === seat ? at.say(label) : ""),
  word(at, part, round, seat) {
    const value = round[part.of]?.[seat];
    if (part.label === undefined) return wordOf(at, part, value);
    return value ? at.say(part.label, { [part.fact]: wordOf(at, part, value) }) : "";
  },
};

const HISTORIES = {
  rounds: (at, { cells, why }) => history(at, (round, seat) => cells.map((cell) => CELLS[cell.as](at, cell, round, seat)), why === undefined ? undefined : (round) => at.say(text(round[why]))),
  tasks(at, { of, label }) {
    const done = list(held(at.table, of));
    const points = sum(done.map((id) => task(at.words, at.game, id, ownTasks(at))?.points ?? 0));
    const name = at.say(label, { count: done.length, points });
    return done.length === 0 ? null : details(of, "rounds", name, slips(at, done, name, heldBefore(at, of)));
  },
};

// ---- the table

const parts = (at, laid) => list(laid).map((part) => CENTRE_PARTS[part.part]?.(at, part) ?? null);

/**
 * The whole table as an element of the class "table"; a view that is null has no cards on it yet.
 * `names`: of the seats. `viewer`: the seat at the bottom, or null. `legal`: moves that are marked. `play`: what is
 * called with the move that was pressed, or null. `previous`: the view before, to mark what has just moved. `move`: the
 * move that led here, if it is known.
 */
export function drawTable(game, view, { words, ...options }) {
  if (!view?.table) return make("section", { className: "table", "aria-label": say(words, game, "table") }, make("p", { className: "label" }, say(words, game, "undealt")));
  const at = placedOn(game, view, { words, ...options });
  const { layout, seats, bottom } = at;
  return make("section", { className: `table seats-${seats.length} ${text(game)}`, "aria-label": at.say("table") },
    statusOf(at),
    parts(at, layout.display),
    make("div", { className: "board" },
      at.others.map((seat) => seatOf(at, seat, at.place(seat))),
      make("div", { className: "centre" }, parts(at, layout.centre)),
      seatOf(at, bottom, 0)),
    movesOf(at),
    historyOf(at));
}

const historyOf = (at) => (at.layout.history ? HISTORIES[at.layout.history.part]?.(at, at.layout.history) ?? null : null);

/**
 * The parts of the same table, for whoever lays it out in another way: `display`, `centre` and `history` as elements, `moves`
 * that have no card, `own(seat)` what lies before a seat beside its hand, `seat(seat)` all of it, `chips(seat)` what marks it
 * out, `outcome` in words, and `at`, which they are drawn from. `stands` says that the trick that lies there is over; `won` is the
 * event of the game that says who has won it.
 */
export function tableParts(game, view, options) {
  const at = placedOn(game, view, options);
  return {
    at,
    display: () => parts(at, at.layout.display),
    centre: () => parts(at, at.layout.centre),
    history: () => historyOf(at),
    moves: () => movesOf(at),
    own: (seat) => list(at.layout.seat).map((part) => SEAT_PARTS[part.part]?.(at, part, seat) ?? null).filter((one) => one !== null),
    seat: (seat) => seatOf(at, seat, at.place(seat)),
    chips: (seat) => chipsOf(at, seat).map((key) => at.say(key)),
    outcome: () => (view.outcome ? outcomeOf(at, view.outcome) : ""),
  };
}

/** All that the parts of a table are drawn from. */
function placedOn(game, view, { names = [], viewer = null, words, legal = [], play = null, ask = null, previous = null, move = null, won = null, stands = false }) {
  const seats = Array.from({ length: Math.min(Math.max(Number(view.seats) || 2, 2), 6) }, (_, seat) => seat);
  const bottom = seats.includes(viewer) ? viewer : 0;
  const place = (seat) => (seats.includes(seat) ? (seat - bottom + seats.length) % seats.length : 0);
  const before = previous?.table ? previous : null;
  const drawing = drawingOf(words, game);
  const { layout } = drawing;
  return {
    game, view, words, play, ask, move, won, stands, seats, bottom, place, before, drawing, layout, table: view.table ?? {},
    others: seats.slice(1).map((step) => (bottom + step) % seats.length),
    legal: expanded(legal), sameDeal: before !== null && (before.round === view.round || layout.dealt_once === true),
    say: (key, facts) => say(words, game, key, facts),
    name: (seat) => (names[seat] ? text(names[seat], 80) : say(words, game, "seat", { seat })),
    number: (seat) => (names[seat] && names[seat] !== say(words, game, "seat", { seat: seat + 1 }) ? String(seat + 1) : null),
  };
}

const all = (at, seats) => new Intl.ListFormat(document.documentElement.lang || "en").format(list(seats).map((seat) => at.name(seat)));

function statusOf(at) {
  const { outcome, phase, round } = at.view;
  const actors = all(at, at.view.to_act);
  return make("div", { className: "status" },
    make("p", {}, make("b", {}, at.say("round", { round: text(round) })), " ", outcome ? null : chip("", at.say(`phase_${text(phase)}`)),
      actors === "" ? null : make("span", {}, at.say("acting", { names: actors }))),
    outcome ? make("p", { className: "outcome" }, make("b", {}, outcomeOf(at, outcome))) : null);
}

function outcomeOf(at, outcome) {
  if (outcome.rating) return at.say("rated", { points: text(list(outcome.scores)[0]), rating: at.say(`rating_${text(outcome.rating)}`) });
  return at.say("won_by", { names: all(at, outcome.winners) });
}

/** The moves that have no card on the table, as buttons; as words where nothing can be pressed. */
function movesOf(at) {
  const moves = at.legal.filter((move) => placeOf(at, move.type) === null);
  if (moves.length === 0) return null;
  const several = new Set(at.legal.map((move) => move.seat)).size > 1;
  const short = (move) => {
    const member = at.drawing.moves[move.type]?.short;
    return member in move ? wordOf(at, { prefix: member }, move[member]) : moveName(at.game, move, at.words);
  };
  const content = (move) => [
    signs(at, move),
    several ? at.say("who_does", { name: at.name(move.seat), move: short(move) }) : short(move),
  ];
  return make("div", { className: "moves", role: "group", "aria-label": at.say("moves") },
    moves.map((move) => (at.play ? moveButton(at, move, content(move)) : chip("", content(move)))));
}
