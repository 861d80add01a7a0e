// A trick that has ended, as it lay: its winner crowned, and what happened, each with its rule.

import { drawingOf, list, make } from "./cards.mjs";
import { ruleLink } from "./rule-links.mjs";
import { tableParts } from "./table.mjs";

const MOST_REASONS = 6;

const happened = ({ told }) => told.filter(({ detail }) => !detail);

/** The parts of the table with that trick on it, which `frameQueue` has kept. */
export function partsOfTrick({ game, words, names, seat }, { plays, view, won }) {
  return tableParts(game, { ...view, to_act: [], table: { ...view.table, trick: plays } }, { names, viewer: seat, words, won, stands: true });
}

/** The cards of the seat as the trick ended: those of the deal that the trick belongs to. */
export function handAtEnd({ game, words, seat }, { view, frame }) {
  const isSameDeal = frame.view.round === view.round || drawingOf(words, game).layout.dealt_once;
  if (isSameDeal) return list(frame.view.table.hands?.[seat]);
  const hand = list(view.table.hands?.[seat]);
  return frame.move?.seat === seat ? hand.filter((_, place) => place !== hand.indexOf(frame.move.card)) : hand;
}

/** Who has won it, in a sentence. */
export function wonBy({ names, say }, { won, frame }) {
  return won === null ? happened(frame).at(-1)?.text ?? "" : say("trick_won", { name: names[won.seat] });
}

/** What happened as it ended; `rules` are the headings of the rules. */
export function reasonsOf({ game, rules }, { frame }) {
  return make("ul", { className: "reasons" }, happened(frame).slice(0, MOST_REASONS).map(({ text, rule }) =>
    make("li", {}, text, rule ? [" ", rules[rule] ? make("i", {}, rules[rule]) : "", ruleLink(game, rule)] : null)));
}
