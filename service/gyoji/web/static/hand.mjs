// A player's hand at the bottom edge: one tap selects a card, a second plays it; a card that may not be played is dim, and says
// why when it is tapped.

import { cardName, drawCard, make } from "./cards.mjs";

/**
 * The hand. `say(key, facts)` gives the words of the page; `pressed(card)` is told which card was pressed: its `code`, the
 * `key` that tells it from another of the same code, and the `moves` with it.
 */
export function handOf(game, words, say, pressed) {
  const element = make("ul", { className: "hand" });
  element.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const all = [...element.querySelectorAll("button")];
    const place = all.indexOf(document.activeElement);
    if (step === undefined || place < 0) return;
    event.preventDefault();
    event.stopPropagation();
    all[(place + step + all.length) % all.length].focus();
  });

  /** Shows the cards; `movesWith(code)` gives what may be done with one, `chosen` is the key of the one that is selected. */
  function show(codes, { name, movesWith, chosen, isTurn }) {
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const met = new Map();
    element.setAttribute("aria-label", name);
    element.replaceChildren(...codes.map((code) => {
      const nth = (met.get(code) ?? 0) + 1;
      met.set(code, nth);
      return cardOf({ code, nth, key: `${code} ${nth}`, moves: movesWith(code) }, chosen, isTurn);
    }));
    if (focused !== null) focusOn(focused);
  }

  function cardOf({ code, nth, key, moves }, chosen, isTurn) {
    const card = cardName(game, code, words);
    const called = nth > 1 ? say("card_again", { card, number: nth }) : card;
    const isDim = isTurn && moves.length === 0;
    const button = make("button", {
      type: "button", className: isDim ? "dim" : moves.length > 0 ? "may" : "", "aria-label": isDim ? say("card_dim", { card: called }) : called, title: called,
      "aria-pressed": String(chosen === key), "data-key": key, onclick: () => pressed({ code, key, moves }),
    }, drawCard(game, code, words));
    button.firstChild.setAttribute("aria-hidden", "true");
    return make("li", {}, button);
  }

  /** The focus stays with the same card, or goes to the one that lies where it lay. */
  function focusOn(key) {
    const all = [...element.querySelectorAll("button")];
    (all.find((one) => one.dataset.key === key) ?? all[0])?.focus({ preventScroll: true });
  }

  return { element, show };
}
