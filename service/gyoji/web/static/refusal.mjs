// Why the service has refused a move, in its own sentences, with cards and seats by their names.

import { cardsByName, make } from "./cards.mjs";
import { ruleLink } from "./rule-links.mjs";

/** Where a sentence of the API has a seat, or several, by their numbers, which count from 0. */
const SEATED = /(\bseat |席|to act: |手番の席：)(\d+(?:(?:, |、)\d+)*)/gi;

/** A sentence of the API with the seats in it by their names; numbers of no seat stay as they are. */
export function seatsByName(sentence, names, comma) {
  return sentence.replace(SEATED, (all, before, listed) => {
    const seats = listed.split(/, |、/).map(Number);
    if (!seats.every((seat) => seat in names)) return all;
    return `${/:|：$/.test(before) ? before : ""}${seats.map((seat) => names[seat]).join(comma)}`;
  });
}

/** The refusal as paragraphs: why, and the rule with its text. */
export function reasons({ document: told, status }, { game, words, names, say }) {
  if (status === 412) return [make("p", {}, say("moved_on"))];
  const because = told.because === undefined ? told.detail ?? say("failed", { status }) : seatsByName(cardsByName(game, told.because, words), names, say("comma"));
  return [make("p", {}, make("b", {}, say("refused")), " ", because),
    told.rule ? make("p", {}, make("span", {}, told.rule_text ?? ""), ruleLink(game, told.rule)) : null].filter(Boolean);
}
