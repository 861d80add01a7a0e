// Standings on the desk, figure by figure; and for whoever runs the tournament corrections and its end.

import { address, give, inLanguage, make, matchLink, notice, number, reasons, say, sure, tournament, words } from "./desk-parts.mjs";

/** The view of the standings. */
export function standingsView(desk) {
  const listed = make("ol", { className: "standings" });
  const corrected = make("ul", { className: "plainly" });
  const said = notice();
  const manages = desk.tables.manages;
  const correcting = manages ? correctionForm(desk) : null;
  const ending = make("p", { className: "no-print" });
  const element = make("section", { "aria-label": say("tab_standings") }, make("h2", {}, say("standings")), said, listed,
    make("p", { className: "ways no-print" }, file(desk, said, "/standings", "text/csv", "CSV", "csv"), file(desk, said, "/log", "application/jsonl", say("log"), "jsonl")),
    make("div", { className: "corrections" }, make("h2", {}, say("corrections")), corrected, correcting?.element), ending);
  let seen = null;

  /** What they follow from: the tournament and all its matches. */
  const source = () => JSON.stringify([desk.found.seq, desk.tables.tables.map(({ seq }) => seq)]);

  async function read() {
    const now = source();
    if (seen === now) return;
    seen = now;
    const answer = await desk.ask(`${address}/standings`);
    said.replaceChildren(...(answer.status === 200 ? [] : reasons(answer)));
    if (answer.status === 200) listed.replaceChildren(heads(desk.found), ...answer.document.rows.map((one) => row(desk.key, one)));
    else seen = null;
  }

  function show() {
    const names = new Map(desk.found.entrants.map(({ entrant, name }) => [entrant, name]));
    const none = desk.found.corrections.length === 0;
    element.querySelector(".corrections").hidden = !manages && none;
    element.querySelector(".corrections").classList.toggle("no-print", none);
    corrected.replaceChildren(...desk.found.corrections.map(({ entrant, points, reason }) =>
      make("li", {}, make("b", { className: "amount" }, number(points)), " ", make("bdi", {}, names.get(entrant)), say("colon"), make("bdi", {}, reason))));
    correcting?.show();
    const over = desk.found.status === "closed";
    if (manages && over !== (ending.dataset.over === "true")) {
      ending.dataset.over = String(over);
      ending.replaceChildren();
    }
    if (manages && !over && ending.children.length === 0) ending.append(sure(say("close_tournament"), say("close_sure"), () => desk.act("/close", { where: said, done: say("final") })));
    if (!element.hidden) read();
  }

  return { element, show, opened: read };
}

function heads({ tie_breaks: ties }) {
  const { figures } = words;
  return make("li", { className: "heads", "aria-hidden": "true" }, make("span", {}, figures.place), make("span", {}, figures.name), make("span", { className: "points" }, figures.points),
    make("span", { className: "ties" }, ties.map((name) => make("span", {}, figures[name]))));
}

function row(key, { place, name, withdrawn, points, tie_breaks: ties, lines }) {
  const { figures } = words;
  const of = (figure) => lines.filter((line) => line.figure === figure);
  return make("li", {}, make("details", {},
    make("summary", {},
      make("span", { className: "rank" }, make("span", { className: "unseen" }, `${figures.place} `), String(place)), " ",
      make("span", { className: "who" }, make("bdi", {}, name), withdrawn ? [" ", make("span", { className: "mark" }, figures.withdrawn)] : null), " ",
      make("b", { className: "points" }, number(points), make("span", { className: "unseen" }, ` ${figures.points}`)), " ",
      make("span", { className: "ties" }, ties.map(({ figure, value }) => make("span", {}, make("span", { className: "label" }, `${figures[figure]} `), number(value))))),
    make("div", { className: "why" },
      make("ul", {}, of("points").map((line) => make("li", {}, make("b", { className: "amount" }, number(line.amount)), " ",
        line.match !== null ? [matchLink(key, line.match, null, {}, say("at", { round: line.round, table: line.table })), say("colon")] : line.round !== null ? `${say("round", { round: line.round })}${say("colon")}` : "", make("bdi", {}, line.why)))),
      ties.filter(({ figure }) => of(figure).length > 0).map(({ figure, value }) => make("p", {}, make("b", {}, `${figures[figure]} ${number(value)}`), say("colon"),
        of(figure).flatMap((line, at) => [at > 0 ? say("semicolon") : "", `${number(line.amount)} `, make("bdi", {}, line.why)]))))));
}

/** A file that the key is needed for, and so is fetched and given to the browser. */
function file(desk, said, path, accept, label, ending) {
  return make("button", { type: "button", onclick: async () => {
    const answer = await desk.ask(inLanguage(address + path), { accept, file: true });
    if (answer.blob) give(answer.blob, `${tournament}.${ending}`);
    else said.replaceChildren(...reasons(answer));
  } }, label);
}

function correctionForm(desk) {
  const entrant = make("select", { required: true });
  const points = make("input", { required: true, autocomplete: "off", placeholder: "-1/2", pattern: "-?[0-9]+(/[0-9]+)?" });
  const reason = make("input", { required: true, maxLength: 500, autocomplete: "off" });
  const said = notice();
  const element = make("form", { className: "no-print panel" }, make("h3", {}, say("correct")),
    make("div", { className: "fields-row" }, make("label", {}, say("entrant"), entrant), make("label", {}, say("points"), points), make("label", { className: "wide-field" }, say("reason"), reason), make("button", {}, say("correct_do"))), said);
  element.onsubmit = async (event) => {
    event.preventDefault();
    const body = { entrant: entrant.value, points: points.value.trim(), reason: reason.value.trim() };
    if (await desk.act("/corrections", { body, where: said, done: say("corrected") })) points.value = reason.value = "";
  };

  function show() {
    element.hidden = desk.found.status === "closed";
    offer(entrant, desk.found.entrants);
  }

  return { element, show };
}

/** Makes the entrants the choices of a select, if they are not yet; what was chosen stays. */
export function offer(select, entrants) {
  if (select.length === entrants.length) return;
  const { value } = select;
  select.replaceChildren(...entrants.map(({ entrant, name }) => make("option", { value: entrant }, name)));
  if (value) select.value = value;
}
