// The director's rounds: the next one; those that are paired, with all that a director does in turn: print or project who sits
// where, hand out links, start the clocks, announce, pause all, close.

import { announcements } from "./desk-announcements.mjs";
import { address, arrange, handOut, inLanguage, make, notice, projectorLink, say, sure } from "./desk-parts.mjs";
import { nextRound } from "./desk-proposal.mjs";
import { seatLink, slip } from "./slips.mjs";

/** The view of the rounds. */
export function roundsView(desk) {
  const next = nextRound(desk);
  const listed = make("div", { className: "paired" });
  const handed = make("div", { className: "handed" });
  const element = make("section", { "aria-label": say("tab_rounds") }, next.element, listed, handed);
  const rounds = new Map();
  const announce = announcements(desk);

  function show() {
    next.show();
    announce.show();
    const newest = [...desk.found.paired].reverse();
    for (const round of rounds.keys()) if (round > newest.length) rounds.delete(round);
    const [latest, ...others] = newest.map(({ round }) => elementOf(round));
    arrange(listed, [...(latest ? [latest] : []), announce.element, ...others]);
    for (const { round, closed } of newest) {
      const known = rounds.get(round);
      const written = JSON.stringify([closed, desk.found.status, voided(desk, round), untouched(desk, round), standing(desk, round), running(desk, round)]);
      if (known.written !== written) known.fill(closed);
      known.written = written;
    }
  }

  /** The element of a round, which stays: what is open in it, and what was said there, is not lost. */
  function elementOf(number) {
    if (!rounds.has(number)) rounds.set(number, roundOf(desk, number, (children) => handed.replaceChildren(...children), next.said, announce.begin));
    return rounds.get(number).element;
  }

  return { element, show };
}

const tablesOf = (desk, round, wanted) => desk.tables.tables.filter((one) => one.round === round && wanted(one));

/** Whether the round is the latest, and nobody has begun in it as far as is known here. */
const untouched = (desk, round) => round === desk.found.paired.length && tablesOf(desk, round, ({ begun, status }) => begun || status === "finished").length === 0;

const voided = (desk, round) => tablesOf(desk, round, ({ status }) => status === "voided").map(({ table }) => table);

/** How many matches stand still until somebody starts them, and how many are played. */
const standing = (desk, round) => tablesOf(desk, round, ({ flag }) => flag === "held" || flag === "paused").length;
const running = (desk, round) => tablesOf(desk, round, ({ status }) => status === "playing").length;

function roundOf(desk, number, hand, saidBeside, announce) {
  const said = notice();
  const state = make("span", { className: "soft" });
  const actions = make("div", { className: "row no-print" });
  const element = make("section", { className: "panel one-round no-print" }, make("h2", {}, say("round", { round: number }), " ", state), actions, said);

  function fill(closed) {
    state.textContent = closed ? say("round_closed") : standing(desk, number) > 0 ? say("round_stands", { count: standing(desk, number) }) : say("round_open");
    const change = (part, label, properties) => make("button", { type: "button", ...properties, onclick: () => desk.act(`/rounds/${number}/${part}`, { where: said, done: say(`is_${part}`, { round: number }) }) }, say(label, { round: number }));
    const wall = make("a", { className: "button", href: inLanguage(`/tournaments/${desk.found.tournament}/rounds/${number}`), target: "_blank", rel: "noopener" }, say("wall"), make("span", { className: "unseen" }, ` ${say("new_tab")}`));
    actions.replaceChildren(
      ...(desk.found.visibility === "public" ? [wall] : []),
      ...(closed ? [] : [projectorLink(desk.key, make("span", { className: "unseen" }, ` ${say("round", { round: number })} ${say("new_tab")}`))]),
      make("button", { type: "button", onclick: () => handOut(desk, said, hand, ofRound(number)) }, say("hand_out"), make("span", { className: "unseen" }, ` ${say("round", { round: number })}`)),
      ...(closed || standing(desk, number) === 0 ? [] : [change("start", "start_round", { className: "first" })]),
      ...(number === desk.found.paired.length && desk.found.status !== "closed" ? [make("button", { type: "button", onclick: announce }, say("announce_to"))] : []),
      ...(closed || running(desk, number) === 0 ? [] : [change("pause", "pause_round")]),
      ...(closed ? [] : voided(desk, number).map((table) => sure(say("replace", { table }), say("replace_sure", { table }), () => desk.act(`/rounds/${number}/tables/${table}/match`, { where: said, done: say("replaced", { table }) })))),
      ...(closed || !untouched(desk, number) ? [] : [sure(say("take_back_round", { round: number }), say("take_back_round_sure"), () => desk.act(`/rounds/${number}/take-back`, { where: saidBeside, done: say("is_taken_back", { round: number }) }))]),
      ...(closed ? [] : [sure(say("close_round", { round: number }), say("close_round_sure"), () => desk.act(`/rounds/${number}/close`, { where: said, done: say("is_closed", { round: number }) }))]));
  }

  return { element, fill, written: null };
}

/** The links of all seats of a round: whoever has one plays for its seat. */
const ofRound = (number) => ({
  path: `${address}/rounds/${number}?tokens=1`, title: say("links_of", { round: number }), about: say("links_about"),
  slips: ({ tables }) => tables.flatMap((table) => table.seats.map((seat) => slipOf(table, seat))),
});

function slipOf({ table, match }, { name, seat, token }) {
  const where = make("span", {}, make("b", { className: "number" }, say("table", { table })), " ", make("span", { className: "soft" }, say("seat", { seat: seat + 1 })));
  return slip(where, name, token ? seatLink(match, token) : null);
}
