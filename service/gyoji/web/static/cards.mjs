// The cards of the four games: their pictures, all drawn here, and what they and the moves with them are called.

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
  const own = Object.hasOwn(SUITS, game) ? words?.table?.games?.[game] : undefined;
  const wanted = facts.count === 1 ? [`${key}_one`, key] : [key];
  const sentence = wanted.flatMap((one) => [own?.[one], words?.table?.[one]]).find((one) => typeof one === "string") ?? text(key);
  return filled(sentence, facts);
}

// ---- shapes: drawn by us in a box from -12 to 12, as paths with what fills and strokes them

const INK = "#1b1b1b";
const line = (d, stroke, width = 1.6) => ({ d, stroke, "stroke-width": width });
const ring = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

const DROP = "M0-10C3.6-5 6.6-1.6 6.6 2.6A6.6 6.6 0 0 1-6.6 2.6C-6.6-1.6-3.6-5 0-10Z";
const CAT = "M-9.4-10.4L-4.6-6.6Q0-7.8 4.6-6.6L9.4-10.4Q11-4.4 10.4.4C9.6 6.4 5 9.4 0 9.4S-9.6 6.4-10.4.4Q-11-4.4-9.4-10.4Z";
const WHISKERS = "M-6 4L-11.6 2.6M-6 5.6L-11.2 6.6M6 4L11.6 2.6M6 5.6L11.2 6.6";
const MOON = "M3.4-9.6A10 10 0 1 0 9.8 4.2 8.2 8.2 0 0 1 3.4-9.6Z";
const STAR = "M0-10L2.9-3.6 9.8-2.9 4.6 1.7 6.2 8.6 0 5 -6.2 8.6-4.6 1.7-9.8-2.9-2.9-3.6Z";
const SPARK = "M0-4Q.5-.5 4 0 .5.5 0 4-.5.5-4 0-.5-.5 0-4Z";
const RAYS = "M0-8.4V-11.4M5.9-5.9L8.1-8.1M8.4 0H11.4M5.9 5.9L8.1 8.1M0 8.4V11.4M-5.9 5.9L-8.1 8.1M-8.4 0H-11.4M-5.9-5.9L-8.1-8.1";

const cat = (fur, face, ...marks) => [
  { d: CAT, fill: fur, stroke: INK, "stroke-width": 1 },
  ...marks,
  { d: "M-1.3 2.6H1.3L0 4.2Z", fill: face },
  line("M0 4V5.4Q-1.6 7-3 6M0 5.4Q1.6 7 3 6", face, 0.9),
  line(WHISKERS, fur === "#2b2b2b" ? "#8f8f8f" : INK, 0.6),
];
const cup = (glaze, coffee) => [
  line("M-4.4-6.4q-1.8-2 0-4M-.6-6.4q-1.8-2 0-4M3.2-6.4q-1.8-2 0-4", "#6a6258", 1.1),
  line("M5.6-1.6H7.8a2.9 2.9 0 0 1 0 5.8H4.6", INK, 1.6),
  { d: "M-8.6-4H6.4V2.6A6 6 0 0 1 .4 8.4H-2.6A6 6 0 0 1-8.6 2.6Z", fill: glaze, stroke: INK, "stroke-width": 1 },
  { d: "M-8-3.4H5.8V-1.6H-8Z", fill: coffee },
  line("M-10.6 10.6H8.6", INK, 1.8),
];

