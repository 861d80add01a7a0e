// The referee's console: a position, a move, the ruling. Everything is asked of the service's own API; nothing is kept
// but in the fragment of the address, which goes to no server.

import { ask, block, callOf, known, make, problem, say, words } from "./console-parts.mjs";
import { askedIn, curl, fragmentOf, isLink, LONGEST } from "./console-link.mjs";
import { composer, markAsked, movesBySeat } from "./console-moves.mjs";
import { MOST_PLACES, placeAt, placesOf, placeWithin, put, read, suitsOf, written } from "./console-places.mjs";
import { explained, nameOf, ruling } from "./console-ruling.mjs";
import { drawTable } from "./table.mjs";

const seatings = block("seatings");
const idle = document.querySelector("#verdict p");
const byId = (id) => document.getElementById(id);
const TYPING_PAUSE = 400;
const LONG = 32;

/** Where the referee is: the positions so far, which of them is on the table, what was asked about it and answered. */
const desk = { steps: [], at: -1, asked: null, answer: null, side: "before", call: 0 };
let composed = () => ({});
let fields = new Map();

/** A game as the catalogue describes it, or null where that cannot be had. */
const described = (game) => known(`/v1/games/${encodeURIComponent(game)}`);
const here = () => desk.steps[desk.at];
const isGame = (game) => typeof game === "string" && Object.hasOwn(seatings, game);
const isState = (value) => typeof value === "object" && value !== null && isGame(value.game) && typeof value.table === "object" && value.table !== null;

// ---- positions

/** Puts another position on the table, after the one that is there. `edited` is the place that was changed by hand. */
function enter(state, label, { checked = null, edited = null } = {}) {
  const goesOn = edited !== null && here()?.edited === edited;
  desk.steps.splice(goesOn ? desk.at : desk.at + 1, Infinity, { state, label, checked, edited });
  desk.at = desk.steps.length - 1;
  return show();
}

/** Shows the position that `desk.at` names. */
async function show() {
  Object.assign(desk, { asked: null, answer: null, side: "before" });
  byId("notice").textContent = "";
  byId("verdict").replaceChildren(idle);
  byId("grounds").replaceChildren();
  drawHistory();
  share();
  const step = here();
  step.checked ??= await ask(callOf(step.state.game, "legal-moves"), { state: step.state });
  const game = await described(step.state.game);
  if (step !== here()) return;
  drawSetting(step.state);
  drawFields(step.state, game);
  drawFindings(step);
  drawStage();
  drawMoves(step, game);
}

function drawSetting({ game, seats }) {
  if (byId("game").value !== game || byId("seats").value !== String(seats)) offerSeats(game, seats);
}

/** The table of the position, or the one after the move; drawn only of what the service has found to have its shape. */
function drawStage() {
  const { state, checked } = here();
  const after = desk.side === "after" ? desk.answer.body : null;
  const shaped = checked.status === 200 || checked.body.code === "impossible-state";
  byId("sides").hidden = desk.answer?.status !== 200;
  byId("see-before").setAttribute("aria-pressed", String(after === null));
  byId("see-after").setAttribute("aria-pressed", String(after !== null));
  const looks = after ? { legal: after.legal_moves, previous: state, move: desk.asked.move } : { legal: checked.body.legal_moves, play: (move) => rule({ move }) };
  byId("stage").replaceChildren(shaped ? drawTable(state.game, after ? after.state : state, { words, ...looks }) : make("p", { className: "panel soft" }, say("not_drawn")));
}

// ---- the position by hand

const labelOf = ({ name, index, group }) => {
  const label = say(group === "options" ? `option_${name}` : `place_${name}`);
  if (index === null) return label;
  return `${label} · ${name === "piles" ? say("level", { level: index }) : say("seat", { seat: index })}`;
};

function drawFields(state, described) {
  const places = placesOf(state);
  byId("json").value = JSON.stringify(state);
  const same = places.length === fields.size && places.every(({ pointer, kind }) => fields.get(pointer)?.place.kind === kind);
  if (!same) layFields(places, described);
  for (const place of places) fillField(fields.get(place.pointer), place);
}

function layFields(places, described) {
  fields = new Map();
  if (places.length > MOST_PLACES) byId("fields").replaceChildren(make("p", {}, say("too_many")));
  if (places.length > MOST_PLACES) return;
  byId("fields").replaceChildren(...["cards", "turn", "options"].map((group) => make("fieldset", {},
    make("legend", {}, say(`group_${group}`)),
    make("div", { className: "fields" }, places.filter((place) => place.group === group).map((place) => layField(place, described))))));
}

