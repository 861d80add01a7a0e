// The sheet of a round that has just been scored, as it is printed: a row for what was scored, a column for each seat.

import { make, text } from "./cards.mjs";
import { ruleLink } from "./rule-links.mjs";

const minus = (points) => String(points).replace("-", "−");
const signed = (points) => (points > 0 ? `+${points}` : minus(points));

/**
 * The sheet as an element. `event` is the game's own, with the `lines` of the scores where it has any; `told` says what
 * happened, `scores` are those after it, `rules` the headings of the rules.
 */
export function scoringSheet({ game, event, told, scores, names, rules, say }) {
  const byRule = Map.groupBy(event.lines ?? [], ({ rule }) => rule);
  const seats = names.map((_, seat) => seat);
  const column = (name) => make("th", { scope: "col" }, text(name, 24));
  const row = (head, cell, className = "") => make("tr", { className }, make("th", { scope: "row" }, head), seats.map((seat) => make("td", {}, cell(seat))));
  const pointsOf = (lines, seat) => {
    const own = lines.filter((line) => line.seat === seat);
    return own.length === 0 ? "" : signed(own.reduce((total, { points }) => total + points, 0));
  };
  const points = Array.isArray(event.points) ? event.points : null;
  return make("div", { className: "sheet" },
    make("h2", {}, say("sheet", { round: text(event.round ?? "") })),
    make("div", { className: "sheet-rows", tabIndex: 0, role: "group", "aria-label": say("sheet", { round: text(event.round ?? "") }) }, make("table", {},
      make("thead", {}, make("tr", {}, make("td", {}), names.map(column))),
      make("tbody", {}, [...byRule].map(([rule, lines]) => row([text(rules[rule] ?? "", 80), " ", ruleLink(game, rule)], (seat) => pointsOf(lines, seat)))),
      make("tfoot", {},
        points === null ? null : row(say("sheet_round"), (seat) => signed(points[seat])),
        row(say("sheet_total"), (seat) => make("b", {}, minus(scores[seat])), "sum")))),
    make("details", {}, make("summary", {}, say("sheet_how")),
      told.map((one) => make("p", {}, one.text, one.rule ? ruleLink(game, one.rule) : null))));
}