const SHAPES = {
  sun: [{ d: ring(0, 0, 6), fill: "#e69f00", stroke: "#7a4a00", "stroke-width": 1 }, line(RAYS, "#c27c00", 2.2)],
  cloud: [{ d: "M-7.4 7.4a4.7 4.7 0 0 1-.8-9.3 6.2 6.2 0 0 1 11.7-2.3A5.8 5.8 0 0 1 6.6 7.4Z", fill: "#c5cad3", stroke: "#454b57", "stroke-width": 1.5 }],
  rain: [
    { d: "M-4.6-11C-2.6-8-1-6.4-1-4A3.6 3.6 0 0 1-8.2-4C-8.2-6.4-6.6-8-4.6-11Z", fill: "#0072b2" },
    { d: "M5.4-8C7.4-5 9-3.4 9-1A3.6 3.6 0 0 1 1.8-1C1.8-3.4 3.4-5 5.4-8Z", fill: "#0072b2" },
    { d: "M-1.6 1C.4 4 2 5.6 2 8A3.6 3.6 0 0 1-5.2 8C-5.2 5.6-3.6 4-1.6 1Z", fill: "#0072b2" },
  ],
  bolt: [{ d: "M3-11.4L-7.4 2H-1.4L-4 11.4 7.6-3.4H1.4L5.6-11.4Z", fill: "#f0e442", stroke: INK, "stroke-width": 1.2 }],
  snow: [
    line("M0-11V11M-9.5-5.5L9.5 5.5M-9.5 5.5L9.5-5.5", "#2f83ba", 2),
    line("M-3-9.5L0-6.5 3-9.5M-3 9.5L0 6.5 3 9.5M-9.7-2.1L-5.6-3.2-6.7-7.3M9.7 2.1L5.6 3.2 6.7 7.3M-9.7 2.1L-5.6 3.2-6.7 7.3M9.7-2.1L5.6-3.2 6.7-7.3", "#2f83ba", 1.5),
  ],
  brownCat: cat("#b0743a", "#3d2108", line("M0-7V-3.8M-3-6.7V-4.6M3-6.7V-4.6M-10.2 0H-7.4M10.2 0H7.4", "#5b3413", 1.4), { d: ring(-4, 0, 1.5) + ring(4, 0, 1.5), fill: "#2a1605" }),
  whiteCat: cat("#ffffff", INK, { d: "M-8.6-8.2L-8.9-4-5.8-6Z", fill: "#f3c6bd" }, { d: "M8.6-8.2L8.9-4 5.8-6Z", fill: "#f3c6bd" }, line("M-6 .6Q-4-1.8-2 .6M2 .6Q4-1.8 6 .6", INK, 1.3)),
  blackCat: cat("#2b2b2b", "#e8b7a8", { d: ring(-4, -.4, 2.3) + ring(4, -.4, 2.3), fill: "#f0e442" }, line("M-4-2V1.2M4-2V1.2", INK, 1.3)),
  brownCup: cup("#b0743a", "#4a2a10"),
  whiteCup: cup("#ffffff", "#7b4a21"),
  blackCup: cup("#2b2b2b", "#a8702f"),
  day: [{ d: ring(0, 0, 5.8), fill: "#d55e00" }, { d: "M-2-7.4L0-11.8 2-7.4ZM-2 7.4L0 11.8 2 7.4ZM-7.4-2L-11.8 0-7.4 2ZM7.4-2L11.8 0 7.4 2ZM3.8-6.7L8.3-8.3 6.7-3.8ZM-3.8-6.7L-8.3-8.3-6.7-3.8ZM3.8 6.7L8.3 8.3 6.7 3.8ZM-3.8 6.7L-8.3 8.3-6.7 3.8Z", fill: "#d55e00" }],
  night: [{ d: MOON, fill: "#27408b" }, { d: "M6.4-9Q6.9-6 9.9-5.5 6.9-5 6.4-2 5.9-5 2.9-5.5 5.9-6 6.4-9Z", fill: "#c99700" }],
  twilight: [
    { d: "M0-8.4A8.4 8.4 0 0 0 0 8.4Z", fill: "#e69f00" },
    { d: "M0-8.4A8.4 8.4 0 0 1 0 8.4Z", fill: "#27305f" },
    line("M-6.5-6.5L-8.4-8.4M-9.2 0H-11.8M-6.5 6.5L-8.4 8.4M-2-9L-2.6-11.6M-2 9L-2.6 11.6", "#b06f00", 1.8),
    { d: ring(3.6, -2.6, 1.1) + ring(5, 2.4, .8) + ring(2.2, 4.4, .7), fill: "#ffffff" },
    line(ring(0, 0, 8.4), INK, .9),
  ],
  flame: [{ d: "M.6-11.4C2-6.4 7.6-4 7.6 2.8A7.6 7.6 0 0 1-7.6 2.8C-7.6-1-4.8-2.6-4.2-6.4-2.2-5.6-.8-8 .6-11.4Z", fill: "#d55e00" }, { d: "M.4-1.6C1.6.8 3.8 2 3.8 5A3.7 3.7 0 0 1-3.6 5C-3.6 2.6-.8 1.6.4-1.6Z", fill: "#ffd9b3" }],
  drop: [{ d: DROP, fill: "#0072b2" }, line("M-3.4 3.4A3.6 3.6 0 0 0-.6 6.2", "#cfe6f5", 1.6)],
  leaf: [{ d: "M-8.6 7.4C-11.6-4.6-2-10.8 10.4-10 11 1.6 4.4 11-6 7.8Z", fill: "#007a5a" }, line("M-10.4 10.6C-6 3.6-1-1.4 5.6-5.4M-3.6 2.6L-3.8-3M.6-1.4L5.4 0", "#d8f2e6", 1.3)],
  paw: [{ d: "M0-.6C3.6-.6 7.4 4.4 5.6 7.6 4.4 9.8 1.8 8.6 0 8.6S-4.4 9.8-5.6 7.6C-7.4 4.4-3.6-.6 0-.6Z" + ring(-7.2, -1.6, 2.1) + ring(-2.7, -6, 2.3) + ring(2.7, -6, 2.3) + ring(7.2, -1.6, 2.1), fill: "#f3e9d2" }],
  mask: [{ d: CAT, fill: "#f3e9d2" }],
  crescent: [{ d: MOON, fill: "#f3e9d2" }],
  owl: [{ d: "M-7.4-10.4L-3.4-7.6Q0-8.4 3.4-7.6L7.4-10.4Q9.2-4 8.4 2.4C7.8 7.4 4 10.4 0 10.4S-7.8 7.4-8.4 2.4Q-9.2-4-7.4-10.4Z", fill: "#f3e9d2" }, { d: ring(-3.4, -2.4, 2.6) + ring(3.4, -2.4, 2.6) + "M-1.3.6H1.3L0 3.2Z", fill: "#31406f" }],
  star: [{ d: STAR, fill: "#c88a00", stroke: "#6d4a00", "stroke-width": .8 }],
  draw: [line("M-9 0H-1M-5-4V4M6-6V6M6-6L3-3.4", INK, 2.6)],
  reset: [line("M6.4-5A8 8 0 1 0 8 1.6M7.4-10V-4.4H1.8", INK, 2.6)],
  swap: [line("M-9-4H8M4-8.4L8.6-4 4 .4M9 5H-8M-4 .6L-8.6 5-4 9.4", INK, 2.4)],
};