function layField(place, described) {
  const id = `place${place.pointer.replaceAll("/", "-")}`;
  const choices = choicesOf(place, described);
  const control = choices ? make("select", { id }, choices.map((choice) => make("option", { value: choice }, choiceName(place, choice))))
    : make("input", { id, type: place.kind === "tick" ? "checkbox" : "text", spellcheck: false, autocomplete: "off", autocapitalize: "off" });
  const wrong = make("p", { id: `${id}-wrong`, className: "bad" });
  const suits = described ? suitsOf(described) : [];
  let pause = 0;
  control.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(() => takeField(fields.get(place.pointer), suits, false), TYPING_PAUSE);
  });
  control.addEventListener("change", () => {
    clearTimeout(pause);
    takeField(fields.get(place.pointer), suits, true);
  });
  fields.set(place.pointer, { place, control, wrong });
  const seedless = place.pointer === "/seed" ? make("button", { type: "button", onclick: () => edit(place, null) }, say("no_seed")) : null;
  return make("div", { className: `field ${place.kind}` }, make("label", { for: id }, labelOf(place)), control, seedless, wrong);
}

/** The values of a place that has but a few, or null. */
function choicesOf({ kind, name, group }, described) {
  if (group === "options") return described?.options.properties[name]?.enum ?? null;
  if (kind !== "choice") return null;
  return name === "phase" ? described?.phases ?? null : ["", "day", "night"];
}

