// What stands under the table of a match for a position: links to it, its files, and where else it can be taken.

import { make } from "./cards.mjs";
import { inLanguage } from "./rule-links.mjs";

/**
 * The links of a frame.
 *
 * @param {object} page `ask`, `match` (as addresses have it), `token` or null, `held` (the token that the address itself
 *   holds, or null), `as`, `game`, `say(key, facts)` and `address(seq)`, which gives that of the page at an event
 * @param {{seq: number, view: object | null}} frame
 */
export function positionLinks(page, { seq, view }) {
  const { match, say, as, game } = page;
  const query = as === null ? "" : `?as=${as}`;
  const files = [[`/v1/matches/${match}/replay`, "replay", `${match}.jsonl`]];
  if (view !== null) files.unshift([`/v1/matches/${match}/positions/${seq}${query}`, "position", `${match}.${seq}.json`]);
  return [copyButton(page.address(seq), say), ...files.map(([address, key, name]) => fileLink(page, address, say(key), name)),
    ...(view !== null && isWhole(view) ? [consoleLink(view, say)] : []), auditLink(page), make("a", { className: "button", href: inLanguage(`/rules/${game}`) }, say("rulebook"))];
}

/** Whether nothing of the position is hidden from whoever looks. */
function isWhole({ table }) {
  return table.hands.every(Array.isArray) && !JSON.stringify(table).includes('{"count":');
}

/** A link that lays the position on the referee's console. */
function consoleLink(state, say) {
  return leadsTo(inLanguage("/console"), say("to_console"), async () => (await import("./console-link.mjs")).fragmentOf({ state }));
}

/** A link to the audit of the match; a token of the address goes along in the fragment, which no server is sent. */
function auditLink({ match, held, say }) {
  return leadsTo(inLanguage("/audit"), say("to_audit"), () => `${new URLSearchParams({ match, ...(held === null ? {} : { token: held }) })}`);
}

/** A link whose fragment is made when it is followed. */
function leadsTo(address, label, fragment) {
  const link = make("a", { className: "button", href: address }, label);
  link.onclick = async (event) => {
    event.preventDefault();
    location.assign(`${address}#${await fragment()}`);
  };
  return link;
}

/** A link to the position, without the token: whoever is to see it has their own, or sees what all may. */
function copyButton(address, say) {
  const button = make("button", { type: "button" }, say("copy"));
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(address);
      button.textContent = say("copied");
    } catch {
      // No clipboard without a secure address, or without leave: the link is there to be copied by hand.
      const field = make("input", { readOnly: true, value: address, "aria-label": say("copy") });
      button.replaceWith(field);
      field.select();
    }
  };
  return button;
}

/** A link to a file of the service. With a token it is fetched, since a link carries none, and given to the browser. */
function fileLink({ ask, token, say }, address, label, name) {
  const link = make("a", { className: "button", href: address, download: name }, label);
  if (token === null) return link;
  link.onclick = async (event) => {
    event.preventDefault();
    try {
      const held = URL.createObjectURL(await ask(address, { as: "blob" }));
      make("a", { href: held, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(held), 60000);
    } catch {
      link.textContent = say("not_fetched");
    }
  };
  return link;
}
