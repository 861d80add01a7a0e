// The cards of the games: their pictures, drawn as each game's `drawing.toml` says, and what they and the moves with them
// are called.

import { cut, isolated, shown } from "./names.mjs";

// ---- elements and words

/** Attributes that are read: they are shown as safely as texts. */
const READ = ["aria-label", "title", "alt", "placeholder"];

const safely = (child) => (typeof child === "string" ? shown(child, true) : child);

/**
 * An HTML element with its properties (`data-…` and `aria-…` become attributes) and its children; null is left out. Texts
 * turn the direction of nothing that stands around them, whoever wrote them.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    const put = READ.includes(name) ? safely(value) : value;
    if (name in element && !name.includes("-")) element[name] = put;
    else element.setAttribute(name === "className" ? "class" : name, put);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined).map(safely));
  return element;
}

/** An SVG element with its attributes and its children. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, READ.includes(name) ? safely(value) : value);
  element.append(...children.flat().map(safely));
  return element;
}

export const list = (value) => (Array.isArray(value) ? value : []);
export const size = (cards) => (Array.isArray(cards) ? cards.length : Number(cards?.count) || 0);
export const text = (value, most = 60) => {
  const whole = typeof value === "string" ? value : String(JSON.stringify(value));
  return cut(whole, most);
};

/** A sentence with its facts put in, each isolated where it is written from right to left; where one is missing its name stays. */
export function filled(sentence, facts) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(facts, name) ? isolated(String(facts[name])) : whole));
}

/** The words of the game, or of all tables, with the facts put in ("…_one" where the count is 1). An unknown key is shown as it is. */
export function say(words, game, key, facts = {}) {
  const own = Object.hasOwn(words?.table?.games ?? {}, game) ? words.table.games[game] : undefined;
  const wanted = facts.count === 1 ? [`${key}_one`, key] : [key];
  const sentence = wanted.flatMap((one) => [own?.[one], words?.table?.[one]]).find((one) => typeof one === "string") ?? text(key);
  return filled(sentence, facts);
}

// ---- how a game is drawn

const NO_DRAWING = { suits: {}, shapes: {}, words: {}, effects: {}, moves: {}, layout: {} };

/** How the game is drawn, as its `drawing.toml` has it. */
export function drawingOf(words, game) {
  const games = words?.table?.games ?? {};
  return { ...NO_DRAWING, ...(Object.hasOwn(games, game) ? games[game].drawing : {}) };
}

/** What an object of its own holds under that name, or null: a name may come from anywhere. */
const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : null);

const INK = "#1b1b1b";
const STAR = [{ d: "M0-10L2.9-3.6 9.8-2.9 4.6 1.7 6.2 8.6 0 5 -6.2 8.6-4.6 1.7-9.8-2.9-2.9-3.6Z", fill: "#c88a00", stroke: "#6d4a00", "stroke-width": .8 }];

