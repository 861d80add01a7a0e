// What a referee has just ruled, as a banner over the table: who, what and why, by which rule, and what it was before.

import { cardName, make, say as tableSays } from "./cards.mjs";
import { ruleLink } from "./rule-links.mjs";

/**
 * The banner as an element. `frame` is that of the ruling, `before` the one before it, `undone` those that it has taken back;
 * `close` puts it away.
 */
export function rulingBanner({ game, words, frame, before, undone, adjusted, names, rules, say, close }) {
  const [what, why] = frame.told;
  const rule = what?.rule ?? null;
  const rows = changes({ game, words, frame, before, undone, adjusted, names, say });
  return make("section", { className: "ruling-banner", "aria-label": say("ruling_made") },
    make("p", {}, make("b", {}, say(`ruled_by_${frame.actor.role}`)), " ", what?.text ?? ""),
    frame.reason === null ? null : make("p", {}, why.text),
    rule ? make("p", {}, say("ruled_by_rule"), " ", ruleLink(game, rule), rules[rule] ? ` ${rules[rule]}` : "") : null,
    rows.length === 0 ? null : make("dl", {}, rows.flatMap(([key, said]) => [make("dt", {}, say(key)), make("dd", {}, said)])),
    make("button", { type: "button", className: "first", onclick: close }, say("ruling_close")));
}

/** What was there before the ruling, and what is there now, as far as it shows at the table. */
function changes({ game, words, frame, before, undone, adjusted, names, say }) {
  const { ruling } = frame;
  if (ruling.kind === "points") {
    const score = frame.view?.scores?.[ruling.seat] ?? 0;
    const line = (points) => say("score_of", { name: names[ruling.seat], score: String(score + points).replace("-", "−") });
    return [["before", line(adjusted[ruling.seat] - ruling.points)], ["after", line(adjusted[ruling.seat])]];
  }
  if (ruling.kind === "take_back") {
    const told = undone.flatMap((one) => one.told.filter(({ detail }) => !detail)).map(({ text }) => text);
    return [["taken_out", told.slice(-6).join(" ")], ["before", lying(before?.view)], ["after", lying(frame.view)]];
  }
  return [];

  /** The cards that lie in the middle of the table, by the names of those who have played them. */
  function lying(view) {
    const plays = view?.table?.trick ?? [];
    const comma = tableSays(words, game, "comma");
    const cards = plays.map((play) => say("who_played", { name: names[play.seat], card: cardName(game, play.card, words) })).join(comma);
    return cards || say("nothing_lies");
  }
}
