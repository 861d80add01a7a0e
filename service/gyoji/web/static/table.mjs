// The tables of the four games, drawn from a view of the match. Nothing here knows the rules: what may be played comes in
// as legal moves, and what a view does not say is not shown.

import { COLOURS, WISHES, card, cardName, drawCard, errand, expanded, list, make, moveName, say, sign, size, text } from "./cards.mjs";

export { cardName, drawCard, expanded, moveName };

// ---- moves

/** Where on the table a move's card lies; moves of other types are a row of buttons. */
const PLACES = { play: "hand", swap: "hand", exchange: "hand", coffee: "coffee", replace_errand: "errand" };

function movesAt(at, place, seat, what) {
  return at.legal.filter((move) => PLACES[move.type] === place && move.seat === seat && (move.errand ?? move.card) === what);
}

function moveButton(at, move, ...content) {
  const name = moveName(at.game, move, at.words);
  return make("button", {
    type: "button", className: "move", "aria-label": name, title: name, "data-key": JSON.stringify(move), onclick: () => at.play(move),
  }, content);
}

/** A card that may not be played now, as a button that asks why: for a move like those that could be made. */
function askButton(at, code, seat, options) {
  const move = { ...(at.legal.find(({ type }) => PLACES[type] === "hand") ?? { type: "play" }), seat, card: code };
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
  const choices = moves.map((move) => moveButton(at, move, move.daylight ? sign(move.daylight) : text(move.type)));
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
      name === at.say("seat", { seat }) ? null : make("span", { className: "number" }, String(seat)),
      make("h2", {}, text(name, 40)),
      turn ? chip("acts", at.say("to_act")) : null,
      won ? chip("won", at.say("won")) : null,
      chipsOf(at, seat).map((key) => chip("", at.say(key))),
      scoreOf(at, seat)),
    handOf(at, seat),
    at.rules.seat(at, seat));
}

