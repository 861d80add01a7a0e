// The position by hand: a field for every place of it, and what is wrong with it field by field.

import { make, say, words } from "./console-parts.mjs";
import { placeAt, placesOf, placeWithin, put, read, suitsOf, written } from "./console-places.mjs";

const MOST_PLACES = 150;
const TYPING_PAUSE = 400;
const LONG = 32;

const byId = (id) => document.getElementById(id);

/** The fields that are laid out: pointer -> {place, control, wrong, found}; whose position it is, and what takes a change. */
let fields = new Map();
let about = null;

/** What a place is called. */
function labelOf({ name, index, group }) {
  const label = say(group === "options" ? `option_${name}` : `place_${name}`);
  if (index === null) return label;
  return `${label} · ${name === "piles" ? say("level", { level: index }) : say("seat", { seat: index })}`;
}

/**
 * The fields show the position; they are laid out anew only where it has other places. `described` is the game, or null.
 * `edit` is called with the new position, the pointer of what has changed and what that is called.
 */
export function drawFields(state, described, edit) {
  const places = placesOf(state);
  about = { state, described, edit };
  const same = places.length === fields.size && places.every(({ pointer, kind }) => fields.get(pointer)?.place.kind === kind);
  if (!same) layFields(places);
  for (const place of places) fillField(fields.get(place.pointer), place);
}

function layFields(places) {
  fields = new Map();
  const isTooMuch = places.length > MOST_PLACES;
  const laid = (group) => make("fieldset", {}, make("legend", {}, say(`group_${group}`)),
    make("div", { className: "fields" }, places.filter((place) => place.group === group).map(layField)));
  byId("fields").replaceChildren(...(isTooMuch ? [make("p", {}, say("too_many"))] : ["cards", "turn", "options"].map(laid)));
}

function layField(place) {
  const id = `place${place.pointer.replaceAll("/", "-")}`;
  const choices = choicesOf(place);
  const control = choices ? make("select", { id }, choices.map((choice) => make("option", { value: choice }, choiceName(place, choice))))
    : make("input", { id, type: place.kind === "tick" ? "checkbox" : "text", spellcheck: false, autocomplete: "off", autocapitalize: "off" });
  const wrong = make("p", { id: `${id}-wrong`, className: "bad" });
  const field = { place, control, wrong, found: "" };
  let pause = 0;
  control.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => takeField(field, false), TYPING_PAUSE);
  });
  control.addEventListener("change", () => {
    clearTimeout(pause);
    takeField(field, true);
  });
  fields.set(place.pointer, field);
  const seedless = place.pointer === "/seed" ? make("button", { type: "button", onclick: () => change(field, null) }, say("no_seed")) : null;
  return make("div", { className: `field ${place.kind}` }, make("label", { for: id }, labelOf(place)), control, seedless, wrong);
}

/** The values of a place that has but a few, or null. */
function choicesOf({ kind, name, group }) {
  if (group === "options") return about.described?.options.properties[name]?.enum ?? null;
  if (kind !== "choice") return null;
  return name === "phase" ? about.described?.phases ?? null : ["", "day", "night"];
}

function choiceName({ name, group }, choice) {
  const own = words.table.games[about.state.game];
  if (group === "options") return say(`value_${choice}`);
  return name === "phase" ? own[`phase_${choice}`] ?? choice : own[choice] ?? say("nothing");
}

/** The field shows the position, except where somebody is writing in it. */
function fillField(field, place) {
  if (field === undefined) return;
  field.place = place;
  if (place.kind === "tick") field.control.checked = place.value;
  else if (field.control !== document.activeElement) field.control.value = written(place);
  field.control.parentElement.classList.toggle("long", field.control.value.length > LONG);
}

const change = ({ place }, value) => about.edit(put(about.state, place.pointer, value), place.pointer, labelOf(place));

/** Takes what is written in a field; once it is left, it is written as the position has it. */
function takeField(field, isLeft) {
  const { place, control } = field;
  try {
    const value = place.kind === "tick" ? control.checked : read(place, control.value, about.described ? suitsOf(about.described) : []);
    if (isLeft && place.kind !== "tick") control.value = written({ ...place, value });
    if (JSON.stringify(value) !== JSON.stringify(place.value)) change(field, value);
    else mark(field, field.found);
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    mark(field, failure.message === "plays" ? say("bad_plays") : say("bad_json", { why: failure.message }));
  }
}

function mark({ control, wrong }, message) {
  wrong.textContent = message;
  control.setAttribute("aria-invalid", String(message !== ""));
  control.setAttribute("aria-describedby", wrong.id);
}

/** Marks the fields that findings are about; gives back the findings as lines, each leading to its field. */
export function markFindings(state, found) {
  const places = placesOf(state);
  for (const [pointer, field] of fields) {
    field.found = found.filter((one) => placeAt(places, one.pointer)?.pointer === pointer).map(({ message }) => message).join(" ");
    mark(field, field.found);
  }
  return found.map(({ pointer, message }) => make("li", {}, finding(places, pointer), ` ${message}`));
}

/** The name of what a finding is about; pressing it leads to the field. */
function finding(places, pointer) {
  const place = placeAt(places, pointer);
  const field = fields.get((place ?? placeWithin(places, pointer))?.pointer);
  if (!field) return make("code", {}, pointer.slice(1).replaceAll("/", " › "));
  const name = place ? labelOf(place) : say(`place_${pointer.split("/").at(-1)}`);
  return make("button", { type: "button", onclick: () => leadTo(field) }, name);
}

function leadTo({ control }) {
  byId("build").open = true;
  control.focus();
  control.scrollIntoView({ block: "center" });
}
