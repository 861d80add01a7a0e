// The frames of a match as a player's table comes to them: one after the other, with a stop where a trick or a round has ended.

import { ended } from "./frames.mjs";
import { takeBack } from "./lines.mjs";
import { endedTrick } from "./table.mjs";

/** Milliseconds for which a finished trick, and the sheet of a round, stay unless they are acknowledged. */
const TRICK_STAYS = 2000;
const SHEET_STAYS = 10000;
/** Milliseconds for which cards go to whoever has won them. */
const GATHERS = 250;
/** Frames that came together, as after a pause of the network: the table does not stop at each. */
const LATE = 12;

/**
 * The queue. `table` shows what it comes to: `draw()` the frame that it is at, `trick(trick)` and `sheet(sheet)` what it stops
 * at, `ruling(frame, before)`, `gather()` the cards that go to whoever has won them, and `clear()` what it has stopped at;
 * `isRead()` says whether somebody reads that, so that it stays until it is acknowledged.
 */
export function frameQueue({ game, words, table }) {
  const frames = [];
  let waiting = [];
  let shown = null;
  let before = null;
  let stop = null;
  let lastTrick = null;
  let lastSheet = null;

  const endsRound = (frame) => ended(words, game, frame, "round");

  function add(added) {
    frames.push(...added);
    takeBack(frames, added);
    if (shown === null) return begin(added);
    waiting.push(...added);
    return stop === null ? advance() : undefined;
  }

  /** The first frames are not gone through: whoever opens the page sees how the match stands. */
  function begin(added) {
    for (const [place, frame] of added.entries()) remember(added[place - 1] ?? null, frame);
    shown = added.at(-1);
    before = added.at(-2) ?? null;
    table.draw();
  }

  /** Comes to what is new, and stops where a trick or a round has ended. */
  function advance() {
    const isLate = waiting.length > LATE;
    while (waiting.length > 0 && stop === null) {
      before = shown;
      shown = waiting.shift();
      const trick = remember(before, shown);
      if (shown.ruling !== null) table.ruling(shown, before);
      if (trick !== null && !isLate) return stopAt(() => table.trick(trick), TRICK_STAYS, afterTrick);
      if (endsRound(shown) !== null && !isLate) return stopAt(() => table.sheet(lastSheet), SHEET_STAYS);
    }
    return table.draw();
  }

  /** Keeps the trick and the sheet that a frame has ended; gives the trick, or null. */
  function remember(previous, frame) {
    const plays = frame.type === "move_played" ? endedTrick(game, frame.view, { previous: previous?.view ?? null, move: frame.move, words }) : null;
    const trick = plays === null ? null : { plays, view: previous.view, frame, won: ended(words, game, frame, "trick") };
    const event = endsRound(frame);
    lastTrick = trick ?? lastTrick;
    lastSheet = event === null ? lastSheet : { event, frame };
    return trick;
  }

  function stopAt(show, milliseconds, then = advance) {
    stop = { then, timer: setTimeout(() => table.isRead() || goOn(), milliseconds) };
    show();
  }

  /** Goes on from where it has stopped. */
  function goOn() {
    if (stop === null) return;
    const { then, timer } = stop;
    clearTimeout(timer);
    stop = null;
    table.clear();
    then();
  }

  /** Behind a trick comes the sheet of the round, if that has ended too; else the cards are gathered. */
  function afterTrick() {
    if (endsRound(shown) !== null) stopAt(() => table.sheet(lastSheet), SHEET_STAYS);
    else stopAt(table.gather, GATHERS);
  }

  return {
    add, goOn, all: frames,
    at: () => shown,
    before: () => before,
    isStopped: () => stop !== null,
    isThrough: () => stop === null && waiting.length === 0,
    lastTrick: () => lastTrick,
    lastSheet: () => lastSheet,
    end: () => clearTimeout(stop?.timer),
  };
}
