// The rulebook beside the form of a ruling: its rules to read, to look through and to cite.

import { make } from "./cards.mjs";
import { ruleAddress } from "./rule-links.mjs";

/**
 * A list of rules of which one can be chosen, or none.
 *
 * @param {{rule: string, heading: object, text: object}[]} rules
 * @returns {{element: HTMLElement, chosen: () => string | null}}
 */
export function ruleChoice(game, rules, say) {
  const { lang } = document.documentElement;
  const none = option(null, say("rule_none"), "");
  const items = rules.map(({ rule, heading, text }) => ({ item: option(rule, heading[lang], text[lang]), words: `${rule} ${heading[lang]} ${text[lang]}`.toLowerCase() }));
  const list = make("ul", { className: "rule-choice" }, none, items.map(({ item }) => item));
  const nothing = make("p", { className: "soft", role: "status" });
  const search = make("input", { type: "search", autocomplete: "off", spellcheck: false, oninput: sift, onkeydown: stay });
  const element = make("fieldset", { className: "book-beside" }, make("legend", {}, say("rulebook")), make("label", {}, say("search"), search), nothing, list);
  none.querySelector("input").checked = true;
  list.addEventListener("change", reach);

  function option(rule, heading, text) {
    const input = make("input", { type: "radio", name: "rule", value: rule ?? "" });
    return make("li", {}, make("label", {}, input, make("span", {}, rule === null ? null : make("b", {}, `${rule} `), heading, text ? make("span", { className: "soft" }, text) : null)),
      // In a page of its own: what was written into the form stays.
      rule === null ? null : make("a", { className: "rule-id", href: ruleAddress(game, rule), tabIndex: -1, target: "_blank", rel: "noopener", "aria-label": say("read_rule", { rule }) }, "↗"));
  }

  /** Enter looks for a rule, and sends no ruling. */
  function stay(event) {
    if (event.key === "Enter") event.preventDefault();
  }

  /** Of the links the Tab key reaches that of the chosen rule alone: what follows on the list would be far away. */
  function reach() {
    for (const link of list.querySelectorAll("a")) link.tabIndex = link.closest("li").querySelector("input").checked ? 0 : -1;
  }

  /** Shows the rules that hold the word; the chosen one stays in sight. */
  function sift() {
    const wanted = search.value.trim().toLowerCase();
    for (const { item, words } of items) item.hidden = !words.includes(wanted) && !item.querySelector("input").checked;
    nothing.textContent = items.every(({ item }) => item.hidden) ? say("search_nothing") : "";
  }

  return { element, chosen: () => list.querySelector("input:checked")?.value || null };
}
