// A position as a form: every place of it as a line of text that a person can write, and back.

const CARDS = new Set(["hands", "trick", "centre", "unused", "acquired", "pile", "swap", "errands", "completed", "piles", "deck", "draw", "captured", "aside", "discard"]);
const ORDER = [...CARDS, "phase", "to_act", "lead", "turn", "daylight"];
const LAST = ["scores", "round", "ply", "rounds", "outcome", "shuffles", "seed"];
const STRUCTURES = new Set(["/outcome", "/options/wish_points", "/options/errands", "/table/rounds"]);
const LISTS_OR_NONE = new Set(["/table/swap", "/options/deck"]);
const CHOICES = new Set(["phase", "daylight"]);
const NAMED_ELSEWHERE = new Set(["game", "version", "seats"]);
const SORTED = new Set(["hands", "unused"]);
const DEEPEST = 8;

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isPlay = (value) => isObject(value) && Object.keys(value).length === 2 && "seat" in value && "card" in value;
const isFlat = (value) => Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);

/** How the value of a place is written. */
function kindOf(pointer, name, value, deep) {
  if (STRUCTURES.has(pointer) || deep > DEEPEST) return "json";
  if (LISTS_OR_NONE.has(pointer)) return value === null || isFlat(value) ? "maybe" : "json";
  if (isObject(value)) return "inside";
  if (name === "trick" && Array.isArray(value)) return value.every(isPlay) ? "plays" : "json";
  if (Array.isArray(value) && value.length > 0 && value.every(isFlat)) return "rows";
  if (Array.isArray(value)) return isFlat(value) ? (CARDS.has(name) ? "codes" : "list") : "json";
  if (typeof value === "boolean") return "tick";
  return CHOICES.has(name) ? "choice" : "value";
}

/**
 * The places of a position, what is looked at first before the rest: {pointer, name, index, group, kind, value}. `index` is the seat of a row,
 * the level of a pile, else null; `group` is "cards", "turn" or "options".
 */
export function placesOf(state) {
  const found = [...walk(state, "", null, 0)].filter(({ pointer }) => !NAMED_ELSEWHERE.has(pointer.slice(1)));
  return found.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ name }) {
  const first = ORDER.indexOf(name);
  return first >= 0 ? first : ORDER.length + 1 + LAST.indexOf(name);
}

function* walk(holder, pointer, holderName, deep) {
  for (const [key, value] of Object.entries(holder)) {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const level = /^\d+$/.test(key);
    const name = level ? holderName : key;
    const kind = kindOf(at, name, value, deep);
    const place = { pointer: at, name, index: level ? Number(key) : null, kind, value };
    if (kind === "inside") yield* walk(value, at, name, deep + 1);
    else if (kind === "rows") yield* value.map((row, index) => grouped({ ...place, pointer: `${at}/${index}`, index, kind: CARDS.has(name) ? "codes" : "list", value: row }));
    else yield grouped(place);
  }
}

const grouped = (place) => ({ ...place, group: place.pointer.startsWith("/options/") ? "options" : CARDS.has(place.name) ? "cards" : "turn" });

/** What stands in the field of a place. */
export function written({ kind, value }) {
  if (kind === "json") return value === null ? "" : JSON.stringify(value);
  if (kind === "plays") return value.map(({ seat, card }) => `${seat}:${card}`).join(" ");
  if (Array.isArray(value)) return value.map((item) => (item === null ? "-" : String(item))).join(" ");
  return value === null ? "" : String(value);
}

/** The value that a text means. `suits` are the letters of cards in the order of the game. Throws a SyntaxError. */
export function read({ kind, name }, text, suits) {
  const parts = text.split(/[\s,、，]+/).filter((part) => part !== "");
  if (kind === "json") return parts.length === 0 ? null : JSON.parse(text);
  if (kind === "plays") return parts.map(play);
  if (kind === "codes") return SORTED.has(name) ? sorted(parts.map(code), suits) : parts.map(code);
  if (kind === "maybe") return parts.length === 0 ? null : parts.map((part) => (part === "-" ? null : code(part)));
  if (kind === "list") return parts.map(single);
  return parts.length === 0 ? null : single(text.trim());
}

function play(part) {
  const found = /^(\d+)[:：](.+)$/.exec(part);
  if (found === null) throw new SyntaxError("plays");
  return { seat: Number(found[1]), card: code(found[2]) };
}

/** A card as it is written at a table: small letters do as well. */
const code = (part) => (/^([a-z]{1,3}\d{1,2}|[123](-([rgb]\d+)+))$/i.test(part) ? part.toUpperCase() : part);

function single(part) {
  if (part === "-") return null;
  if (part === "true" || part === "false") return part === "true";
  return /^-?\d{1,15}$/.test(part) ? Number(part) : code(part);
}

/** The canonical order of a hand: by suit, then by number. What is no card stays at the end, where the service finds it. */
function sorted(codes, suits) {
  const key = (card) => {
    const [, letters, number] = /^([A-Z]+)(\d+)$/.exec(card) ?? [null, "", 0];
    return [suits.includes(letters) ? suits.indexOf(letters) : suits.length, Number(number)];
  };
  return codes.toSorted((one, other) => key(one)[0] - key(other)[0] || key(one)[1] - key(other)[1]);
}

/** The letters of a game's cards in their order, from its description. */
export const suitsOf = (described) => [...new Set(described.cards.flatMap(({ codes }) => codes).map((card) => card.replace(/\d+$/, "")))];

/** The position with another value at one place. */
export function put(state, pointer, value) {
  const whole = structuredClone(state);
  const steps = pointer.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop();
  steps.reduce((holder, step) => holder[step], whole)[last] = value;
  return whole;
}

/** The place that a pointer into a request (`/state/…`) is about: itself or what holds it; null where there is none. */
export function placeAt(places, pointer) {
  const at = pointer.replace(/^\/state/, "");
  return places.find((place) => at === place.pointer || at.startsWith(`${place.pointer}/`)) ?? null;
}

/** The first place within what a pointer is about, cards before the rest; null where there is none. */
export function placeWithin(places, pointer) {
  const within = places.filter((place) => place.pointer.startsWith(`${pointer.replace(/^\/state/, "")}/`));
  return within.find(({ group }) => group === "cards") ?? within[0] ?? null;
}
