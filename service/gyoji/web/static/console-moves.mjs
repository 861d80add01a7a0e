// Moves as buttons, and a move of any kind put together from its parts.

import { make, say, words } from "./console-parts.mjs";
import { drawingOf } from "./cards.mjs";
import { cardName, drawCard, held, moveName } from "./table.mjs";

const drawnMove = (game, type) => drawingOf(words, game).moves[type];

/** One button a move, with the card that it is about. */
export function moveButtons(game, moves, press) {
  return make("ul", { className: "choices-of" }, moves.map((move) => {
    const picture = typeof move.card === "string" ? drawCard(game, move.card, words, { deck: drawnMove(game, move.type)?.deck }) : null;
    picture?.setAttribute("aria-hidden", "true");
    return make("li", {}, make("button", { type: "button", "data-move": JSON.stringify(move), onclick: () => press(move) }, picture, make("span", {}, moveName(game, move, words))));
  }));
}

/** The legal moves, by seat. */
export function movesBySeat(game, moves, press) {
  const seats = [...new Set(moves.map((move) => move.seat))];
  return seats.map((seat) => make("div", {}, make("h3", {}, say("seat", { seat })), moveButtons(game, moves.filter((move) => move.seat === seat), press)));
}

/** Marks the button of the move that was asked about. */
export function markAsked(holder, move) {
  const asked = JSON.stringify(move);
  for (const button of holder.querySelectorAll("[data-move]")) button.setAttribute("aria-pressed", String(button.dataset.move === asked));
}

/** Fills `holder` with the controls of a move, beginning with `move`; gives back what reads the move that they say. */
export function composer(holder, described, state, move) {
  const game = state.game;
  const seat = picked("by_seat", Array.from({ length: state.seats }, (_, at) => [at, String(at)]), move.seat);
  const type = picked("type", Object.keys(described.moves).map((kind) => [kind, say(`type_${kind}`)]), move.type);
  const parts = make("div", { className: "row" });
  let readers = [];
  const lay = () => {
    const { properties, required } = described.moves[type.value];
    const names = Object.keys(properties).filter((name) => name !== "type" && name !== "seat");
    const laid = names.map((name) => part(game, name, { schema: properties[name], required: required.includes(name), near: nearby(state, type.value, Number(seat.value)), value: move[name] }));
    readers = laid.map(({ read }, at) => [names[at], read]);
    parts.replaceChildren(...laid.map(({ element }) => element));
  };
  seat.addEventListener("change", lay);
  type.addEventListener("change", lay);
  lay();
  holder.replaceChildren(labelled("by_seat", seat), labelled("type", type), parts);
  return () => ({ type: type.value, seat: Number(seat.value), ...Object.fromEntries(readers.map(([name, read]) => [name, read()]).filter(([, value]) => value !== "")) });
}

const labelled = (key, ...controls) => make("label", {}, `${say(key)} `, controls);

function picked(key, choices, value) {
  const select = make("select", { "data-part": key }, choices.map(([choice, text]) => make("option", { value: choice }, text)));
  if (choices.some(([choice]) => choice === value)) select.value = value;
  return select;
}

/** What lies where the move takes it from: before the seat, or before all. */
function nearby(state, type, seat) {
  const place = drawnMove(state.game, type)?.place ?? "hand";
  const lying = held(state.table, place === "hand" ? "hands" : place) ?? [];
  return lying.some(Array.isArray) ? lying[seat] ?? [] : lying;
}

const numbers = ({ minimum, maximum }) => Array.from({ length: maximum - minimum + 1 }, (_, at) => minimum + at);

function part(game, name, { schema, required, near, value }) {
  if (name === "card" || schema.pattern !== undefined) return lying(game, name, [...new Set(near)], value);
  const own = words.table.games[game];
  const values = schema.enum ?? numbers(schema);
  const choices = values.map((choice) => [choice, own[`${name}_${choice}`] ?? own[choice] ?? String(choice)]);
  const select = picked(`part_${name}`, required ? choices : [["", say("nothing")], ...choices], value);
  const read = () => (schema.type === "integer" ? Number(select.value) : select.value);
  return { element: labelled(`part_${name}`, select), read };
}

/** A card, or whatever else has a code: one that lies there, or any other by its code. */
function lying(game, name, near, value) {
  const isOther = value === undefined ? near.length === 0 : !near.includes(value);
  const named = near.map((code) => [code, name === "card" ? `${code} · ${cardName(game, code, words)}` : code]);
  const select = picked(`part_${name}`, [...named, ["", say("another")]], isOther ? "" : value ?? near[0]);
  const input = make("input", { size: 6, autocomplete: "off", "aria-label": say("another"), "data-part": "another", value: isOther ? value ?? "" : "", hidden: !isOther });
  select.addEventListener("change", () => {
    input.hidden = select.value !== "";
  });
  return { element: make("div", { className: "row" }, labelled(`part_${name}`, select), input), read: () => select.value || input.value.trim().toUpperCase() };
}
