// Addresses on this service, and rules as links to their texts.

import { make } from "./cards.mjs";

/** An address of this service, in the language that the address of this page itself asks for. */
export function inLanguage(path, fragment = "") {
  const chosen = new URLSearchParams(location.search).get("lang");
  return `${path}${chosen ? `?lang=${encodeURIComponent(chosen)}` : ""}${fragment && `#${fragment}`}`;
}

/** The address of a rule. */
export function ruleAddress(game, rule) {
  return inLanguage(`/rules/${game}`, encodeURIComponent(rule));
}

/** A rule's id as a link to its text. */
export function ruleLink(game, rule) {
  return make("a", { className: "rule-id", href: ruleAddress(game, rule) }, rule);
}
