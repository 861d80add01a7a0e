// The one sentence over a player's hand: what to do now, or whom the table waits for.

import { card, expanded, list, say as tableSays, text } from "./cards.mjs";
import { placeOf } from "./table.mjs";

const language = () => document.documentElement.lang || "en";

const listed = (names, type = "conjunction") => new Intl.ListFormat(language(), { type }).format(names);

/** What is said where nobody is asked for anything. */
export const NOTHING = { text: "", isMine: false, waitsFor: [], asksForHand: false };

/**
 * The sentence. `at` is what `tableParts` gives of the table, `legal` the player's moves there, `say(key, facts)` the words of
 * the page.
 *
 * `asksForHand` says whether a card of the hand could be played in such a phase, if one fitted.
 *
 * @returns {{text: string, isMine: boolean, waitsFor: number[], asksForHand: boolean}}
 */
export function instruction(at, seat, legal, say) {
  const { view } = at;
  const moves = expanded(legal).filter((move) => move.seat === seat);
  if (view.outcome) return NOTHING;
  const actors = list(view.to_act);
  if (!actors.includes(seat) || moves.length === 0) return { ...NOTHING, text: say("wait_for", { names: listed(actors.map(at.name)) }), waitsFor: actors };
  const none = moves.some(({ type }) => placeOf(at, type) === "hand") ? null : ofGame(at, seat, `turn_${text(view.phase)}_none`);
  return { text: none ?? ofTrick(at, seat, moves, say) ?? ofPhase(at, seat, moves, say), isMine: true, waitsFor: [], asksForHand: none !== null };
}

/** What the trick asks for: that is the same in all games that have one. */
function ofTrick(at, seat, moves, say) {
  const plays = list(at.table.trick);
  if (!list(at.layout.centre).some(({ part }) => part === "trick") || moves.some(({ type }) => type !== "play")) return null;
  const hand = list(at.table.hands?.[seat]);
  const may = new Set(moves.map((move) => move.card));
  const mayAll = hand.every((code) => may.has(code));
  if (plays.length === 0) return mayAll ? say("turn_lead") : null;
  const led = coloursOf(at, plays[0]?.card);
  const follows = (code) => coloursOf(at, code).some((colour) => led.includes(colour));
  const suit = listed(led.map((letters) => lower(tableSays(at.words, at.game, `suit_${letters}`))), "disjunction");
  if (led.length > 0 && mayAll && !hand.some(follows)) return say("turn_free", { suit });
  return led.length > 0 && [...may].every(follows) ? say("turn_follow", { suit }) : say("turn_any");
}

/** The letters of the colours that a card has. */
function coloursOf({ words, game, drawing }, code) {
  const found = card(words, game, code);
  return found === null ? [] : drawing.suits[found.suit].of ?? [found.suit];
}

/** A suit within a sentence. */
const lower = (word) => (language() === "en" ? word.toLowerCase() : word);

/** What the game itself says of its phases. */
function ofPhase(at, seat, moves, say) {
  const { view, layout, game, words } = at;
  const phase = text(view.phase);
  const sky = list(layout.centre).find(({ part }) => part === "sky");
  const isForced = moves.every(({ type }) => placeOf(at, type) === "hand");
  const keys = [sky && `turn_${phase}_${text(at.table[sky.of])}`, isForced && `turn_${phase}_must`, `turn_${phase}`].filter(Boolean);
  return keys.reduce((found, key) => found ?? ofGame(at, seat, key), null) ?? say("turn_phase", { phase: tableSays(words, game, `phase_${phase}`) });
}

/** A sentence of the game, with the neighbours and the figures that its drawing names; null where it has none. */
function ofGame(at, seat, key) {
  const beside = (step) => at.name((seat + step + at.seats.length) % at.seats.length);
  const said = tableSays(at.words, at.game, key, { left: beside(1), right: beside(-1), ...figures(at) });
  return said === key ? null : said;
}

/** Of a pile the number of its last card, of anything else its value. */
function figures({ layout, table }) {
  return Object.fromEntries(Object.entries(layout.facts ?? {}).map(([name, of]) => {
    const value = Array.isArray(table[of]) ? /\d+$/.exec(text(table[of].at(-1) ?? ""))?.[0] : table[of];
    return [name, text(value ?? "–")];
  }));
}
