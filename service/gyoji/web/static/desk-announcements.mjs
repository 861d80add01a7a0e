// What the director announces to everybody: the projector and the pages of entrants show it until another is announced, or none.

import { make, notice, say } from "./desk-parts.mjs";

const MOST = 200;

/** The form of announcements; `begin` leads to it. */
export function announcements(desk) {
  const field = make("input", { type: "text", maxLength: MOST, autocomplete: "off", required: true });
  const shown = make("p", {});
  const said = notice();
  const clear = make("button", { type: "button", onclick: () => send(null, say("is_cleared")).then(() => field.focus()) }, say("announce_clear"));
  const form = make("form", {}, make("label", { className: "wide-field" }, say("announce_what"), field), make("div", { className: "row" }, make("button", { className: "first" }, say("announce")), clear));
  const element = make("section", { className: "panel no-print", "aria-label": say("announcement") }, make("h2", {}, say("announcement")), shown, form, said);

  const send = (text, done) => desk.act("/announcements", { body: { text }, where: said, done });

  form.onsubmit = async (event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (text && (await send(text, say("is_announced")))) field.value = "";
  };

  function show() {
    const { announcement: text, status } = desk.found;
    element.hidden = status === "closed";
    clear.hidden = text === undefined;
    const written = text ?? say("announced_nothing");
    if (shown.textContent !== written) shown.replaceChildren(text === undefined ? written : make("q", {}, make("bdi", {}, text)));
    shown.className = text === undefined ? "soft" : "announced";
  }

  return { element, show, begin: () => field.focus() };
}
