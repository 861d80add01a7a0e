// The referee's console: a position, a move, the ruling. Everything is asked of the service's own API; nothing is kept
// but in the fragment of the address, which goes to no server.

import { ask, block, callOf, gameOf, make, problem, say, words } from "./console-parts.mjs";
import { isGame, offer, wanted } from "./console-deal.mjs";
import { askedIn, curl, fragmentOf, isLink, LONGEST } from "./console-link.mjs";
import { composer, markAsked, movesBySeat } from "./console-moves.mjs";
import { explained, nameOf, ruling } from "./console-ruling.mjs";
import { drawTable } from "./table.mjs";

const idle = document.querySelector("#verdict p");
const byId = (id) => document.getElementById(id);

/** Where the referee is: the positions so far, which of them is on the table, what was asked about it and answered. */
const desk = { steps: [], at: -1, asked: null, answer: null, side: "before", call: 0, shown: null };
let composed = () => ({});

const here = () => desk.steps[desk.at];
const isState = (value) => typeof value === "object" && value !== null && isGame(value.game) && typeof value.table === "object" && value.table !== null;

// ---- positions

/** Puts another position on the table, after the one that is there. `edited` is the place that was changed by hand. */
function enter(state, label, { checked = null, edited = null } = {}) {
  const goesOn = edited !== null && here()?.edited === edited;
  desk.steps.splice(goesOn ? desk.at : desk.at + 1, Infinity, { state, label, checked, edited });
  return goTo(desk.steps.length - 1);
}

/** Goes to one of the positions so far. */
function goTo(at) {
  desk.at = at;
  desk.shown = show();
  return desk.shown;
}

async function show() {
  Object.assign(desk, { asked: null, answer: null, side: "before" });
  byId("notice").textContent = "";
  byId("verdict").replaceChildren(idle);
  byId("grounds").replaceChildren();
  drawHistory();
  share();
  const step = here();
  step.checked ??= await ask(callOf(step.state.game, "legal-moves"), { state: step.state });
  const game = await gameOf(step.state.game);
  if (step !== here()) return;
  drawSetting(step.state);
  byId("json").value = JSON.stringify(step.state);
  drawStage();
  drawMoves(step, game);
  await drawByHand(step);
}

function drawSetting({ game, seats }) {
  if (byId("game").value !== game || byId("seats").value !== String(seats)) offer(game, seats);
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

// ---- the position by hand, and what is wrong with it

/** The fields, whose script is loaded when they are opened, or when something is wrong with what they say. */
async function drawByHand(step) {
  if (step.checked.status === 200) byId("findings").replaceChildren();
  if (step.checked.status === 200 && !byId("build").open) return;
  const [byHand, game] = await Promise.all([import("./console-fields.mjs"), gameOf(step.state.game)]);
  if (step !== here()) return;
  byHand.drawFields(step.state, game, edit);
  drawFindings(step, byHand.markFindings);
}

const edit = (state, pointer, what) => enter(state, say("step_edited", { what }), { edited: pointer });

function drawFindings({ state, checked }, markFindings) {
  const { findings, errors, code } = checked.body;
  const lines = markFindings(state, findings ?? errors ?? []);
  const heading = say(code === "impossible-state" ? "findings" : "errors", { count: lines.length });
  const told = lines.length > 0 ? [make("p", {}, make("b", {}, heading)), make("ul", {}, lines)] : problem(checked);
  byId("findings").replaceChildren(...(checked.status === 200 ? [] : [make("div", { className: "panel wrong" }, told)]));
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
  gameOf(state.game).then((game) => {
    if (game !== null && here().checked?.status === 200) composed = composer(byId("parts"), game, state, move ?? {});
  });
}

/** Asks for the ruling on {move} or {moves} and shows it. */
async function rule(asked) {
  await desk.shown;
  const step = here();
  if (!step?.checked) return;
  const call = ++desk.call;
  Object.assign(desk, { asked, answer: null, side: "before" });
  drawStage();
  byId("verdict").replaceChildren(make("p", { className: "soft" }, say("asking")));
  byId("grounds").replaceChildren();
  const answer = await ask(callOf(step.state.game, "adjudications"), { state: step.state, ...asked });
  if (call !== desk.call || step !== here()) return;
  Object.assign(desk, { answer, side: answer.status === 200 ? "after" : "before" });
  const doing = { press: (move) => rule({ move }), goOn, seeTable, isSound: step.checked.status === 200 };
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

async function goOn() {
  const { body } = desk.answer;
  await enter(body.state, nameOf(body.game, desk.asked), { checked: { status: 200, body } });
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

// ---- the beginning

async function deal(game, request) {
  const answer = await ask(callOf(game, "states"), request);
  if (answer.status === 200) return enter(answer.body.state, say("step_dealt", { game: words.table.games[game].title }), { checked: answer });
  byId("notice").replaceChildren(...problem(answer).filter(Boolean), ...(answer.body.errors ?? []).map(({ pointer, message }) => make("p", {}, make("code", {}, pointer.slice(1)), ` ${message}`)));
  return undefined;
}

function listen() {
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  const placed = (act) => () => here() && act();
  const submitted = (form, act) => form.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
  for (const id of ["game", "seats"]) on(id, "change", () => offer(byId("game").value, byId("seats").value));
  submitted(byId("deal"), () => {
    byId("deal").append(byId("notice"));
    try {
      deal(byId("game").value, wanted());
    } catch (failure) {
      if (!(failure instanceof SyntaxError)) throw failure;
      notice(say("bad_json", { why: failure.message }));
    }
  });
  submitted(byId("fields"), () => document.activeElement.dispatchEvent(new Event("change")));
  submitted(byId("paste").querySelector("form"), () => parsedFrom(byId("json"), paste));
  submitted(byId("any"), () => rule({ move: composed() }));
  submitted(byId("raw"), () => parsedFrom(byId("move"), (value) => rule(Array.isArray(value) ? { moves: value } : { move: value })));
  on("build", "toggle", placed(() => here().checked && drawByHand(here())));
  on("undo", "click", () => goTo(desk.at - 1));
  on("redo", "click", () => goTo(desk.at + 1));
  on("explain", "click", placed(explain));
  on("see-before", "click", () => Object.assign(desk, { side: "before" }) && drawStage());
  on("see-after", "click", () => Object.assign(desk, { side: "after" }) && drawStage());
  on("copy-link", "click", placed(copyLink));
  on("copy-curl", "click", placed(copyCurl));
  on("copy-state", "click", placed(() => copy(JSON.stringify(here().state))));
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
  offer(game, state?.seats ?? body?.seats);
  if (state === undefined) return deal(game, body ?? wanted());
  await begin(state, "step_case", call === "adjudications" ? { move, moves } : {});
  return call === "scores" ? explain() : undefined;
}

async function start() {
  const game = byId("game").value;
  offer(game);
  listen();
  if (await fromAddress()) return;
  const held = byId("notice").textContent;
  await (block("case") ? fromCase(block("case")) : deal(game, { seats: Number(byId("seats").value) }));
  if (held !== "") notice(held);
}

start();
