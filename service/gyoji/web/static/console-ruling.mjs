// The ruling: what is read out at the table, and what it rests on.

import { callOf, known, make, problem, ruleLink, say, told, words } from "./console-parts.mjs";
import { moveButtons } from "./console-moves.mjs";
import { moveName } from "./table.mjs";

const STAMPS = { good: "可", bad: "否", none: "保" };

/** The stamp and the sentence under it. */
function verdict(kind, heading, ...lines) {
  return make("div", { className: `verdict ${kind}` },
    make("span", { className: "hanko", "aria-hidden": "true", lang: "ja" }, STAMPS[kind]),
    make("div", {}, make("p", { className: "said" }, heading), lines));
}

/** What was asked, in words. */
export function nameOf(game, asked) {
  if (asked.moves) return say("moves_of", { count: asked.moves.length });
  const { type, seat } = asked.move ?? {};
  const isNamed = typeof type === "string" && Number.isInteger(seat);
  return isNamed ? `${say("seat", { seat })} · ${moveName(game, asked.move, words)}` : JSON.stringify(asked.move);
}

/**
 * The answer to a move as [verdict, grounds], each a list of elements. `press` is called with a move that may be played
 * instead, `goOn` without anything, `seeTable` to see the table after the move; `isSound`: nothing is wrong with the position.
 */
export function ruling(game, asked, answer, { press, goOn, seeTable, isSound }) {
  const named = make("p", { className: "asked" }, nameOf(game, asked));
  if (answer.status === 200) return [[verdict("good", say("allowed"), named)], accepted(game, answer.body, { goOn, seeTable })];
  if (answer.body.code === "illegal-move") return [[verdict("bad", say("refused"), named), ...because(asked, answer.body)], refused(game, answer.body, press)];
  return [[verdict("none", say("no_ruling"), named), ...unruled(answer, isSound)], []];
}

function because(asked, body) {
  const at = asked.moves && Number.isInteger(body.move_index) ? say("move_at", { number: body.move_index + 1, count: asked.moves.length }) : null;
  return [at ? make("p", {}, at) : null, make("p", { className: "because" }, body.because)];
}

function refused(game, body, press) {
  const instead = body.legal_moves ?? [];
  return [
    body.rule ? cited(game, body.rule, body.rule_text) : null,
    make("h3", {}, say(instead.length > 0 ? "instead" : "instead_none", { seat: body.seat })),
    instead.length > 0 ? moveButtons(game, instead, press) : null,
  ];
}

/** The rule with its text; its heading comes from the rulebook, and is put in when it is there. */
function cited(game, rule, text) {
  const heading = make("span", {});
  headingOf(game, rule).then((found) => heading.append(found));
  return make("blockquote", { className: "cited" },
    make("p", { className: "soft" }, say("cites")),
    make("p", {}, make("b", {}, `${rule} `, heading)),
    make("p", {}, text ?? ""),
    make("p", {}, ruleLink(game, rule, say("read_rule"))));
}

async function headingOf(game, rule) {
  const book = await known(callOf(game, "rules"));
  return book?.rules.find((entry) => entry.rule === rule)?.heading[document.documentElement.lang] ?? "";
}

function accepted(game, body, { goOn, seeTable }) {
  return [
    make("div", { className: "row" },
      make("button", { type: "button", className: "first", id: "go-on", onclick: goOn }, say("go_on")),
      make("button", { type: "button", id: "see-table", onclick: seeTable }, say("see_table"))),
    make("h3", {}, say("happened")),
    make("ol", { className: "follows" }, body.events.map((event) => make("li", {}, told(game, event), ...rules(game, event)))),
    totals(body.scores),
  ];
}

const rules = (game, { rule }) => (rule ? [" ", ruleLink(game, rule)] : []);

const signed = (points) => (points > 0 ? `+${points}` : String(points));

function totals(scores) {
  return make("dl", { className: "totals", "aria-label": say("score") }, scores.map((points, seat) => make("div", {}, make("dt", {}, say("seat", { seat })), make("dd", {}, String(points)))));
}

/** Every scored figure with its rule and its reason. */
export function explained(game, answer) {
  if (answer.status !== 200) return [make("p", {}, say("score")), ...problem(answer)];
  const { scores, lines } = answer.body;
  return [
    make("h3", {}, say("score")), totals(scores), make("h3", {}, say("score_lines")),
    lines.length === 0 ? make("p", {}, say("no_lines")) : make("ul", { className: "follows" }, lines.map((line) => make("li", {},
      make("b", {}, `${line.seat === null ? "" : `${say("seat", { seat: line.seat })} `}${signed(line.points)} `),
      line.round ? make("span", { className: "soft" }, `${say("round_of", { round: line.round })} `) : null, line.why, ...rules(game, line)))),
  ];
}

/** Why there is no ruling: the position is at fault, alone or for this move; the move has not got its shape; or the call failed. */
function unruled(answer, isSound) {
  const { code, findings = [], errors = [] } = answer.body;
  const isPosition = code === "impossible-state" || errors.some(({ pointer }) => pointer.startsWith("/state"));
  if (isPosition && !isSound) return [make("p", {}, say("no_ruling_position"))];
  const lines = [...findings, ...errors].map(({ pointer, message }) => make("li", {}, make("code", {}, pointer.slice(1).replaceAll("/", " › ")), ` ${message}`));
  return lines.length === 0 ? problem(answer) : [make("p", {}, say(isPosition ? "no_ruling_here" : "no_ruling_move")), make("ul", {}, lines)];
}
