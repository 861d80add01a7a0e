// The frames of a match: what its pages are told of every event, and the words that they say it in.

import { drawingOf, filled } from "./cards.mjs";
import { isolated } from "./names.mjs";

/**
 * The frames of an answer of `…/frames`, each with its whole view. What has not changed between two views is the same
 * object in both.
 *
 * @param {{frames: object[]}} answer
 * @param {object | null} before the frame that the first of these follows, where there is one
 * @returns {{seq: number, at: string, type: string, actor: object, told: object[], view: object | null, legal: object[], move: object | null,
 *   ruling: object | null, reason: string | null, ends: object[], takenBackBy: number | null}[]}
 */
export function frames(answer, before = null) {
  let view = before?.view ?? null;
  return answer.frames.map(({ seq, at, type, actor, told, legal, move, ruling = null, reason = null, ends = [], line, ...change }) => {
    view = "view" in change ? change.view : changed(view, change);
    return { seq, at, type, actor, told, view, legal, move, ruling, reason, ends, takenBackBy: line?.taken_back_by ?? null };
  });
}

function changed(view, { set = [], add = [] }) {
  const placed = set.reduce((now, [path, value]) => put(now, path, () => value), view);
  return add.reduce((now, [path, items]) => put(now, path, (held) => [...held, ...items]), placed);
}

/** A copy in which what lies at the path is another; only the holders on the way to it are copied. */
function put(held, [name, ...rest], made) {
  if (name === undefined) return made(held);
  const copy = Array.isArray(held) ? [...held] : { ...held };
  copy[name] = put(held[name], rest, made);
  return copy;
}

/** A sentence of a table of words, with its facts put in. */
export function sentence(words, key, facts = {}) {
  return filled(words[key] ?? key, facts);
}

/** The names of the seats of an answer, as they stand in sentences: as they are called, or by their number, from 1 as people count. */
export function namesOf(seats, words) {
  return seats.map(({ seat, name }) => (typeof name === "string" ? isolated(name) : sentence(words, "seat", { seat: seat + 1 })));
}

/** The event of the game that ended a trick, or a round, in this frame, as the drawing of the game names it; null where none did. */
export function ended(words, game, frame, what) {
  const type = drawingOf(words, game).layout.ends?.[what];
  return type === undefined ? null : frame.ends.find((event) => event.type === type) ?? null;
}
