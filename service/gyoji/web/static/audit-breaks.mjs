// Where a log breaks: what the file says there, what it should be, the rule with its text, and the table before it.

import { language, plain, say, words } from "./audit-parts.mjs";
import { card, cardName, drawCard, expanded, make, moveName, text } from "./cards.mjs";
import { ruleAddress } from "./rule-links.mjs";
import { story } from "./story.mjs";
import { frames, namesOf } from "./frames.mjs";
import { viewer } from "./viewer.mjs";

/** Frames of one answer; frames that are looked at in all; of a log that breaks late, those before the break. */
const PAGE = 500;
const MOST = 2000;
const BEFORE = 1000;

/** So many cards are named of those that were allowed. */
const FEW = 6;

/** Checks that speak of the whole log, though they name its last event. */
const OF_ALL = ["head", "file"];

let open = null;

/** What is said of the first divergence; nothing where there is none. `ask` asks the service. */
export async function breaksOf(host, run, parted, ask) {
  if (parted === null) return;
  const { first, verdict, isSecond } = parted;
  const check = say(first.check);
  const game = gameOf(run);
  const rule = make("dd", {});
  host.replaceChildren(
    make("h2", {}, say("breaks")),
    make("p", {}, make("strong", {}, first.seq === null ? say("breaks_nowhere", { check }) : say("breaks_at", { seq: first.seq, check })), isSecond ? ` ${say("breaks_second")}` : ""),
    make("p", { className: "audit-why" }, verdict.checks.find((one) => one.check === first.check).why),
    saysOf(first, game, rule));
  if (first.rule !== null && game !== null) await showRule(rule, game, first.rule, ask);
}

/** What the file says and what should be, as far as the verdict tells, and the rule, which is fetched meanwhile. */
function saysOf(first, game, rule) {
  const boxes = [];
  if (first.found !== null) boxes.push(make("div", {}, make("dt", {}, say("found")), make("dd", {}, valueOf(first.found, game))));
  if (first.expected !== null) boxes.push(make("div", {}, make("dt", {}, say("expected")), make("dd", {}, isRefusal(first) ? refusal(first.expected) : valueOf(first.expected, game))));
  if (first.rule !== null && game !== null) boxes.push(make("div", { className: "audit-rule" }, make("dt", {}, say("rule_says")), rule));
  return boxes.length === 0 ? null : make("dl", { className: "audit-says" }, boxes);
}

/** The game that the header names, if it is one of ours. */
function gameOf({ header }) {
  return Object.hasOwn(words.table.games, header?.game) ? header.game : null;
}

async function showRule(host, game, id, ask) {
  const { rule, heading, text: texts } = await ask("GET", `/v1/games/${game}/rules/${encodeURIComponent(id)}`);
  host.replaceChildren(
    make("p", {}, make("b", {}, `${rule} `), heading[language]),
    make("p", {}, texts[language]),
    make("a", { className: "audit-link", href: ruleAddress(game, rule) }, say("rule_read")));
}

function isMove(value) {
  return typeof value?.type === "string" && Number.isInteger(value.seat);
}

/** Of a move that the rules refuse, what is expected is the reason. */
function isRefusal({ check, found, expected }) {
  return check === "moves" && isMove(found) && typeof expected === "string";
}

function refusal(reason) {
  return [make("strong", {}, say("refused")), " ", make("code", {}, reason)];
}

/** A value of a log as one may read it: a card as a card, a move in words. */
function valueOf(value, game) {
  if (Number.isInteger(value.bytes) && Object.keys(value).length === 1) return make("span", { className: "soft" }, say("long", value));
  if (game !== null && card(words, game, value) !== null) return [drawCard(game, value, words, { small: true }), " ", cardName(game, value, words)];
  if (game !== null && isMove(value)) {
    const picture = card(words, game, value.card) === null ? null : drawCard(game, value.card, words, { small: true });
    return [picture, " ", said(value, game, [])];
  }
  return make("code", {}, plain(typeof value === "string" ? value : text(value, 300), 300));
}