function choiceName({ name, group }, choice) {
  const own = words.table.games[here().state.game];
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

/** Takes what is written in a field; once it is left, it is written as the position has it. */
function takeField(field, suits, isLeft) {
  const { place, control } = field;
  try {
    const value = place.kind === "tick" ? control.checked : read(place, control.value, suits);
    if (isLeft && place.kind !== "tick") control.value = written({ ...place, value });
    if (JSON.stringify(value) !== JSON.stringify(place.value)) edit(place, value);
    else if (field.isBroken) drawFindings(here());
    field.isBroken = false;
  } catch (failure) {
    if (!(failure instanceof SyntaxError)) throw failure;
    field.isBroken = true;
    mark(field, [failure.message === "plays" ? say("bad_plays") : say("bad_json", { why: failure.message })]);
  }
}

const edit = (place, value) => enter(put(here().state, place.pointer, value), say("step_edited", { what: labelOf(place) }), { edited: place.pointer });

function mark({ control, wrong }, messages) {
  wrong.textContent = messages.join(" ");
  control.setAttribute("aria-invalid", String(messages.length > 0));
  control.setAttribute("aria-describedby", wrong.id);
}

// ---- what is wrong with a position

function drawFindings({ state, checked }) {
  const { findings, errors, code } = checked.body;
  const found = findings ?? errors ?? [];
  const places = placesOf(state);
  for (const [pointer, field] of fields) mark(field, found.filter((one) => placeAt(places, one.pointer)?.pointer === pointer).map(({ message }) => message));
  const lines = found.map(({ pointer, message }) => make("li", {}, finding(places, pointer), ` ${message}`));
  const heading = code === "impossible-state" ? "findings" : "errors";
  const isOther = checked.status !== 200 && found.length === 0;
  byId("findings").replaceChildren(...(lines.length > 0 ? [make("div", { className: "panel wrong" }, make("p", {}, make("b", {}, say(heading, { count: lines.length }))), make("ul", {}, lines))] : []),
    ...(isOther ? [make("div", { className: "panel wrong" }, problem(checked))] : []));
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

// ---- moves and rulings

function drawMoves({ state, checked }, described) {
  const legal = checked.body.legal_moves;
  const none = make("p", { className: "soft" }, say(checked.status === 200 ? "nothing_legal" : "wait_findings"));
  byId("legal").replaceChildren(...(legal?.length > 0 ? movesBySeat(state.game, legal, (move) => rule({ move })) : [none]));
  byId("any").hidden = described === null || checked.status !== 200;
  compose(legal?.[0] ?? { seat: 0 });
}

function compose(move) {
  const { state } = here();
  byId("move").value = JSON.stringify(move);
  described(state.game).then((game) => {
    if (game !== null && here().checked?.status === 200) composed = composer(byId("parts"), game, state, move);
  });
}

/** Asks for the ruling on {move} or {moves} and shows it. */
async function rule(asked) {
  const step = here();
  const call = ++desk.call;
  Object.assign(desk, { asked, answer: null, side: "before" });
  drawStage();
  byId("verdict").replaceChildren(make("p", { className: "soft" }, say("asking")));
  byId("grounds").replaceChildren();
  const answer = await ask(callOf(step.state.game, "adjudications"), { state: step.state, ...asked });
  if (call !== desk.call || step !== here()) return;
  Object.assign(desk, { answer, side: answer.status === 200 ? "after" : "before" });
  const doing = { press: (move) => rule({ move }), goOn, seeTable };
  const [verdict, grounds] = ruling(step.state.game, asked, answer, doing);
  byId("verdict").replaceChildren(...verdict.filter(Boolean));
  byId("grounds").replaceChildren(...grounds.filter(Boolean));
  drawStage();
  if (asked.move) markAsked(byId("legal"), asked.move);
  if (asked.moves) byId("move").value = JSON.stringify(asked.moves);
  else if (JSON.stringify(asked.move) !== JSON.stringify(composed())) compose(asked.move);
  byId("verdict").scrollIntoView({ block: "nearest" });
  share();
}

function goOn() {
  const { body } = desk.answer;
  enter(body.state, nameOf(body.game, desk.asked), { checked: { status: 200, body } });
  byId("legal").querySelector("button")?.focus();
}

function seeTable() {
  desk.side = "after";
  drawStage();
  byId("stage").scrollIntoView({ block: "start" });
}

async function explain() {
  const { state } = here();
  const answer = await ask(callOf(state.game, "scores"), { state });
  byId("verdict").replaceChildren();
  byId("grounds").replaceChildren(...explained(state.game, answer));
  byId("ruling").scrollIntoView({ block: "nearest" });
}

/** Reads the JSON of a text field, or says why it is none. */
function parsedFrom(field, use) {
  let value;
  try {
    value = JSON.parse(field.value);
  } catch (failure) {
    notice(say("bad_json", { why: failure.message }), field);
    return;
  }
  use(value);
}

function notice(text, near) {
  byId("notice").textContent = text;
  near?.after(byId("notice"));
}

function paste(value) {
  const state = [value, value?.state, value?.view].find(isState);
  if (state === undefined) return notice(say("no_position"), byId("json"));
  return begin(state, "step_pasted", value.state === state ? value : {});
}

/** A position that came whole, and the move that came with it. */
async function begin(state, label, { move, moves } = {}) {
  await enter(state, say(label));
  if (moves !== undefined) await rule({ moves });
  else if (move !== undefined) await rule({ move });
}

// ---- history

function drawHistory() {
  byId("undo").disabled = desk.at <= 0;
  byId("redo").disabled = desk.at >= desk.steps.length - 1;
  byId("history").replaceChildren(...desk.steps.map(({ label }, at) => make("li", {},
    make("button", { type: "button", "aria-current": at === desk.at ? "step" : null, onclick: () => goTo(at) }, label))));
}

function goTo(at) {
  desk.at = at;
  return show();
}

// ---- links and copies

const shared = () => ({ state: here().state, ...desk.asked });

/** The address follows what is on the table, so that it can be kept, sent on and read in the other language. */
async function share() {
  const asked = shared();
  const fragment = await fragmentOf(asked);
  if (JSON.stringify(asked) !== JSON.stringify(shared())) return;
  history.replaceState(null, "", fragment.length > LONGEST ? location.pathname + location.search : `#${fragment}`);
}

async function copyLink() {
  const fragment = await fragmentOf(shared());
  const { origin } = location;
  const language = new URLSearchParams(location.search).has("lang") ? `?lang=${document.documentElement.lang}` : "";
  if (fragment.length > LONGEST) byId("shared").textContent = say("too_long", { length: fragment.length, most: LONGEST });
  else await copy(`${origin}/console${language}#${fragment}`);
}

const copyCurl = () => copy(curl(`${location.origin}${callOf(here().state.game, desk.asked ? "adjudications" : "legal-moves")}`, shared(), document.documentElement.lang));

/** To the clipboard where the browser lets the page, and into a field in any case. */
async function copy(text) {
  const field = byId("shared-text");
  field.hidden = false;
  field.value = text;
  field.select();
  const done = await (navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false);
  byId("shared").textContent = say(done ? "copied" : "copy_yourself");
}

// ---- a first position

function offerSeats(game, seats, first = 0) {
  byId("game").value = game;
  const [least, most] = seatings[game];
  const numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => make("option", {}, String(from + at)));
  byId("seats").replaceChildren(...numbers(least, most));
  byId("seats").value = String(Math.min(Math.max(Number(seats) || least, least), most));
  byId("first").replaceChildren(...numbers(0, byId("seats").value - 1));
  byId("first").value = String(first);
  offerOptions(game);
}

/** The options of the game; one that is left alone is as in the rulebook. */
async function offerOptions(game) {
  const found = await described(game);
  if (byId("options").dataset.game === game || found === null) return;
  byId("options").dataset.game = game;
  byId("options").replaceChildren(...Object.entries(found.options.properties).map(([name, schema]) => make("div", { className: "field" },
    make("label", { for: `option-${name}` }, say(`option_${name}`)), optionControl(name, schema))));
}

function optionControl(name, schema) {
  const values = schema.enum ?? (schema.type === "boolean" ? [true, false] : schema.type === "integer" ? Array.from({ length: schema.maximum - schema.minimum + 1 }, (_, at) => schema.minimum + at) : null);
  const properties = { id: `option-${name}`, "data-option": name };
  if (values === null) return make("input", { ...properties, placeholder: say("option_default"), autocomplete: "off" });
  const text = (value) => (typeof value === "boolean" ? say(value ? "yes" : "no") : typeof value === "string" ? say(`value_${value}`) : String(value));
  return make("select", properties, make("option", { value: "" }, say("option_default")), values.map((value) => make("option", { value: JSON.stringify(value) }, text(value))));
}

/** What was chosen: JSON, or codes with spaces between them. */
function optionsChosen() {
  const chosen = [...byId("options").querySelectorAll("[data-option]")].filter(({ value }) => value.trim() !== "");
  return Object.fromEntries(chosen.map(({ dataset, value }) => [dataset.option, /^[[{"\d tf-]/.test(value) ? JSON.parse(value) : value.trim().toUpperCase().split(/[\s,]+/)]));
}

async function deal(game, request) {
  const answer = await ask(callOf(game, "states"), request);
  if (answer.status === 200) return enter(answer.body.state, say("step_dealt", { game: words.table.games[game].title }), { checked: answer });
  byId("notice").replaceChildren(...problem(answer).filter(Boolean), ...(answer.body.errors ?? []).map(({ pointer, message }) => make("p", {}, make("code", {}, pointer.slice(1)), ` ${message}`)));
  return undefined;
}

// ---- the beginning

function listen() {
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  const submitted = (form, act) => form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
  on("game", "change", () => offerSeats(byId("game").value, Number(byId("seats").value)));
  on("seats", "change", () => offerSeats(byId("game").value, Number(byId("seats").value)));
  submitted(byId("deal"), () => {
    byId("deal").append(byId("notice"));
    try {
      deal(byId("game").value, { seats: Number(byId("seats").value), first: Number(byId("first").value), options: optionsChosen() });
    } catch (failure) {
      if (!(failure instanceof SyntaxError)) throw failure;
      notice(say("bad_json", { why: failure.message }));
    }
  });
  submitted(byId("fields"), () => document.activeElement.dispatchEvent(new Event("change")));
  submitted(byId("paste").querySelector("form"), () => parsedFrom(byId("json"), paste));
  submitted(byId("any"), () => rule({ move: composed() }));
  submitted(byId("raw"), () => parsedFrom(byId("move"), (value) => rule(Array.isArray(value) ? { moves: value } : { move: value })));
  on("undo", "click", () => goTo(desk.at - 1));
  on("redo", "click", () => goTo(desk.at + 1));
  on("explain", "click", explain);
  on("see-before", "click", () => Object.assign(desk, { side: "before" }) && drawStage());
  on("see-after", "click", () => Object.assign(desk, { side: "after" }) && drawStage());
  on("copy-link", "click", copyLink);
  on("copy-curl", "click", copyCurl);
  on("copy-state", "click", () => copy(JSON.stringify(here().state)));
  window.addEventListener("hashchange", fromAddress);
}

/** Opens what the address holds; false where it holds nothing. */
async function fromAddress() {
  const fragment = location.hash.slice(1);
  if (!isLink(fragment)) return false;
  const held = await askedIn(fragment).catch(() => null);
  if (!isState(held?.state)) {
    notice(say("bad_link"));
    return false;
  }
  await begin(held.state, "step_linked", held);
  return true;
}

async function fromCase({ game, call, body, state, move, moves }) {
  offerSeats(game, state?.seats ?? body?.seats ?? 0);
  if (state === undefined) return deal(game, body ?? { seats: seatings[game][1] });
  await begin(state, "step_case", call === "adjudications" ? { move, moves } : {});
  return call === "scores" ? explain() : undefined;
}

async function start() {
  offerSeats("catte", 4);
  listen();
  if (await fromAddress()) return;
  const held = byId("notice").textContent;
  await (block("case") ? fromCase(block("case")) : deal("catte", { seats: 4 }));
  if (held !== "") notice(held);
}

start();
