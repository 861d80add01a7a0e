// Who takes part: entering players and teams, and withdrawing them.

import { address, handOut, make, notice, say, sure, tournament } from "./desk-parts.mjs";
import { isolated } from "./names.mjs";
import { placeLink, slip } from "./slips.mjs";

/** The links of all entrants, each for the whole event. */
const personal = {
  path: `${address}/entrants`, title: say("personal"), about: say("personal_about"),
  slips: ({ entrants }) => entrants.map(({ name, token }) => slip("", name, placeLink(tournament, token))),
};

/** The view of the entrants. */
export function entrantsView(desk) {
  const listed = make("ul", { className: "entrants" });
  const count = make("h2", {});
  const said = notice();
  const form = enteringForm(desk);
  const links = make("button", { type: "button", onclick: () => handOut(desk, said, (children) => handed.replaceChildren(...children), personal) }, say("personal"));
  const handed = make("div", { className: "handed" });
  const element = make("section", { "aria-label": say("tab_entrants") }, form.element, count, make("p", {}, links), said, listed, handed);
  const rows = new Map();

  function show() {
    const { entrants, status } = desk.found;
    form.element.hidden = status === "closed";
    links.hidden = entrants.length === 0;
    count.textContent = say("entrants_count", { count: entrants.length });
    for (const entrant of entrants) {
      const written = JSON.stringify([entrant, status]);
      const known = rows.get(entrant.entrant) ?? { element: make("li", {}), written: null };
      rows.set(entrant.entrant, known);
      if (known.written === written) continue;
      known.written = written;
      known.element.replaceChildren(...row(desk, said, entrant));
      listed.append(...(known.element.isConnected ? [] : [known.element]));
    }
  }

  return { element, show };
}

function row(desk, said, { entrant, name, members, withdrawn }) {
  const leaves = () => desk.act(`/entrants/${entrant}/withdrawal`, { where: said, done: say("has_withdrawn", { name }) });
  const returns = () => desk.act(`/entrants/${entrant}/re-entry`, { where: said, done: say("has_returned", { name }) });
  const isOver = desk.found.status === "closed";
  return [make("span", { className: "soft" }, entrant), " ", make("span", { className: "who" }, make("bdi", {}, name), members.length > 0 ? make("small", {}, members.map(isolated).join(say("comma"))) : null), " ",
    withdrawn === null ? "" : make("span", { className: "mark" }, say("withdrawn_after", { rounds: withdrawn })),
    isOver ? "" : withdrawn === null ? sure(say("withdraw"), say("withdraw_sure", { name }), leaves) : sure(say("re_enter"), say("re_enter_sure", { name }), returns)];
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
