// What a quick ruling is answered with: the stamp and the rule, or the one question; and a code to be read by a camera.

import { make } from "./cards.mjs";
import { problem, ruleLink, say } from "./console-parts.mjs";
import { code } from "./qr.mjs";

/** The two buttons that answer the question. */
export const undecided = (press) => [
  make("div", { className: "answers" },
    [true, false].map((is) => make("button", { type: "button", onclick: () => press(is), "data-answer": is ? "yes" : "no" }, say(is ? "yes" : "no")))),
  make("p", { className: "soft" }, say("one_fact"))];

/** Why there is no ruling: what cannot be is named by card. */
export const unruled = (answer) => make("div", { className: "panel bad", role: "alert" },
  answer.body.findings ? make("ul", {}, answer.body.findings.map(({ message }) => make("li", {}, message))) : problem(answer));

/** The stamp, one sentence, the rule in large type, and the code of this page. */
export function rulingOf(game, { legal, because, rules }) {
  return [
    make("div", { className: `stamped ${legal ? "yes" : "no"}` },
      make("span", { className: "stamp", lang: "ja", "aria-hidden": "true" }, legal ? "可" : "否"), make("p", {}, say(legal ? "allowed" : "refused"))),
    make("p", { className: "because" }, because),
    rules.map(({ rule, heading, text }) => make("blockquote", { className: "law" },
      make("p", {}, make("b", {}, heading)), make("p", {}, text), make("p", {}, ruleLink(game, rule)))),
    make("p", { className: "soft" }, say("show")),
    code(location.href, say("qr"))];
}