function said(move, game, names) {
  return `${names[move.seat] ?? words.seat.replace("{seat}", move.seat)}: ${moveName(game, move, words)}`;
}

/** The match of the file: at the position before it breaks, else at its end; if the run is the `isLatest` by then. */
export async function replayOf(host, run, parted, ask, isLatest) {
  open?.stop();
  open = null;
  const game = gameOf(run);
  if (game === null || hasNoEvent(parted)) return;
  const seq = parted === null || OF_ALL.includes(parted.first.check) ? null : parted.first.seq;
  const { list, answer } = await framesOf(run, seq, ask, isLatest);
  if (!isLatest() || list.length === 0) return;
  const place = make("div", {});
  const hasTable = list.some(({ view }) => view !== null);
  const breaks = hasTable && seq !== null && seq > list[0].seq;
  host.replaceChildren(make("h2", {}, breaks ? say("before", { seq }) : say(hasTable ? "steps" : "told")), place);
  if (!hasTable) return tellOnly(place, game, list, seq, run);
  const names = namesOf(answer.seats, words);
  const here = breaks ? noticeOf(list, parted.first, game, names) : null;
  const table = viewer(place, {
    game, words, names, viewer: answer.viewer.seat,
    stepped: ({ seq: shown }) => open !== null && here !== null && shown === seq - 1 && open.notice(here()),
  });
  table.add(list);
  open = table;
  if (!breaks) return;
  table.flag(seq);
  table.jump(seq - 1);
}

/** A header alone: what is missing is the first event. */
function hasNoEvent(parted) {
  return parted !== null && parted.first.check === "head" && parted.first.seq === 0;
}

async function framesOf({ bytes }, seq, ask, isLatest) {
  const list = [];
  let answer = null;
  let after = seq !== null && seq > MOST - PAGE ? seq - BEFORE : -1;
  do {
    answer = await ask("POST", `/audit/frames?after=${after}&limit=${PAGE}`, { body: bytes });
    list.push(...frames(answer, list.at(-1)));
    after = answer.next;
  } while (after !== null && list.length < MOST && isLatest());
  return { list, answer };
}

/** What is said at the table before the event that breaks the log: whether its move is one of the legal ones. */
function noticeOf(list, { seq, found }, game, names) {
  const [before, broken] = [seq - 1, seq].map((wanted) => list.find((frame) => frame.seq === wanted));
  const move = broken?.move ?? (isMove(found) ? found : null);
  if (move === null || !isMove(move) || !before) return () => make("p", {}, say("next_breaks", { seq }));
  const allowed = expanded(before.legal);
  const isLegal = allowed.some((legal) => same(legal, move));
  const sentence = say(isLegal ? "move_legal" : "move_illegal", { seq, move: said(move, game, names) });
  return () => make("p", {}, sentence, isLegal ? "" : onlyAllowed(allowed.filter(({ seat }) => seat === move.seat), game));
}

/** The few cards that the seat could have played, by name; nothing where it had other moves, or many. */
function onlyAllowed(moves, game) {
  const isFew = moves.length > 0 && moves.length <= FEW && moves.every(({ type, card: code }) => type === "play" && card(words, game, code) !== null);
  if (!isFew) return "";
  const cards = new Intl.ListFormat(language, { type: "disjunction" }).format(moves.map(({ card: code }) => cardName(game, code, words)));
  return ` ${say("only_allowed", { cards })}`;
}

/** Whether two moves are the same: flat documents. */
function same(one, other) {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}

/** A file without positions has no table: what happened, as far as it tells, and why there is no more. */
function tellOnly(place, game, list, seq, { header }) {
  const events = story(game, say("told"), (index) => events.show(index));
  events.add(list);
  place.className = "audit-told";
  place.replaceChildren(make("p", {}, say(header.audience === "full" ? "no_table" : "no_table_redacted")), events.element);
  const broken = list.findIndex((frame) => frame.seq === seq);
  if (broken >= 0) events.flag(broken);
  events.show(Math.max(broken, 0));
}
