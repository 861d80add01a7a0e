// The director's rounds: those that are paired, with their tables; the next one; and the links that players are given.

import { address, inLanguage, make, notice, reasons, say, sure } from "./desk-parts.mjs";
import { nextRound } from "./desk-proposal.mjs";
import { seatLink, slip } from "./slips.mjs";

/** The view of the rounds. */
export function roundsView(desk) {
  const next = nextRound(desk);
  const listed = make("div", { className: "paired" });
  const handed = make("div", { className: "handed" });
  const element = make("section", { "aria-label": say("tab_rounds") }, next.element, listed, handed);
  const rounds = new Map();

  function show() {
    next.show();
    const newest = [...desk.found.paired].reverse();
    for (const round of rounds.keys()) if (round > newest.length) rounds.delete(round);
    listed.replaceChildren(...newest.map(({ round }) => elementOf(round)));
    for (const { round, closed } of newest) {
      const known = rounds.get(round);
      const written = JSON.stringify([closed, desk.found.status, voided(desk, round), untouched(desk, round)]);
      if (known.written !== written) known.fill(closed);
      known.written = written;
    }
  }

  /** The element of a round, which stays: what is open in it, and what was said there, is not lost. */
  function elementOf(number) {
    if (!rounds.has(number)) rounds.set(number, roundOf(desk, number, (children) => handed.replaceChildren(...children), next.said));
    return rounds.get(number).element;
  }

  return { element, show };
}

/** Whether the round is the latest, and nobody has begun in it as far as is known here: the deal is event 1. */
const untouched = (desk, round) => round === desk.found.paired.length && desk.tables.tables.every((one) => one.round !== round || one.status === "voided" || (one.status === "playing" && (one.seq ?? 1) <= 1));

const voided = (desk, round) => desk.tables.tables.filter((one) => one.round === round && one.status === "voided").map(({ table }) => table);

function roundOf(desk, number, hand, saidBeside) {
  const said = notice();
  const state = make("span", { className: "soft" });
  const actions = make("div", { className: "row no-print" });
  const element = make("section", { className: "panel one-round no-print" }, make("h2", {}, say("round", { round: number }), " ", state), actions, said);

  function fill(closed) {
    state.textContent = closed ? say("round_closed") : say("round_open");
    const wall = make("a", { className: "button", href: inLanguage(`/tournaments/${desk.found.tournament}/rounds/${number}`), target: "_blank", rel: "noopener" }, say("wall"), make("span", { className: "unseen" }, ` ${say("new_tab")}`));
    actions.replaceChildren(
      ...(desk.found.visibility === "public" ? [wall] : []),
      make("button", { type: "button", onclick: () => handOut(desk, number, said, hand) }, say("hand_out"), make("span", { className: "unseen" }, ` ${say("round", { round: number })}`)),
      ...(closed ? [] : voided(desk, number).map((table) => sure(say("replace", { table }), say("replace_sure", { table }), () => desk.act(`/rounds/${number}/tables/${table}/match`, { where: said, done: say("replaced", { table }) })))),
      ...(closed || !untouched(desk, number) ? [] : [sure(say("take_back_round", { round: number }), say("take_back_round_sure"), () => desk.act(`/rounds/${number}/take-back`, { where: saidBeside, done: say("is_taken_back", { round: number }) }))]),
      ...(closed ? [] : [sure(say("close_round", { round: number }), say("close_round_sure"), () => desk.act(`/rounds/${number}/close`, { where: said, done: say("is_closed", { round: number }) }))]));
  }

  return { element, fill, written: null };
}

/** The links of all seats of a round, to print and to hand out: whoever has one plays for its seat. */
async function handOut(desk, number, said, hand) {
  const answer = await desk.ask(`${address}/rounds/${number}?tokens=1`);
  said.classList.toggle("wrong", answer.status !== 200);
  if (answer.status !== 200) return said.replaceChildren(...reasons(answer));
  said.replaceChildren();
  const title = make("h2", { tabIndex: -1 }, say("links_of", { round: number }));
  hand([make("div", { className: "row no-print" }, make("button", { type: "button", onclick: () => print() }, say("print")), make("button", { type: "button", onclick: () => hand([]) }, say("put_away"))),
    title, make("p", { className: "soft no-print" }, say("links_about")),
    make("ol", { className: "slips" }, answer.document.tables.flatMap((table) => table.seats.map((seat) => slipOf(table, seat))))]);
  title.focus();
}

function slipOf({ table, match }, { name, seat, token }) {
  const where = make("span", {}, make("b", { className: "number" }, say("table", { table })), " ", make("span", { className: "soft" }, say("seat", { seat: seat + 1 })));
  return slip(where, name, token ? seatLink(match, token) : null);
}
