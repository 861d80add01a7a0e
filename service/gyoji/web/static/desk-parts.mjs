// What the parts of a tournament's desk share: figures, how an answer is told, and what asks once more before it acts.

import { inLanguage, newKey, say, service, words } from "./calls.mjs";
import { make } from "./cards.mjs";

export { inLanguage, make, newKey, say, service, words };

export const tournament = document.getElementById("desk").dataset.tournament;
export const address = `/v1/tournaments/${encodeURIComponent(tournament)}`;

const PARTS = { "1/4": "¼", "1/3": "⅓", "1/2": "½", "2/3": "⅔", "3/4": "¾" };

/** A figure as people write it: "5/2" is 2½; a dash where there is none. */
export function number(written) {
  if (written === null) return "–";
  const [, minus, above, below = "1"] = /^(-?)(\d+)(?:\/(\d+))?$/.exec(written);
  const sign = minus ? "−" : "";
  const whole = BigInt(above) / BigInt(below);
  const part = PARTS[`${BigInt(above) % BigInt(below)}/${below}`];
  if (below === "1") return sign + above;
  return part ? `${sign}${whole === 0n ? "" : whole}${part}` : `${sign}${above}/${below}`;
}

/** Why something was not done, in words: what the service says, and fault by fault what is wrong, with the entrants of the `body` by name. */
export function reasons({ status, document: told }, body = null) {
  if (status === 0) return [make("p", {}, say("unsent"))];
  if (status === 412) return [make("p", {}, say("moved_on"))];
  if (status === 403) return [make("p", {}, say("not_yours"))];
  const faults = told.faults ?? told.errors ?? [];
  return [make("p", {}, make("b", {}, say("refused")), " ", told.because ?? told.detail ?? say("failed", { status })),
    told.because || faults.length === 0 ? null : make("ul", {}, faults.map((one) => make("li", {}, entrantAt(body, one.pointer), one.why ?? one.message ?? one.detail ?? one.code ?? "")))].filter(Boolean);
}

/** Whom a fault is about, of several who were to enter at once. */
function entrantAt(body, pointer = "") {
  const [, place] = /^\/entrants\/(\d+)\//.exec(pointer) ?? [];
  const name = body?.entrants?.[place]?.name;
  return name ? [make("b", {}, make("bdi", {}, name)), say("colon")] : "";
}

/** Where a form says what came of it. */
export const notice = () => make("div", { className: "said-here", role: "status" });

/** A button that asks once more before it acts. The focus stays where it was pressed. */
export function sure(label, question, act) {
  const first = make("button", { type: "button" }, label);
  const yes = make("button", { type: "button", className: "first" }, say("yes"));
  const no = make("button", { type: "button" }, say("no"));
  const asking = make("span", { className: "asking", role: "group", "aria-label": question, hidden: true }, make("span", {}, question), " ", yes, " ", no);
  const open = (is) => {
    // One question at a time: whoever answers sees what yes is said to.
    if (is) for (const other of document.querySelectorAll(".asking:not([hidden]) button:last-of-type")) other.click();
    asking.hidden = !is;
    first.hidden = is;
    (is ? yes : first).focus();
  };
  first.onclick = () => open(true);
  no.onclick = () => open(false);
  yes.onclick = async () => {
    yes.disabled = true;
    await act();
    yes.disabled = false;
    if (!asking.hidden && asking.isConnected) open(false);
  };
  return make("span", { className: "sure" }, first, asking);
}

/**
 * A link that opens a match, where it stands, in a tab of its own. The link itself has no key: that goes along only when it
 * is followed.
 */
export function matchLink(key, match, seq, properties, ...children) {
  const path = inLanguage(`/matches/${encodeURIComponent(match)}`);
  return make("a", { ...properties, href: path, target: "_blank", rel: "noopener", onclick: (event) => {
    event.preventDefault();
    window.open(`${path}#${new URLSearchParams({ key, ...(seq === null ? {} : { at: seq }) })}`, "_blank", "noopener");
  } }, ...children);
}

/** Puts elements in that order without taking away the one that has the focus. */
export function arrange(list, elements) {
  for (const gone of [...list.children].filter((child) => !elements.includes(child))) gone.remove();
  elements.forEach((element, place) => {
    if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
  });
}

/** Gives a file to the browser. */
export function give(blob, name) {
  const held = URL.createObjectURL(blob);
  make("a", { href: held, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(held), 60000);
}

/** Fetches what slips are made of and shows them by `hand`, to print and to hand out; `slips` makes them of the answer. */
export async function handOut(desk, said, hand, { path, title, about, slips }) {
  const answer = await desk.ask(path);
  said.classList.toggle("wrong", answer.status !== 200);
  if (answer.status !== 200) return said.replaceChildren(...reasons(answer));
  said.replaceChildren();
  const head = make("h2", { tabIndex: -1 }, title);
  hand([make("div", { className: "row no-print" }, make("button", { type: "button", onclick: () => print() }, say("print")), make("button", { type: "button", onclick: () => hand([]) }, say("put_away"))),
    head, make("p", { className: "soft no-print" }, about), make("ol", { className: "slips" }, slips(answer.document))]);
  head.focus();
}

/** A link to the page for the projector, in a tab of its own. The key goes along only when it is followed, for private tournaments and the joining link. */
export function projectorLink(key, ...children) {
  const path = inLanguage(`/tournaments/${tournament}/projector`);
  return make("a", { className: "button", href: path, target: "_blank", rel: "noopener", onclick: (event) => {
    event.preventDefault();
    window.open(`${path}#${new URLSearchParams({ key })}`, "_blank", "noopener");
  } }, say("project"), ...children);
}
