// Somebody is not there: at the table itself a director chooses what comes of it, and the match goes on for the others.

import { make, newKey, notice, reasons, say, sure } from "./desk-parts.mjs";
import { isolated } from "./names.mjs";
import { seatLink, slip } from "./slips.mjs";

/** The ways that there are at a table: a referee's substitute, as long as the match runs; out of it, while nobody has begun; a forfeit. */
const waysAt = ({ rules, begun, status }) => [
  ...(rules && status !== "finished" && status !== "voided" ? ["replaced"] : []),
  ...(!begun && status !== "finished" ? ["removed"] : []),
  ...(status !== "voided" ? ["forfeited"] : [])];

/** What is done about the no-shows of one table; it stays while the table around it is shown anew. */
export function noShowsOf(desk, key) {
  const listed = make("ul", { className: "missing" });
  const said = notice();
  const who = make("select", {});
  const ways = make("fieldset", { className: "no-show-ways" });
  const name = make("input", { autocomplete: "off", maxLength: 64 });
  const bot = make("select", {});
  const named = make("div", { className: "fields-row" }, make("label", {}, say("stand_in"), name), make("label", {}, say("or_bot"), bot));
  const act = make("div", { className: "row" });
  const label = make("span", { className: "unseen" });
  const form = make("div", { className: "no-show-form" }, make("label", {}, say("who_is_missing"), who), ways, named, act);
  const panel = make("details", { className: "no-show" }, make("summary", {}, say("no_show"), label), form);
  const element = make("div", { className: "no-print no-shows" }, listed, panel, said);
  let table = null;
  let written = "";

  const chosen = () => ways.querySelector("input:checked")?.value;
  const needsName = () => chosen() === "replaced" || (chosen() === "forfeited" && table.status !== "finished");
  const entrant = () => table.seats.find((seat) => seat.entrant === who.value);

  function show(now) {
    table = now;
    const open = desk.tables.manages && !now.closed && !desk.found.teams;
    element.hidden = !open;
    const key = JSON.stringify([open, now.seats, now.no_shows, waysAt(now), now.status === "finished", desk.tables.bots]);
    if (!open || key === written) return;
    written = key;
    label.textContent = ` ${say("at", now)}`;
    list(now.no_shows ?? []);
    const before = who.value;
    who.replaceChildren(...now.seats.filter((seat) => !isForfeited(seat)).map((seat) => make("option", { value: seat.entrant }, isolated(seat.name))));
    if ([...who.options].some(({ value }) => value === before)) who.value = before;
    bot.replaceChildren(make("option", { value: "" }, say("no_bot")), ...(desk.tables.bots ?? []).map((each) => make("option", { value: each }, each)));
    choices(waysAt(now));
    panel.hidden = who.options.length === 0;
    offer();
  }

  const isForfeited = (seat) => (table.no_shows ?? []).some((one) => one.entrant === seat.entrant && one.outcome === "forfeited");

  function choices(possible) {
    const before = chosen();
    ways.replaceChildren(make("legend", {}, say("what_comes")), ...possible.map((way) =>
      make("label", { className: "way" }, make("input", { type: "radio", name: `way-${key}`, value: way, checked: way === before, onchange: offer }),
        make("span", {}, make("b", {}, say(`way_${way}`)), " ", make("span", { className: "soft" }, say(`about_${way}`))))));
    if (!chosen()) ways.querySelector("input").checked = true;
  }

  /** Shows what the chosen way needs, and the button that asks once more. */
  function offer() {
    named.hidden = !needsName();
    bot.parentElement.hidden = chosen() !== "forfeited" || bot.options.length < 2;
    act.replaceChildren(sure(say(`do_${chosen()}`), say(`sure_${chosen()}`), settle));
  }

  async function settle() {
    const { entrant: missing, seat, name: called } = entrant();
    const way = chosen();
    const person = named.hidden ? "" : name.value.trim();
    const played = { ...(person ? { stand_in: person } : !named.hidden && bot.value ? { bot: bot.value } : {}) };
    const done = say(`was_${way}`, { name: isolated(called) });
    const path = `/rounds/${table.round}/tables/${table.table}/no-show`;
    const answer = way === "replaced" ? await replace(seat, person, done) : await desk.act(path, { body: { entrant: missing, outcome: way, ...(way === "forfeited" ? played : {}) }, where: said, done });
    if (!answer) return;
    panel.open = false;
    name.value = "";
    bot.value = "";
    panel.querySelector("summary").focus();
    const token = way === "replaced" ? answer.token : answer.tables[table.table - 1].seats.find((one) => one.entrant === missing)?.token;
    if (person && token) said.append(make("ol", { className: "slips" }, slip(say("table", table), person, seatLink(table.match, token))));
  }

  /** A referee's ruling: somebody else plays for the entrant. */
  async function replace(seat, person, done) {
    const ruling = { kind: "substitute", seat, ...(person ? { name: person } : {}) };
    const answer = await desk.ask(`/v1/matches/${encodeURIComponent(table.match)}/rulings`, { body: { ruling, reason: say("replaced_reason") }, seq: table.seq, once: newKey() });
    const good = answer.status === 200 || answer.status === 201;
    said.classList.toggle("wrong", !good);
    said.replaceChildren(...(good ? [make("p", {}, done)] : reasons(answer)));
    await desk.look();
    return good ? answer.document : null;
  }

  /** Who was not there so far, and how a forfeit is undone. */
  function list(missing) {
    listed.replaceChildren(...missing.map(({ entrant: gone, name: called, outcome }) => make("li", {}, make("bdi", {}, called), say("colon"), say(`is_${outcome}`), " ",
      outcome === "forfeited" ? sure(say("reinstate"), say("reinstate_sure", { name: isolated(called) }), () => desk.act(`/rounds/${table.round}/tables/${table.table}/no-show`, {
        body: { entrant: gone, outcome: "reinstated" }, where: said, done: say("was_reinstated", { name: isolated(called) }) })) : null)));
  }

  return { element, show };
}
