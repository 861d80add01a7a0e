// Slips of paper for players: a name, the link to a seat, and the same as a code for cameras.

import { inLanguage, say } from "./calls.mjs";
import { make } from "./cards.mjs";
import { isolated } from "./names.mjs";
import { code } from "./qr.mjs";

/** The address that opens a match with the token of a seat. */
export const seatLink = (match, token) => `${location.origin}${inLanguage(`/matches/${match}`)}#token=${token}`;

/** The address that leads an entrant through a tournament. */
export const placeLink = (tournament, token) => `${location.origin}${inLanguage(`/tournaments/${tournament}/place`)}#token=${token}`;

/** The address by which anybody enters while registration is open. */
export const joinLink = (tournament, token) => `${location.origin}${inLanguage(`/tournaments/${tournament}/join`)}#token=${token}`;

/** A slip for one player; `link` is null where none is in force. */
export function slip(where, name, link) {
  return make("li", {}, link ? code(link, say("qr_of", { name })) : null,
    make("div", {}, make("p", {}, where, " ", make("bdi", {}, name)), make("p", {}, link ? make("code", {}, link) : say("no_link")), link ? copyButton(link, name) : null));
}

function copyButton(link, name) {
  const button = make("button", { type: "button", className: "no-print" }, say("copy"), make("span", { className: "unseen" }, ` ${isolated(name)}`));
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = say("copied");
    } catch {
      // No clipboard without a secure address, or without leave: the link stands there to be copied by hand.
      getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    }
  };
  return button;
}