/** What marks the seat out at this moment. */
function chipsOf(at, seat) {
  const { starting, first_lead: first, last_played: last, exchange } = at.table;
  const leads = !at.view.outcome && at.rules.leader(at.table) === seat;
  const marks = { leads, starting: (starting ?? first) === seat, last_played: last === seat, exchange_begun: exchange === seat };
  return Object.keys(marks).filter((key) => marks[key]);
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
  const news = over ? new Set([plays.length - 1]) : fresh(at.before?.table.trick, plays);
  const waiting = at.seats.filter((seat) => !plays.some((play) => play?.seat === seat));
  return make("div", { className: over ? "trick over" : "trick" },
    middle === null ? null : make("div", { className: "middle" }, middle),
    make("ol", { "aria-label": at.say(over ? "trick_over" : "trick") },
      plays.map((play, order) => make("li", { className: `place-${at.place(play?.seat)}` },
        drawCard(at.game, play?.card, at.words, { fresh: news.has(order), faceDown: play?.card === null }),
        make("span", { className: "by" }, make("b", {}, `${order + 1}`), " ", at.name(play?.seat)))),
      waiting.map((seat) => make("li", { className: `place-${at.place(seat)}`, "aria-hidden": "true" },
        make("span", { className: "slot" }), make("span", { className: "by" }, at.name(seat))))),
    over ? make("p", { className: "label" }, at.sameDeal ? at.say("trick_won", { name: at.name(at.table.lead) }) : at.say("trick_over")) : null);
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

// ---- Tomorrow Never Meows

function wishOf(at, wish) {
  return [Object.hasOwn(WISHES, wish) ? sign(WISHES[wish]) : "", make("b", {}, at.say(`wish_${text(wish)}`))];
}

/** What the seat wishes for and announces in this round, and what of the rounds before bears on it. */
function wishesOf(at, seat) {
  const { wishes, announced, wish_order: order, last_wishes: last, advanced } = at.table;
  const changed = (key) => at.before && at.before.table[key]?.[seat] !== at.table[key][seat];
  const choosing = at.view.phase === "wish" || at.view.phase === "announce";
  const chosen = at.view.options?.concealed && !(at.view.phase === "wish" && list(at.view.to_act).includes(seat));
  return [
    wishes?.[seat] ? fact(at.say("wish"), wishOf(at, wishes[seat]), changed("wishes")) : chosen ? fact(at.say("wish"), at.say("concealed")) : null,
    announced?.[seat] ? fact(at.say("announced"), wishOf(at, announced[seat]), changed("announced")) : null,
    choosing ? fact(at.say("wish_order"), make("b", {}, String(list(order).indexOf(seat) + 1))) : null,
    choosing && last?.[seat] ? fact(at.say("last_wish"), at.say(`wish_${text(last[seat])}`)) : null,
    advanced?.[seat] ? fact(at.say("advanced"), "") : null,
  ];
}

const MEOWS = {
  leader: (table) => table.lead,
  seat(at, seat) {
    const { captured, tricks_won: tricks } = at.table;
    const won = list(captured?.[seat]);
    const name = at.say("captured", { count: won.length });
    return [
      ...wishesOf(at, seat),
      fact(at.say("tricks"), make("b", {}, text(tricks?.[seat] ?? 0)), at.sameDeal && at.before.table.tricks_won?.[seat] !== tricks?.[seat]),
      won.length > 0 ? details(`captured ${seat}`, "won", name, cards(at, won, name)) : null,
    ];
  },
  centre: (at) => [
    at.view.phase === "trick" || trickOf(at).over ? trick(at) : null,
    row(pile(at, "aside", at.table.aside)),
  ],
  history: (at) => history(at, (round, seat) => [
    signed(round.points?.[seat]),
    at.say(`wish_${text(round.wishes?.[seat])}`),
    round.announced?.[seat] ? at.say("said", { wish: at.say(`wish_${text(round.announced[seat])}`) }) : "",
    at.say("tricks_of", { count: round.tricks?.[seat] }),
    Object.entries(round.won?.[seat] ?? {}).filter(([, count]) => count > 0).map(([suit, count]) => `${suit} ${count}`).join(" · "),
  ]),
};

// ---- Catte

const LIMIT = { 3: 20, 4: 15 };

const CATTE = {
  leader: (table) => table.lead,
  seat(at, seat) {
    const { unused, acquired } = at.table.coffee ?? {};
    const before = at.sameDeal ? at.before.table.coffee : undefined;
    const total = sum(list(acquired?.[seat]).map(number));
    const coffee = (key, codes, name, options) => make("div", { className: "coffee" }, make("span", { className: "label" }, name),
      list(codes).length > 0 ? cards(at, codes, name, { kind: "coffee", small: true, before: before?.[key]?.[seat], ...options }) : null);
    return [
      coffee("unused", unused?.[seat], at.say("unused", { count: size(unused?.[seat]) }), { place: "coffee", seat }),
      coffee("acquired", acquired?.[seat], at.say("acquired", { total, limit: LIMIT[at.view.seats] ?? "?" })),
    ];
  },
  centre: (at) => [trick(at, centreCup(at)), row(pile(at, "discard", at.table.discard), pile(at, "aside", at.table.aside))],
  history: (at) => history(at, (round, seat) => [
    signed(round.points?.[seat]),
    at.say("acquired_of", { cards: list(round.acquired?.[seat]).map((code) => text(code, 8)).join(" ") || "–", total: sum(list(round.acquired?.[seat]).map(number)) }),
    at.say("unused_of", { count: round.unused?.[seat] }),
  ], (round) => at.say(text(round.reason))),
};

function centreCup(at) {
  const now = at.table.coffee?.centre ?? (trickOf(at).over ? at.before.table.coffee?.centre : null);
  const isFresh = at.before !== null && at.before.table.coffee?.centre !== now;
  const picture = now ? drawCard("catte", now, at.words, { kind: "coffee", fresh: isFresh }) : make("span", { className: "slot" });
  return [picture, make("span", { className: "by" }, at.say("centre"))];
}

// ---- TOWAI

const TOWAI = {
  leader: (table) => (table.pile?.length === 0 ? table.turn : null),
  seat(at, seat) {
    const { swap } = at.table;
    const chosen = Array.isArray(swap) && !list(at.view.to_act).includes(seat);
    return [
      chosen ? fact(at.say("chosen"), swap[seat] ? make("b", {}, cardName(at.game, swap[seat], at.words)) : "", at.before && at.before.table.swap?.[seat] !== swap[seat]) : null,
    ];
  },
  centre: (at) => [sky(at), row(pile(at, "deck", at.table.deck), played(at), pile(at, "discard", at.table.discard, { top: list(at.table.discard).at(-1) }))],
  history: (at) => history(at, (round, seat) => [round === seat ? at.say("finished_round") : ""]),
};

const MOST_PLAYED = 6;

/** The play pile: the cards played last, the top one at the right, and all of it to look through. */
function played(at) {
  const whole = list(at.table.pile);
  const last = whole.slice(-MOST_PLAYED);
  const news = fresh(at.before?.table.pile, whole);
  const name = at.say("pile_of", { count: whole.length });
  const top = last.length === 0 ? make("span", { className: "slot" }) : make("ul", { className: "fan", "aria-label": name },
    last.map((code, place) => make("li", {}, drawCard(at.game, code, at.words, { fresh: news.has(whole.length - last.length + place) }))));
  const label = make("span", { className: "label" }, name);
  return make("div", { className: "played" }, top, whole.length > last.length ? details("towai pile", "", label, cards(at, whole, name)) : label);
}

/** Day or night, what may be laid on the pile, and the number of the combo. */
function sky(at) {
  const { daylight, combo, passes } = at.table;
  const known = daylight === "day" || daylight === "night" ? daylight : null;
  const changed = at.before && at.before.table.daylight !== daylight;
  return make("div", { className: `sky ${known ?? "unknown"}${changed ? " fresh" : ""}` },
    known ? sign(known) : sign("twilight"),
    make("div", {},
      make("b", {}, at.say(known ?? "undeclared")), make("span", {}, at.say(known ? `${known}_rule` : "undeclared_rule")),
      combo ? chip("", at.say("combo", { number: combo })) : null,
      passes ? chip("", at.say("passes", { count: passes })) : null));
}

// ---- Familiar's Trouble

const stars = (level) => Array.from({ length: Math.min(Number(level) || 0, 3) }, () => sign("star"));

function slip(at, id, isFresh, moves) {
  const found = errand(id, at.view.options?.errands);
  const asked = Object.entries(found?.requires ?? {}).filter(([colour, least]) => least > 0 && Object.hasOwn(COLOURS, colour));
  const words = asked.map(([colour, least]) => at.say("asks", { colour: at.say(colour), least }));
  return make("li", { className: `errand${isFresh ? " fresh" : ""}${moves.length > 0 ? " playable" : ""}` },
    make("span", { className: "unseen" }, found ? at.say("errand", { id, level: found.level, asks: words.join(", "), points: found.points }) : ""),
    make("span", { className: "level", "aria-hidden": "true" }, found ? stars(found.level) : ""),
    make("code", { "aria-hidden": found ? "true" : null }, text(id, 32)),
    make("span", { className: "asks", "aria-hidden": "true" }, asked.map(([colour, least]) => make("span", {}, sign(COLOURS[colour]), make("b", {}, text(least))))),
    make("span", { className: "worth", "aria-hidden": "true" }, found ? make("b", {}, text(found.points)) : "", found ? make("small", {}, at.say("points", { count: found.points })) : ""),
    at.play && moves.length > 0 ? make("span", { className: "replace" }, make("small", {}, at.say("replace")), moves.map((move) => moveButton(at, move, stars(move.level)))) : null);
}

const slips = (at, ids, name, before) => {
  const news = fresh(before, ids);
  return make("ul", { className: "errands", "aria-label": name }, list(ids).map((id, place) => {
    const moves = at.seats.flatMap((seat) => movesAt(at, "errand", seat, id));
    return slip(at, id, news.has(place), moves);
  }));
};

const TROUBLE = {
  dealtOnce: true,
  leader: (table) => table.lead,
  seat: () => [],
  display: (at) => make("div", { className: "display" },
    make("h2", { className: "label" }, at.say("errands")), slips(at, at.table.errands, at.say("errands"), at.before?.table.errands)),
  centre(at) {
    const { draw, discard, piles } = at.table;
    const look = (known, name) => slips(at, known, name);
    return [
      trick(at, totals(at)),
      row([1, 2, 3].map((level) => pile(at, `level_${level}`, piles?.[level], { look })), pile(at, "draw", draw), pile(at, "discard", discard, { top: list(discard).at(-1) })),
    ];
  },
  history(at) {
    const done = list(at.table.completed);
    const points = sum(done.map((id) => errand(id, at.view.options?.errands)?.points ?? 0));
    return done.length === 0 ? null : details("completed", "rounds", at.say("completed", { count: done.length, points }),
      slips(at, done, at.say("completed", { count: done.length, points }), at.before?.table.completed));
  },
};

/** Red, blue and green over the cards of the trick: what the errands are compared with. */
function totals(at) {
  const found = trickOf(at).plays.map((play) => card(at.game, play?.card)).filter((one) => one !== null);
  return Object.entries(COLOURS).map(([colour, picture]) => make("span", { className: "total" }, sign(picture),
    make("span", { className: "unseen" }, at.say(colour)),
    make("b", {}, String(sum(found.filter(({ suit }) => suit.includes(colour[0].toUpperCase())).map((one) => Number(one.number)))))));
}

// ---- the table

const GAMES = { "tomorrow-never-meows": MEOWS, catte: CATTE, towai: TOWAI, "familiars-trouble": TROUBLE };

/**
 * The whole table as an element of the class "table"; a view that is null has no cards on it yet.
 * `names`: of the seats. `viewer`: the seat at the bottom, or null. `legal`: moves that are marked. `play`: what is
 * called with the move that was pressed, or null. `previous`: the view before, to mark what has just moved. `move`: the
 * move that led here, if it is known.
 */
export function drawTable(game, view, { names = [], viewer = null, words, legal = [], play = null, ask = null, previous = null, move = null }) {
  if (!view?.table) return make("section", { className: "table", "aria-label": say(words, game, "table") }, make("p", { className: "label" }, say(words, game, "undealt")));
  const seats = Array.from({ length: Math.min(Math.max(Number(view.seats) || 2, 2), 6) }, (_, seat) => seat);
  const bottom = seats.includes(viewer) ? viewer : 0;
  const place = (seat) => (seats.includes(seat) ? (seat - bottom + seats.length) % seats.length : 0);
  const before = previous?.table ? previous : null;
  const at = {
    game, view, words, play, ask, move, seats, bottom, place, before, table: view.table ?? {}, rules: GAMES[game],
    legal: expanded(legal), sameDeal: before !== null && (before.round === view.round || GAMES[game].dealtOnce === true),
    say: (key, facts) => say(words, game, key, facts),
    name: (seat) => (names[seat] ? text(names[seat], 80) : say(words, game, "seat", { seat })),
  };
  const others = seats.slice(1).map((step) => (bottom + step) % seats.length);
  return make("section", { className: `table seats-${seats.length} ${text(game)}`, "aria-label": at.say("table") },
    statusOf(at),
    at.rules.display?.(at),
    make("div", { className: "board" },
      others.map((seat) => seatOf(at, seat, place(seat))),
      make("div", { className: "centre" }, at.rules.centre(at)),
      seatOf(at, bottom, 0)),
    movesOf(at),
    at.rules.history(at));
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
  const moves = at.legal.filter((move) => !Object.hasOwn(PLACES, move.type));
  if (moves.length === 0) return null;
  const several = new Set(at.legal.map((move) => move.seat)).size > 1;
  const short = (move) => ("wish" in move ? at.say(`wish_${text(move.wish)}`) : moveName(at.game, move, at.words));
  const content = (move) => [
    Object.hasOwn(WISHES, move.wish) ? sign(WISHES[move.wish]) : null,
    several ? at.say("who_does", { name: at.name(move.seat), move: short(move) }) : short(move),
  ];
  return make("div", { className: "moves", role: "group", "aria-label": at.say("moves") },
    moves.map((move) => (at.play ? moveButton(at, move, content(move)) : chip("", content(move)))));
}
