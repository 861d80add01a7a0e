// What each kind of ruling asks for: its own fields, and what they say as the service takes it.

import { list, make } from "./cards.mjs";
import { expanded, moveName } from "./table.mjs";

const KINDS = ["take_back", "play", "accept", "points", "time", "forfeit", "substitute", "result", "pause", "resume", "void", "note"];

/** The kinds that can be ruled of a match as it stands. */
export function kindsOf({ desk }) {
  const apart = { time: desk.clock !== null, pause: !desk.paused, resume: desk.paused };
  return KINDS.filter((kind) => apart[kind] ?? true);
}

/** Kinds with a move, which tells what lies in a hand: only who sees the hands can try these first. */
export const holdsMove = (kind) => kind === "play" || kind === "accept";

/**
 * The fields of a kind of ruling.
 *
 * @param {string} kind
 * @param {object} facts `game`, `words`, `names`, `say`, the event `seq` that is ruled on, the `latest` frame, `described()`,
 *   which gives the game as the catalogue has it
 * @returns {{element: HTMLElement, read: () => object}} `read` gives the ruling
 */
export function fieldsOf(kind, facts) {
  const { element, read } = (FIELDS[kind] ?? nothing)(facts, kind);
  return { element: make("div", { className: "ruling-fields" }, element), read: () => ({ kind, ...read() }) };
}

const nothing = () => ({ element: [], read: () => ({}) });

const FIELDS = { take_back: back, play: move, accept: move, points, time, forfeit, substitute, result };

export const labelled = (label, control) => make("label", {}, label, control);

function number(value, least, most) {
  return make("input", { type: "number", inputMode: "numeric", required: true, step: 1, min: String(least), max: String(most), value: String(value) });
}

function seatPicker({ names }) {
  return make("select", {}, names.map((name, seat) => make("option", { value: String(seat) }, name)));
}

/** Boxes to tick, one a seat. */
export function seatBoxes(names, label) {
  const boxes = names.map((name, seat) => make("input", { type: "checkbox", value: String(seat) }));
  const element = make("fieldset", { className: "boxes" }, make("legend", {}, label), boxes.map((box, seat) => make("label", {}, box, names[seat])));
  return { element, read: () => boxes.flatMap(({ checked }, seat) => (checked ? [seat] : [])) };
}

function back({ say, seq, latest }) {
  const to = number(Math.max(1, Math.min(seq, latest.seq - 1)), 1, latest.seq);
  return { element: labelled(say("field_to"), to), read: () => ({ to: to.valueAsNumber }) };
}

function points(facts) {
  const seat = seatPicker(facts);
  const given = number(-1, -1000000, 1000000);
  return { element: [labelled(facts.say("field_seat"), seat), labelled(facts.say("field_points"), given)], read: () => ({ seat: Number(seat.value), points: given.valueAsNumber }) };
}

function time(facts) {
  const seat = seatPicker(facts);
  const add = number(30, -86400, 86400);
  return { element: [labelled(facts.say("field_seat"), seat), labelled(facts.say("field_add"), add)], read: () => ({ seat: Number(seat.value), add: add.valueAsNumber }) };
}

function forfeit({ names, say }) {
  const seats = seatBoxes(names, say("field_seats"));
  return { element: seats.element, read: () => ({ seats: seats.read() }) };
}

function substitute(facts) {
  const seat = seatPicker(facts);
  const name = make("input", { autocomplete: "off", maxLength: 80 });
  return { element: [labelled(facts.say("field_seat"), seat), labelled(facts.say("field_name"), name)], read: () => ({ seat: Number(seat.value), name: name.value.trim() || null }) };
}

function result({ names, say, latest }) {
  const winners = seatBoxes(names, say("field_winners"));
  const change = make("input", { type: "checkbox" });
  const scores = names.map((name, seat) => labelled(name, number(latest.view?.scores?.[seat] ?? 0, -1000000, 1000000)));
  const holder = make("div", { className: "ruling-fields", hidden: true }, scores);
  change.onchange = () => { holder.hidden = !change.checked; };
  const read = () => ({ winners: winners.read(), scores: change.checked ? scores.map((label) => label.querySelector("input").valueAsNumber) : null });
  return { element: [winners.element, make("label", { className: "tick" }, change, say("field_scores")), holder], read };
}

/** A move: one of the legal ones where they may be known and it is to be legal, else one put together from its parts. */
function move({ game, words, names, say, latest, described }, kind) {
  const legal = kind === "play" ? expanded(latest.legal) : [];
  const picker = make("select", {}, legal.map((one, place) => make("option", { value: String(place) }, `${names[one.seat]}: ${moveName(game, one, words)}`)),
    make("option", { value: "" }, say("another_move")));
  const holder = make("div", { className: "ruling-fields" });
  let composed = null;
  picker.onchange = () => compose();
  if (legal.length === 0) compose();

  async function compose() {
    holder.replaceChildren();
    composed = null;
    if (picker.value !== "") return;
    const [{ composer }, book] = await Promise.all([import("./console-moves.mjs"), described()]);
    if (picker.value !== "" || book === null) return;
    composed = composer(holder, book, seenState(game, latest.view, names), { seat: latest.view?.to_act?.[0] ?? 0, type: "play" in book.moves ? "play" : Object.keys(book.moves)[0] });
  }

  const read = () => ({ move: picker.value === "" ? composed?.() ?? null : legal[Number(picker.value)] });
  return { element: [legal.length > 0 ? labelled(say("field_move"), picker) : null, holder].filter(Boolean), read };
}

/** What lies open of a position, for the choice of cards: hidden hands are empty. */
function seenState(game, view, names) {
  const table = view?.table ?? {};
  const unused = list(table.coffee?.unused).map(list);
  return { game, seats: names.length, table: { ...table, hands: list(table.hands).map(list), errands: list(table.errands), ...(table.coffee ? { coffee: { ...table.coffee, unused } } : {}) } };
}