function shape(name, x, y, scale) {
  const paths = (Object.hasOwn(SHAPES, name) ? SHAPES[name] : []).map((path) => draw("path", { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round", ...path }));
  return draw("g", { transform: `translate(${x} ${y}) scale(${scale})` }, paths);
}

/** A small picture in a line of text; what it means stands beside it in words. */
export function sign(name) {
  return draw("svg", { viewBox: "-12 -12 24 24", class: "suit", "aria-hidden": "true" }, shape(name, 0, 0, 1));
}

// ---- suits: what a code's letters mean. [shape, tint of the crest]

const SUITS = {
  "tomorrow-never-meows": { F: ["sun", "#fff0c9"], C: ["cloud", "#eceef2"], R: ["rain", "#dcecf8"], T: ["bolt", "#eadff2"], S: ["snow", "#e4f5fb"] },
  catte: { B: ["brownCat", "#f2e2cd"], W: ["whiteCat", "#dfe9ee"], K: ["blackCat", "#e6e1ea"] },
  towai: { D: ["day", "#ffe7d2"], N: ["night", "#dde4f6"], T: ["twilight", "#ecdff0"] },
  "familiars-trouble": { R: ["flame", "#ffe6d6"], B: ["drop", "#d9ebf7"], G: ["leaf", "#d8f0e4"], RB: [], RG: [], BG: [], RBG: [] },
};
const CUPS = { B: ["brownCup", "#f4e3c8"], W: ["whiteCup", "#f4e3c8"], K: ["blackCup", "#f4e3c8"] };
const BACKS = { "tomorrow-never-meows": ["#2f5d7c", "paw"], catte: ["#6a4226", "mask"], towai: ["#3b2f63", "crescent"], "familiars-trouble": ["#31406f", "owl"] };
const EFFECTS = { T3: "draw", T4: "reset", T5: "swap" };
export const WISHES = { fine: "sun", very_fine: "sun", cloudy: "cloud", very_cloudy: "cloud", rainy: "rain", very_rainy: "rain", thunder: "bolt", snow: "snow" };
export const COLOURS = { red: "flame", blue: "drop", green: "leaf" };

/** A card's code taken apart, or null where it is none of the game. `kind` "coffee" is Catte's other deck. */
export function card(game, code, kind) {
  const parts = /^([A-Z]{1,3})(\d{1,2})$/.exec(typeof code === "string" ? code : "");
  const suits = kind === "coffee" ? CUPS : Object.hasOwn(SUITS, game) ? SUITS[game] : {};
  if (parts === null || !Object.hasOwn(suits, parts[1])) return null;
  const [, suit, number] = parts;
  const pictures = suits[suit].length > 0 ? [suits[suit]] : [...suit].map((letter) => suits[letter]);
  return { suit, number, pictures };
}

// ---- errands of Familiar's Trouble

/** The points of the deck of the rules' page, by level and by all that an errand asks for. */
const POINTS = { 1: { 6: 1, 9: 1, 12: 2 }, 2: { 12: 3, 15: 3, 18: 4 }, 3: { 17: 5, 18: 6, 21: 6 } };
const LETTERS = { R: "red", B: "blue", G: "green" };

/** What an errand asks for and scores: as the match's own deck says, else read from its id; null where nothing says it. */
export function errand(id, deck) {
  if (Array.isArray(deck)) return deck.find((one) => one?.id === id) ?? null;
  const parts = /^([123])-((?:[RBG]\d{1,2})+)$/.exec(text(id));
  if (parts === null) return null;
  const requires = Object.fromEntries([...parts[2].matchAll(/([RBG])(\d+)/g)].map(([, letter, least]) => [LETTERS[letter], Number(least)]));
  const points = POINTS[parts[1]][Object.values(requires).reduce((total, least) => total + least, 0)];
  return points === undefined ? null : { level: Number(parts[1]), requires, points };
}

// ---- cards

/** What the card is called: "Black 15". `kind` "coffee" is a coffee card of Catte. */
export function cardName(game, code, words, kind) {
  const found = card(game, code, kind);
  if (found === null) return typeof code === "string" && code !== "" ? text(code) : say(words, game, "unknown");
  const name = say(words, game, "card", { suit: say(words, game, `suit_${found.suit}`), number: found.number });
  return kind === "coffee" ? say(words, game, "coffee_card", { card: name }) : name;
}

/** A card as a picture with its name. Options: small, faceDown, kind ("coffee"), fresh (just moved). */
export function drawCard(game, code, words, { small, faceDown, kind, fresh } = {}) {
  const name = faceDown ? say(words, game, "face_down") : cardName(game, code, words, kind);
  const marks = [["small", small], ["fresh", fresh]].filter(([, is]) => is).map(([mark]) => mark);
  return draw("svg", { viewBox: "0 0 60 84", class: ["card", ...marks].join(" "), role: "img" },
    draw("title", {}, fresh ? say(words, game, "fresh", { what: name }) : name),
    picture(game, code, kind, faceDown));
}

function back(game) {
  const [colour, crest] = BACKS[game] ?? ["#31406f", "star"];
  return [
    draw("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, fill: colour, stroke: "#00000059" }),
    draw("rect", { x: 5, y: 5, width: 50, height: 74, rx: 4, fill: "none", stroke: "#f3e9d2", "stroke-opacity": .6, "stroke-width": 1.2 }),
    draw("path", { d: "M30 12L48 42 30 72 12 42Z", fill: "none", stroke: "#f3e9d2", "stroke-opacity": .45, "stroke-width": 1.2 }),
    shape(crest, 30, 42, 0.95),
  ];
}

/** Pictures drawn before, by game and card: they are copied, since a table is drawn anew at every step. */
const drawn = new Map();

function picture(game, code, kind, faceDown) {
  if (!faceDown && card(game, code, kind) === null) return face(game, code, kind);
  const key = [game, faceDown ? "" : code, kind].join(" ");
  if (!drawn.has(key)) drawn.set(key, draw("g", {}, faceDown ? back(game) : face(game, code, kind)));
  return drawn.get(key).cloneNode(true);
}

function face(game, code, kind) {
  const found = card(game, code, kind);
  const paper = draw("rect", { x: 1, y: 1, width: 58, height: 82, rx: 7, fill: kind === "coffee" ? "#fbf1df" : "#fffdf8", stroke: "#00000059" });
  if (found === null) return [paper, label(30, 46, text(code, 7), 12)];
  return [paper, ...crest(found.pictures), ...index(found), ...effect(game, code)];
}

const label = (x, y, content, points) => draw("text", { x, y, "font-size": points, "text-anchor": "middle", fill: INK }, content);

/** The left edge, which stays visible in a fan: number, shape and letter. */
function index({ suit, number, pictures }) {
  const step = pictures.length > 1 ? 11 : 14;
  const scale = pictures.length > 1 ? 0.44 : 0.62;
  const shapes = pictures.map(([name], at) => shape(name, 12.5, 33 + step * at, scale));
  return [number.length > 1 ? label(14, 21, number, 17) : label(13, 22, number, 20), ...shapes, label(12.5, 76, suit, suit.length > 2 ? 10 : 13)];
}

const CRESTS = { 1: [[0, 0, 1.35]], 2: [[-6, -8, 0.85], [6, 9, 0.85]], 3: [[0, -9.5, 0.7], [-8.5, 6, 0.7], [8.5, 6, 0.7]] };

/** The suit as a family crest: its shapes on a disc of its tint. */
function crest(pictures) {
  const tint = pictures.length > 1 ? "#f1ead9" : pictures[0][1];
  const shapes = pictures.map(([name], at) => {
    const [x, y, scale] = CRESTS[pictures.length][at];
    return shape(name, 38 + x, 52 + y, scale);
  });
  return [draw("circle", { cx: 38, cy: 52, r: 19, fill: tint }), ...shapes];
}

function effect(game, code) {
  const name = game === "towai" && Object.hasOwn(EFFECTS, code) ? EFFECTS[code] : null;
  return name === null ? [] : [draw("rect", { x: 34, y: 6, width: 20, height: 20, rx: 6, fill: "#ecdff0" }), shape(name, 44, 16, 0.7)];
}

// ---- moves

/** Grouped moves (whose `card` is an array), one a move. */
export function expanded(legal) {
  return list(legal).flatMap((move) => (Array.isArray(move.card) ? move.card.map((code) => ({ ...move, card: code })) : [move]));
}

/** What a move is called: "Play Black 15". */
export function moveName(game, move, words) {
  const key = move.type === "play" && move.daylight ? "move_lead" : `move_${move.type}`;
  const facts = {
    card: "card" in move ? cardName(game, move.card, words, move.type === "coffee" ? "coffee" : undefined) : "",
    wish: "wish" in move ? say(words, game, `wish_${text(move.wish)}`) : "",
    daylight: "daylight" in move ? say(words, game, `${text(move.daylight)}`) : "",
    errand: "errand" in move ? text(move.errand) : "",
    level: move.level,
  };
  const name = say(words, game, key, facts);
  return name === key ? [text(move.type), ...Object.values(facts)].filter((fact) => fact !== "" && fact !== undefined).join(" ") : name;
}
