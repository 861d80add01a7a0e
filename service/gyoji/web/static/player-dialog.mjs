// What is one tap away at a player's table: what lies before a seat, the last trick, the summary card, the menu.

import { make } from "./cards.mjs";
import { partsOfTrick, reasonsOf } from "./ended-trick.mjs";
import { summaryCard } from "./summary-card.mjs";

/** The dialog; `about` is what a player's table knows of the match, `settings` are those of `settingsOf`. */
export function playerDialog(about, { settings, review }) {
  const { game, words, names, say } = about;
  const element = make("dialog", { className: "player-dialog", onclose: () => element.replaceChildren() });

  function open(head, ...content) {
    element.setAttribute("aria-label", head);
    element.replaceChildren(make("h2", {}, head), ...content.filter((one) => one !== null),
      make("button", { type: "button", className: "first close", onclick: () => element.close() }, say("close")));
    element.showModal();
  }

  return {
    element,
    seat: (parts, one) => open(names[one], make("div", { className: "table" }, parts.seat(one))),
    summary: () => open(say("summary"), summaryCard(game, words, say)),
    lastTrick(trick) {
      const parts = partsOfTrick(about, trick);
      open(say("last_trick"), make("div", { className: `table seats-${parts.at.seats.length}` }, parts.centre(), reasonsOf(about, trick)));
    },
    menu(history) {
      const toReview = make("button", { type: "button", onclick: () => { element.close(); review(); } }, say("review"));
      open(say("menu"), make("div", { className: "row" }, toReview, languages()), settings.element, history === null ? null : make("div", { className: "table" }, history));
    },
  };
}

/** The links to the page in other languages: those of the masthead, which is hidden at a player's table. */
function languages() {
  return [...document.querySelectorAll(".languages a")].map((link) => make("a", {
    className: "button", href: "#", lang: link.lang, onclick: (event) => { event.preventDefault(); link.click(); },
  }, link.textContent));
}
