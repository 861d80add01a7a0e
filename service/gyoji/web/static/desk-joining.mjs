// How entrants come in by themselves: registration opened and closed, with the joining link as a code to show.

import { address, make, notice, projectorLink, reasons, say, sure, tournament } from "./desk-parts.mjs";
import { joinLink, slip } from "./slips.mjs";

/** The panel of registration. */
export function joiningPanel(desk) {
  const said = notice();
  const state = make("p", {});
  const actions = make("div", { className: "row no-print" });
  const shown = make("ol", { className: "slips to-show" });
  const element = make("section", { className: "panel registration", "aria-label": say("joining") }, make("h2", {}, say("joining")), state, actions, said, shown);
  let written = null;

  const change = (body, done) => desk.act("/registration", { body, where: said, done, anyhow: true });

  /** Opening and closing change places in one button, so that the focus stays. */
  const toggle = make("button", { type: "button", onclick: () => (isOpen() ? change({ open: false }, say("is_join_closed")) : change({ open: true }, say("is_join_opened"))) });
  const renew = sure(say("join_renew"), say("join_renew_sure"), () => change({ open: true, renew: true }, say("is_join_renewed")));
  const projected = projectorLink(desk.key, make("span", { className: "unseen" }, ` ${say("new_tab")}`));
  actions.append(toggle, projected, renew);

  const isOpen = () => desk.found.registration === "open";

  async function show() {
    element.hidden = desk.found.status === "closed";
    toggle.textContent = isOpen() ? say("join_close") : say("join_open");
    toggle.classList.toggle("first", !isOpen());
    projected.hidden = renew.hidden = !isOpen();
    state.textContent = isOpen() ? say("join_is_open") : say("join_is_closed");
    if (element.hidden || !isOpen()) return drawn(null);
    if (written?.seq === desk.found.seq) return;
    const { seq } = desk.found;
    const answer = await desk.ask(`${address}/registration`);
    if (answer.status !== 200) return said.replaceChildren(...reasons(answer));
    if (isOpen()) drawn({ seq, token: answer.document.token });
  }

  function drawn(found) {
    const isSame = found?.token === written?.token;
    written = found;
    if (isSame) return;
    shown.replaceChildren(...(found === null ? [] : [slip("", desk.found.name, joinLink(tournament, found.token))]));
  }

  return { element, show };
}
