// The summary card of a game: what a player wants to look up at the table, each with its rule.

import { make, say as tableSays } from "./cards.mjs";
import { inLanguage, ruleLink } from "./rule-links.mjs";

export function summaryCard(game, words, say) {
  const lines = words.table.games[game].summary ?? [];
  return make("div", { className: "summary-card" },
    make("h3", {}, tableSays(words, game, "title")),
    make("ul", {}, lines.map(({ rule, text }) => make("li", {}, text, " ", ruleLink(game, rule)))),
    make("p", {}, make("a", { href: inLanguage(`/rules/${game}`) }, say("rulebook"))));
}
