// The next round: proposed first, arranged by hand if that is wanted, and then made with all its matches at once.

import { make, notice, reasons, say, address } from "./desk-parts.mjs";

const PAIRINGS = ["draw", "swiss", "rotation"];

/** The form of the next round. */
export function nextRound(desk) {
  const how = make("select", {}, make("option", { value: "" }, say("as_agreed")), PAIRINGS.map((name) => make("option", { value: name }, say(`pairing-${name}`))));
  const early = make("input", { type: "checkbox" });
  const held = make("input", { type: "checkbox", checked: desk.found.clock !== null });
  const said = notice();
  const shown = make("div", { className: "proposed" });
  const title = make("h2", {});
  const form = make("form", {}, make("div", { className: "fields-row" }, make("label", {}, say("pairing"), how), make("label", { className: "tick" }, early, say("early")), make("button", { className: "first" }, say("propose"))));
  const element = make("section", { className: "panel no-print" }, title, make("p", { className: "soft" }, say("propose_about")), form, said, shown);
  /** What is proposed: {seq, tables, byes, absent, asked, byHand}; null where nothing is. */
  let proposal = null;

  const asked = () => ({ ...(how.value ? { pairing: how.value } : {}), ...(early.checked ? { early: true } : {}) });

  form.onsubmit = (event) => {
    event.preventDefault();
    propose(asked());
  };

  /** Asks how the round would be paired. Where tables are made by hand, a draw is what to begin from. */
  async function propose(sent) {
    const { pairing: agreed, seq } = desk.found;
    const toBegin = agreed === "hand" && !sent.pairing;
    const answer = await trial({ ...sent, ...(toBegin ? { pairing: "draw" } : {}) }, seq);
    if (answer === null) return;
    proposal = { seq, asked: sent, byHand: toBegin, ...arranged(answer) };
    draw();
  }

  async function trial(body, seq) {
    said.replaceChildren(make("p", { className: "soft" }, say("sending")));
    const answer = await desk.ask(`${address}/rounds`, { body: { ...body, dry_run: true }, seq });
    const good = answer.status === 200;
    if (answer.status === 412) await desk.look();
    said.classList.toggle("wrong", !good);
    said.replaceChildren(...(good ? [] : reasons(answer)));
    return good ? answer.document : null;
  }

  const bodyOf = ({ asked: sent, byHand, tables, byes }) => (byHand ? { tables, byes, ...(sent.early ? { early: true } : {}) } : sent);

  function draw() {
    if (proposal === null) return shown.replaceChildren();
    const number = desk.found.paired.length + 1;
    const byHand = proposal.byHand ? "" : make("button", { type: "button", onclick: () => { proposal.byHand = true; draw(); } }, say("by_hand"));
    shown.replaceChildren(
      proposal.byHand ? make("p", {}, say("by_hand_about")) : "",
      make("ol", { className: "tables" }, proposal.tables.map((table, at) => make("li", {}, make("h3", {}, make("span", { className: "unseen" }, say("table", { table: at + 1 })), make("span", { "aria-hidden": "true" }, String(at + 1))),
        make("ol", { className: "sitters" }, table.map((_, seat) => make("li", {}, who(["tables", at, seat], say("seat_at", { table: at + 1, seat: seat + 1 }))))))),
      ),
      proposal.byes.length > 0 ? make("div", { className: "byes" }, make("h3", {}, say("byes")), make("ul", { className: "sitters" }, proposal.byes.map((_, at) => make("li", {}, who(["byes", at], say("bye")))))) : "",
      proposal.absent.length > 0 ? make("p", {}, make("b", {}, `${say("absentees")}${say("colon")}`), proposal.absent.flatMap((entrant, place) => [place > 0 ? say("comma") : "", make("bdi", {}, nameOf(entrant))])) : "",
      make("label", { className: "tick" }, held, say("held")),
      make("div", { className: "row" }, make("button", { type: "button", className: "first", onclick: create }, say("create_round", { round: number })), byHand,
        make("button", { type: "button", onclick: () => { proposal = null; draw(); } }, say("discard"))));
  }

  /** Who is at a place: a name, or a choice; whoever is chosen changes places with whoever sat there. */
  function who(path, label) {
    const here = at(path);
    const active = desk.found.entrants.filter(({ entrant, withdrawn }) => withdrawn === null && !proposal.absent.includes(entrant));
    if (!proposal.byHand) return make("bdi", {}, nameOf(here));
    const choice = make("select", { "aria-label": label }, active.map(({ entrant, name }) => make("option", { value: entrant }, name)));
    choice.value = here;
    choice.dataset.path = path.join("-");
    choice.onchange = () => {
      const other = placeOf(choice.value);
      put(path, choice.value);
      if (other) put(other, here);
      draw();
      shown.querySelector(`[data-path="${path.join("-")}"]`).focus();
    };
    return choice;
  }

  const nameOf = (wanted) => desk.found.entrants.find(({ entrant }) => entrant === wanted)?.name ?? wanted;

  const at = ([part, ...rest]) => rest.reduce((value, key) => value[key], proposal[part]);

  function put(path, entrant) {
    at(path.slice(0, -1))[path.at(-1)] = entrant;
  }

  function placeOf(entrant) {
    const table = proposal.tables.findIndex((seats) => seats.includes(entrant));
    if (table >= 0) return ["tables", table, proposal.tables[table].indexOf(entrant)];
    return proposal.byes.includes(entrant) ? ["byes", proposal.byes.indexOf(entrant)] : null;
  }

  /** Makes the round as it is shown: with the tournament as it was when it was proposed, or not at all. */
  async function create() {
    const made = await desk.act("/rounds", { body: { ...bodyOf(proposal), ...(held.checked ? { held: true } : {}) }, where: said, done: say("round_made", { round: desk.found.paired.length + 1 }), seq: proposal.byHand ? desk.found.seq : proposal.seq });
    if (made) proposal = null;
    draw();
  }

  function show() {
    const { paired, rounds, status } = desk.found;
    element.hidden = status === "closed" || paired.length >= rounds;
    early.parentElement.hidden = paired.length === 0;
    title.textContent = say("next_round", { round: paired.length + 1, rounds });
  }

  return { element, show, said };
}

/** Entrants by table and seat, as they are sent by hand; a team sits at all seats of its table and is named once. */
function arranged({ tables, byes, absent = [] }) {
  return { absent, tables: tables.map(({ seats }) => [...new Set(seats.map(({ entrant }) => entrant))]), byes: [...byes] };
}
