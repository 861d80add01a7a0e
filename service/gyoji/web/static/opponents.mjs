// The others at a player's table, as one strip: name, cards, clock and score of each, and what else lies before them.

import { make, size, text } from "./cards.mjs";

const minus = (points) => String(points ?? "").replace("-", "−");

/** What lies before a seat in a word or two: of cards no more than what they are called together. */
const inShort = (part) => (part.matches(".fact") ? part : part.querySelector(":scope > .label, :scope > summary") ?? part).textContent;

/** The strip. `open(seat)` shows all that lies before a seat; `clock(seat)` gives the element in which its time runs, or null. */
export function opponentsStrip(say, { open, clock }) {
  const element = make("ul", { className: "opponents", "aria-label": say("opponents") });

  /** Shows the seats as they stand in `parts`, which are those of `tableParts`. */
  function show(parts, adjustments) {
    const { at } = parts;
    const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    element.style.setProperty("--others", String(at.others.length));
    element.replaceChildren(...at.others.map((seat) => seatOf(parts, seat, adjustments[seat])));
    if (focused !== null) [...element.querySelectorAll("button")].find((one) => one.dataset.key === focused)?.focus({ preventScroll: true });
  }

  function seatOf(parts, seat, given) {
    const { at } = parts;
    const isToAct = (at.view.to_act ?? []).includes(seat);
    const facts = [...parts.chips(seat), ...parts.own(seat).map(inShort)];
    return make("li", { className: isToAct ? "turn" : "" },
      make("button", { type: "button", "data-key": `seat ${seat}`, title: say("look_at", { name: at.name(seat) }), onclick: () => open(seat) },
        make("span", { className: "who" }, text(at.name(seat), 40)),
        make("span", { className: "figures" },
          make("span", { className: "cards" }, make("span", { className: "back", "aria-hidden": "true" }), String(size(at.table.hands?.[seat])), make("span", { className: "unseen" }, ` ${say("cards")}, `)),
          make("b", { className: "score" }, minus(at.view.scores?.[seat]), given ? make("small", {}, ` ${given > 0 ? "+" : "−"}${Math.abs(given)}`) : null),
          clock(seat))),
      make("span", { className: "facts" }, facts.join(" · ")));
  }

  return { element, show };
}
