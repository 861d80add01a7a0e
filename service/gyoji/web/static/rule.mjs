// A quick ruling: what lies on the table is tapped, the service rules or asks for the one fact that it hangs on.

import { cardName, drawCard, make, moveName } from "./cards.mjs";
import { askedIn, fragmentOf, isLink } from "./console-link.mjs";
import { rulingOf, undecided, unruled } from "./rule-answer.mjs";
import { ask, block, callOf, say, words } from "./console-parts.mjs";

const games = block("games");
const asked = block("asked");
const holder = document.getElementById("rule");
const NOTHING = "none";

/** What has been tapped: game, value of the first fact, move, hand (beside the card of the move), all of it or not, answers. */
let at = {};
/** Counts what is shown, so that an answer that comes too late is not shown any more. */
let turn = 0;

const of = () => asked[at.game];
const moveOf = () => of().moves.find(({ type }) => type === at.move?.type);

/** The word that a move still lacks, as [member, words]: only whoever has nothing to follow declares one. */
function lacking() {
  if (!at.move || at.value !== NOTHING) return null;
  return Object.entries(moveOf()?.words ?? {}).find(([member]) => !(member in at.move)) ?? null;
}

/** The body of the call. */
function question() {
  const hand = [...(at.move.card ? [at.move.card] : []), ...at.hand];
  const known = { [of().fact]: at.value === NOTHING ? null : at.value, hand, ...(at.all ? { others: 0 } : {}) };
  return { known, answers: at.answers, move: at.move, ...(at.asker ? { asker: at.asker } : {}) };
}

/** Goes on at once: whatever was shown can be tapped once, and not again meanwhile. The address follows. */
async function go(changes, isBack = false) {
  at = { ...at, ...changes };
  const mine = ++turn;
  if (!isBack) history.pushState(at, "", `${location.pathname}${location.search}`);
  await show(mine, isBack ? null : address(mine));
}

async function address(mine) {
  const hash = at.game ? `#${await fragmentOf(at)}` : "";
  if (mine === turn) history.replaceState(at, "", `${location.pathname}${location.search}${hash}`);
}

function put(heading, ...children) {
  const title = make("h2", { tabIndex: -1 }, heading);
  holder.inert = false;
  holder.replaceChildren(...[soFar(), title, children].flat(Infinity).filter(Boolean));
  if (turn > 1) title.focus({ preventScroll: true }); // not as the page opens: the keyboard begins at its top
  globalThis.scrollTo(0, 0);
}

const button = (text, press, properties = {}) => make("button", { type: "button", onclick: press, ...properties }, text);

/** What has been said so far, and the way to begin again. */
function soFar() {
  if (!at.game) return null;
  const value = at.value === undefined ? null : make("p", {}, say("lies"), at.value === NOTHING ? say("nothing_lies") : drawCard(at.game, at.value, words));
  const move = !at.move ? null : make("p", {}, say("disputed"), at.move.card ? drawCard(at.game, at.move.card, words) : moveName(at.game, at.move, words), at.asker ? make("bdi", {}, at.asker) : null);
  return make("div", { className: "so-far" }, make("b", {}, games[at.game]), value, move, button(say("again"), () => go({ game: undefined, value: undefined, move: undefined })));
}

function cards(codes, press, pressed) {
  const one = (code) => button(drawCard(at.game, code, words), () => press(code), {
    "aria-label": cardName(at.game, code, words), "data-card": code, ...(pressed ? { "aria-pressed": String(pressed(code)) } : {}) });
  return make("ul", { className: "cards" }, codes.map((code) => make("li", {}, one(code))));
}

/** The cards that can still lie elsewhere than where one of them lies already. */
function left() {
  const taken = [at.value, at.move?.card].filter((code) => code && code !== NOTHING);
  const many = (list, code) => list.filter((other) => other === code).length;
  return [...new Set(of().deck)].filter((code) => many(of().deck, code) > many(taken, code));
}

