// The move that a player is about to make: a first tap selects it and a second makes it, unless one is set to do both.

import { make, moveName, shapeOf, sign } from "./cards.mjs";

/**
 * The choice. `element` holds what may be pressed beside the hand; `marked()` gives the buttons at the table that stand for
 * moves; `isOneTap()` says whether one tap is enough; `busy(is)` is told while a move is being sent.
 */
export function moveChoice({ game, words, say, marked, isOneTap, busy }) {
  const element = make("div", { className: "actions" });
  let chosen = null;
  let isSending = false;

  /** Selects the moves that have that key, or sends the only one by `send` where it was selected before. */
  function take({ key, moves, isButton = false }, send) {
    if (moves.length === 1 && (isOneTap() || chosen?.key === key)) return once(send, moves[0]);
    chosen = chosen?.key === key ? null : { key, moves, isButton, send };
    return show();
  }

  function show() {
    for (const one of marked()) one.setAttribute("aria-pressed", String(one.dataset.key === chosen?.key));
    const { moves = [], send } = chosen ?? {};
    element.replaceChildren(...moves.map((move) => button(() => once(send, move), "first", ...signsOf(move), labelOf(move))));
  }

  const labelOf = (move) => (chosen.isButton ? say("confirm", { move: moveName(game, move, words) }) : moveName(game, move, words));

  const signsOf = (move) => Object.values(move).map((word) => shapeOf(words, game, word)).filter((shape) => shape !== null).map((shape) => sign(words, game, shape));

  const button = (onclick, className, ...content) => make("button", { type: "button", className, onclick }, ...content);

  /**
   * Sends a move; while that is open nothing else is sent. What is drawn meanwhile has nothing selected: the same card may be dealt
   * again. Where the move is not made, and nothing was drawn, it stays selected.
   */
  async function once(send, move) {
    if (isSending) return;
    isSending = true;
    busy(true);
    const [before, drawn] = [chosen, element.firstChild];
    chosen = null;
    try {
      if (!(await send(move)) && element.firstChild === drawn) chosen = before;
    } finally {
      isSending = false;
      busy(false);
    }
  }

  return {
    element, take, show, once,
    key: () => chosen?.key ?? null,
    drop: () => { chosen = null; },
    /** Drops what is selected unless all of its moves are among those: a card that has gone cannot be played again. */
    keep: (legal) => {
      const may = new Set(legal.map((move) => JSON.stringify(move)));
      if (chosen !== null && !chosen.moves.every((move) => may.has(JSON.stringify(move)))) chosen = null;
    },
    /** Puts another button there in place of the moves. */
    offer: (label, onclick, className = "first") => element.replaceChildren(button(onclick, className, label)),
    offers: (className) => element.querySelector(`.${className}`) !== null,
    clear: () => element.replaceChildren(),
  };
}