function shape(drawing, name, x, y, scale) {
  const paths = (name === "star" ? STAR : own(drawing.shapes, name) ?? []).map((path) => draw("path", { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", ...path }));
  return draw("g", { transform: `translate(${x} ${y}) scale(${scale})` }, paths);
}

/** A small picture in a line of text; what it means stands beside it in words. `name` is a shape of the game, or "star". */
export function sign(words, game, name) {
  return draw("svg", { viewBox: "-12 -12 24 24", class: "suit", "aria-hidden": "true" }, shape(drawingOf(words, game), name, 0, 0, 1));
}

/** The shape that stands beside a word of the game, or null. */
export const shapeOf = (words, game, word) => own(drawingOf(words, game).words, word);

/** A card's code taken apart, or null where it is none of the game; `deck` is another deck of it than the first. */
export function card(words, game, code, deck) {
  const parts = /^([A-Z]{1,3})(\d{1,2})$/.exec(typeof code === "string" ? code : "");
  const drawing = drawingOf(words, game);
  const suits = deck ? own(drawing.decks, deck)?.suits : drawing.suits;
  const found = parts === null ? null : own(suits, parts[1]);
  if (found === null) return null;
  const [, suit, number] = parts;
  return { suit, number, pictures: (found.of ?? [suit]).map((letters) => [suits[letters].shape, suits[letters].tint]) };
}

// ---- cards that ask for something

/** What such a card asks for and scores: as the match's own deck says, else the game's; null where nothing says it. */
export function task(words, game, id, deck) {
  if (Array.isArray(deck)) return deck.find((one) => one?.id === id) ?? null;
  const found = drawingOf(words, game).tasks?.deck.find((one) => one.id === id);
  if (found === undefined) return null;
  const requires = Object.fromEntries(Object.entries(found.requires).filter(([, least]) => least > 0));
  return { level: found.level, requires, points: found.points };
}

// ---- cards

/** What the card is called: "Black 15", where notation is wanted "Black 15 (K15)"; `deck` is another deck of the game than the first. */
export function cardName(game, code, words, deck) {
  const found = card(words, game, code, deck);
  if (found === null) return typeof code === "string" && code !== "" ? text(code) : say(words, game, "unknown");
  const called = say(words, game, "card", { suit: say(words, game, `suit_${found.suit}`), number: found.number });
  const name = words.notation === true ? `${called} (${code})` : called;
  return deck ? say(words, game, `${deck}_card`, { card: name }) : name;
}

/** A sentence that the service has made of codes, with the cards in it by their names. */
export function cardsByName(game, sentence, words) {
  return sentence.replace(/(?<![\w-])[A-Z]{1,3}\d{1,2}(?![\w-])/g, (code) => (card(words, game, code) === null ? code : cardName(game, code, words)));
}

/** A card as a picture with its name. Options: small, faceDown, deck (another than the first), fresh (just moved). */
export function drawCard(game, code, words, { small, faceDown, deck, fresh } = {}) {
  const name = faceDown ? say(words, game, "face_down") : cardName(game, code, words, deck);
  const marks = [["small", small], ["fresh", fresh]].filter(([, is]) => is).map(([mark]) => mark);
  return draw("svg", { viewBox: "0 0 60 84", class: ["card", ...marks].join(" "), role: "img" },
    draw("title", {}, fresh ? say(words, game, "fresh", { what: name }) : name),
    picture(words, game, code, deck, faceDown));
}

function back(drawing) {
  const { colour, shape: crest } = drawing.back ?? { colour: "#31406f", shape: "star" };
  return [
    draw("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, fill: colour, stroke: "#00000059" }),
    draw("rect", { x: 5, y: 5, width: 50, height: 74, rx: 4, fill: "none", stroke: "#f3e9d2", "stroke-opacity": .6, "stroke-width": 1.2 }),
    draw("path", { d: "M30 12L48 42 30 72 12 42Z", fill: "none", stroke: "#f3e9d2", "stroke-opacity": .45, "stroke-width": 1.2 }),
    shape(drawing, crest, 30, 42, 0.95),
  ];
}

/** Pictures drawn before, by game and card: they are copied, since a table is drawn anew at every step. */
const drawn = new Map();

function picture(words, game, code, deck, faceDown) {
  const found = faceDown ? null : card(words, game, code, deck);
  const drawing = drawingOf(words, game);
  if (!faceDown && found === null) return draw("g", {}, unknown(drawing, deck, code));
  const key = [game, faceDown ? "" : code, deck].join(" ");
  if (!drawn.has(key)) drawn.set(key, draw("g", {}, faceDown ? back(drawing) : face(drawing, code, deck, found)));
  return drawn.get(key).cloneNode(true);
}

const paper = (drawing, deck) => draw("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, fill: own(drawing.decks, deck)?.paper ?? "#fffdf8", stroke: "#00000059" });

const unknown = (drawing, deck, code) => [paper(drawing, deck), label(30, 46, text(code, 7), 12)];

const face = (drawing, code, deck, found) => [paper(drawing, deck), ...crest(drawing, found.pictures), ...index(drawing, found), ...effect(drawing, deck, code)];

const label = (x, y, content, points) => draw("text", { x, y, "font-size": points, "text-anchor": "middle", fill: INK }, content);

/** The left edge, which stays visible in a fan: number, shape and letter. */
function index(drawing, { suit, number, pictures }) {
  const step = pictures.length > 1 ? 11 : 14;
  const scale = pictures.length > 1 ? 0.44 : 0.62;
  const shapes = pictures.map(([name], at) => shape(drawing, name, 12.5, 33 + step * at, scale));
  return [number.length > 1 ? label(14, 21, number, 17) : label(13, 22, number, 20), ...shapes, label(12.5, 76, suit, suit.length > 2 ? 10 : 13)];
}

const CRESTS = { 1: [[0, 0, 1.35]], 2: [[-6, -8, 0.85], [6, 9, 0.85]], 3: [[0, -9.5, 0.7], [-8.5, 6, 0.7], [8.5, 6, 0.7]] };

/** The suit as a family crest: its shapes on a disc of its tint. */
function crest(drawing, pictures) {
  const tint = pictures.length > 1 ? "#f1ead9" : pictures[0][1];
  const shapes = pictures.map(([name], at) => {
    const [x, y, scale] = CRESTS[pictures.length][at];
    return shape(drawing, name, 38 + x, 52 + y, scale);
  });
  return [draw("circle", { cx: 38, cy: 52, r: 19, fill: tint }), ...shapes];
}

function effect(drawing, deck, code) {
  const name = deck ? null : own(drawing.effects, code);
  return name === null ? [] : [draw("rect", { x: 34, y: 6, width: 20, height: 20, rx: 6, fill: "#ecdff0" }), shape(drawing, name, 44, 16, 0.7)];
}

// ---- moves

/** Grouped moves (whose `card` is an array), one a move. */
export function expanded(legal) {
  return list(legal).flatMap((move) => (Array.isArray(move.card) ? move.card.map((code) => ({ ...move, card: code })) : [move]));
}

/** What a member of a move is called: a card, a word of the game, or as it is. */
function called(game, move, name, words) {
  if (name === "card") return cardName(game, move.card, words, own(drawingOf(words, game).moves, move.type)?.deck);
  const keys = typeof move[name] === "string" ? [`${name}_${text(move[name])}`, text(move[name])] : [];
  return keys.map((key) => [key, say(words, game, key)]).find(([key, said]) => said !== key)?.[1] ?? text(move[name]);
}

/** What a move is called: "Play Black 15". Where one has more members than another of its type, by these. */
export function moveName(game, move, words) {
  const members = Object.keys(move).filter((name) => name !== "type" && name !== "seat");
  const facts = Object.fromEntries(members.map((name) => [name, called(game, move, name, words)]));
  const key = `move_${move.type}`;
  const keys = [...members.map((name) => `${key}_${name}`), key];
  const found = keys.map((one) => [one, say(words, game, one, facts)]).find(([one, said]) => said !== one);
  return found?.[1] ?? [text(move.type), ...Object.values(facts)].filter((fact) => fact !== "").join(" ");
}