async function show(mine, addressed) {
  if (!at.game) return put(say("which_game"), make("div", { className: "games" }, Object.keys(asked).map((game) => button(games[game], () => go({ ...EMPTY, game }), { "data-game": game }))));
  if (at.value === undefined) {
    const { values, fact, choices } = of();
    const none = values.includes(NOTHING) ? button(choices[`${fact}_${NOTHING}`], () => go({ value: NOTHING }), { "data-none": "" }) : null;
    return put(choices[fact], make("p", {}, none), cards(values.filter((value) => value !== NOTHING), (value) => go({ value })));
  }
  if (!at.move) return put(say("which_card"), ...disputed());
  const lacks = lacking();
  if (lacks) {
    const [member, known] = lacks;
    return put(say("declared"), make("div", { className: "answers" }, known.map((word) => button(moveName(at.game, { ...at.move, [member]: word }, words), () => go({ move: { ...at.move, [member]: word } }), { "data-word": word }))));
  }
  return answer(mine, addressed);
}

function disputed() {
  const plain = of().moves.filter(({ card }) => !card).map(({ type }) => button(moveName(at.game, { type }, words), () => go({ move: { type } }), { "data-move": type }));
  return [cards(left(), (card) => go({ move: { type: of().moves.find((move) => move.card).type, card } })), make("div", { className: "row" }, plain)];
}

async function answer(mine, addressed) {
  holder.inert = true;
  const [found] = await Promise.all([ask(callOf(at.game, "questions"), question()), addressed]);
  if (mine !== turn) return;
  if (found.status !== 200) return put(say("no_ruling"), unruled(found), more());
  if (found.body.missing) return put(found.body.missing.question, undecided((is) => go({ answers: [...at.answers, { fact: found.body.missing.fact, among: found.body.missing.among, is }] })), more());
  put(say("ruling"), rulingOf(at.game, found.body.rulings[0]), more());
}

/** Everything that is seldom needed: the rest of the hand, and a name. */
function more() {
  const hold = (code) => go({ hand: at.hand.includes(code) ? at.hand.filter((other) => other !== code) : [...at.hand, code], answers: [] });
  const all = make("input", { type: "checkbox", id: "all", checked: at.all, onchange: (event) => go({ all: event.target.checked, answers: [] }) });
  const name = make("input", { id: "asker", value: at.asker, autocomplete: "off", maxLength: 60, onchange: (event) => go({ asker: event.target.value }) });
  return make("details", { open: at.hand.length > 0 || at.all }, make("summary", {}, say("more")),
    make("label", { className: "name" }, say("name"), name),
    make("h3", {}, say("rest")), cards(left(), hold, (code) => at.hand.includes(code)),
    make("label", { className: "tick" }, all, say("all")));
}

const EMPTY = { game: undefined, value: undefined, move: undefined, hand: [], all: false, asker: "", answers: [] };

/** What was kept of a page, else what its address says, as far as it can be: anybody may have written it. */
async function read(kept) {
  try {
    const found = kept ?? (isLink(location.hash.slice(1)) ? await askedIn(location.hash.slice(1)) : {});
    return typeof found.game === "string" && Object.hasOwn(asked, found.game) ? sound(found) : EMPTY;
  } catch {
    return EMPTY;
  }
}

function sound({ game, value, move, hand, all, asker, answers }) {
  const { deck, values, moves } = asked[game];
  const isMove = move && typeof move === "object" && moves.some(({ type, card }) => type === move.type && (!card || deck.includes(move.card)));
  const isAnswer = (one) => one && typeof one.fact === "string" && Array.isArray(one.among);
  return { game, value: values.includes(value) ? value : undefined, move: isMove ? move : undefined,
    hand: Array.isArray(hand) ? hand.filter((code) => deck.includes(code)) : [], all: all === true, asker: typeof asker === "string" ? asker.slice(0, 60) : "",
    answers: Array.isArray(answers) ? answers.filter(isAnswer) : [] };
}

globalThis.addEventListener("popstate", async ({ state }) => go(await read(state), true));
go(await read(history.state), true);
