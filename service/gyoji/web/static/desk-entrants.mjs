// Who takes part: entering players and teams, and withdrawing them.

import { address, handOut, make, notice, say, sure, tournament } from "./desk-parts.mjs";
import { joiningPanel } from "./desk-joining.mjs";
import { isolated } from "./names.mjs";
import { placeLink, slip } from "./slips.mjs";

/** The links of all entrants, each for the whole event. */
const personal = {
  path: `${address}/entrants`, title: say("personal"), about: say("personal_about"),
  slips: ({ entrants }) => entrants.map(({ name, token }) => slip("", name, placeLink(tournament, token))),
};

/** The view of the entrants. */
export function entrantsView(desk) {
  const joining = joiningPanel(desk);
  const listed = make("ul", { className: `entrants ${desk.found.check_in ? "checked" : ""}` });
  const count = make("h2", {});
  const said = notice();
  const form = enteringForm(desk);
  const links = make("button", { type: "button", onclick: () => handOut(desk, said, (children) => handed.replaceChildren(...children), personal) }, say("personal"));
  const handed = make("div", { className: "handed" });
  const element = make("section", { "aria-label": say("tab_entrants") }, joining.element, form.element, count, make("p", {}, links), said, listed, handed);
  const rows = new Map();

  function show() {
    const { entrants, status } = desk.found;
    joining.show();
    form.element.hidden = status === "closed";
    links.hidden = entrants.length === 0;
    const playing = entrants.filter(({ withdrawn }) => withdrawn === null);
    count.textContent = desk.found.check_in ? say("checked_in", { present: playing.filter(({ present }) => present).length, count: playing.length }) : say("entrants_count", { count: entrants.length });
    for (const entrant of entrants) {
      const written = JSON.stringify([entrant, status]);
      const known = rows.get(entrant.entrant) ?? { element: make("li", {}), written: null };
      rows.set(entrant.entrant, known);
      if (known.written === written) continue;
      known.written = written;
      const isFocused = known.element.contains(document.activeElement);
      known.element.replaceChildren(...row(desk, said, entrant));
      if (isFocused) known.element.querySelector("button")?.focus();
      listed.append(...(known.element.isConnected ? [] : [known.element]));
    }
  }

  return { element, show };
}

function row(desk, said, { entrant, name, members, withdrawn, present }) {
  const leaves = () => desk.act(`/entrants/${entrant}/withdrawal`, { where: said, done: say("has_withdrawn", { name }) });
  const returns = () => desk.act(`/entrants/${entrant}/re-entry`, { where: said, done: say("has_returned", { name }) });
  const isOver = desk.found.status === "closed";
  return [make("span", { className: "soft" }, entrant), " ", make("span", { className: "who" }, make("bdi", {}, name), present === false && withdrawn === null && !isOver ? [" ", make("span", { className: "mark" }, say("absent"))] : null, members.length > 0 ? make("small", {}, members.map(isolated).join(say("comma"))) : null), " ",
    withdrawn !== null ? make("span", { className: "mark" }, say("withdrawn_after", { rounds: withdrawn })) : present === undefined || isOver ? "" : hereButton(desk, said, entrant, name, present),
    isOver ? "" : withdrawn === null ? sure(say("withdraw"), say("withdraw_sure", { name }), leaves) : sure(say("re_enter"), say("re_enter_sure", { name }), returns)];
}

/** The switch that says whether an entrant is here. */
function hereButton(desk, said, entrant, name, present) {
  const change = () => desk.act(`/entrants/${entrant}/presence`, { body: { present: !present }, where: said, done: say(present ? "is_absent" : "is_present", { name }), anyhow: true });
  return make("button", { type: "button", className: "here", "aria-pressed": String(present), onclick: change }, make("span", { "aria-hidden": "true" }, present ? "✓ " : ""), say("here"), make("span", { className: "unseen" }, ` ${isolated(name)}`));
}

/** Names one a line; what was typed stays until it has been entered. */
function enteringForm(desk) {
  const names = make("textarea", { rows: 6, required: true, spellcheck: false });
  const said = notice();
  const element = make("form", { className: "panel" }, make("h2", {}, say("enter")),
    make("label", { className: "wide-field" }, say(desk.found.teams ? "one_team_a_line" : "one_name_a_line"), names), make("p", {}, make("button", { className: "first" }, say("enter_do"))), said);
  element.onsubmit = async (event) => {
    event.preventDefault();
    const entrants = names.value.split("\n").map((line) => line.trim()).filter(Boolean).map((line) => entrantOf(line, desk.found.teams));
    if (entrants.length > 0 && (await desk.act("/entrants", { body: { entrants }, where: said, done: say("entered", { count: entrants.length }) }))) names.value = "";
  };
  return { element };
}

/** A line as an entrant; a team is written "Owls: Aki, Ben, Cho". */
function entrantOf(line, teams) {
  if (!teams) return { name: line };
  const [name, ...rest] = line.split(/[:：]/);
  return { name: name.trim(), members: rest.join(":").split(/[,、，]/).map((one) => one.trim()).filter(Boolean) };
}
