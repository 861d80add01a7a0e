// The desk of a referee at a match: what could legally have been done at a position, the form of a ruling with the rulebook
// beside it, what the ruling would do, and then the ruling.

import { make } from "./cards.mjs";
import { Refused } from "./feed.mjs";
import { ruleChoice } from "./ruling-book.mjs";
import { fieldsOf, holdsMove, kindsOf, labelled, seatBoxes } from "./ruling-fields.mjs";
import { ruleLink } from "./rule-links.mjs";
import { expanded, moveName } from "./table.mjs";

const MOST_REASON = 1000;

/**
 * A desk in `host`, which stays hidden until a position is ruled on.
 *
 * @param {HTMLElement} host
 * @param {object} facts `ask`, `match`, `words` of the page, `say(key, facts)`, which gives those of the desk, `table` (the
 *   viewer), `names`, `as`, `game`, `answer()`, the latest answer of frames, and `catchUp()`, which fetches what is new
 * @returns {{open: (frame: object) => Promise<void>, took: () => void, end: () => void}} `open` opens the desk at a frame;
 *   `took` is told that the match has gone on
 */
export function rulingDesk(host, { ask, match, words, say, table, names, as, game, answer, catchUp }) {
  const told = make("div", { className: "ruling-answer", role: "status" });
  const kept = new Map();
  let form = null;

  /** What is the same as long as the page is open: asked for once. */
  function known(path) {
    if (!kept.has(path)) kept.set(path, ask(path).catch(() => (kept.delete(path), null)));
    return kept.get(path);
  }

  const described = () => known(`/v1/games/${game}`);

  async function open(at) {
    const book = await known(`/v1/games/${game}/rules`);
    form = rulingForm({ seq: inForce(at.seq), rules: book?.rules ?? [], say, words, names, game, answer, described, latest: table.last, sent, told });
    told.replaceChildren();
    const title = make("h2", { tabIndex: -1 }, say("title", { seq: at.seq }));
    host.replaceChildren(make("div", { className: "desk-head" }, title, make("button", { type: "button", onclick: close }, say("close"))),
      possible(at), form.element);
    host.hidden = false;
    title.focus();
    host.scrollIntoView({ block: "start" });
  }

  /** The last event up to there that no ruling has taken back: to it a take-back can go. */
  function inForce(seq) {
    return table.after(-1).findLast((one) => one.seq <= seq && one.takenBackBy === null)?.seq ?? seq;
  }

  function close() {
    host.hidden = true;
    host.replaceChildren();
    form = null;
    document.querySelector("#match .links button")?.focus();
  }

  // ---- what each seat could have done

  function possible({ legal, view }) {
    const moves = expanded(legal);
    const seats = [...new Set([...moves.map(({ seat }) => seat), ...(view?.to_act ?? [])])].sort((one, other) => one - other);
    const why = answer().desk.unsealed ? (as === null ? "" : say("hidden_as", { name: names[as] })) : say("hidden_key");
    return make("section", { className: "could" }, make("h3", {}, say("could")),
      seats.length === 0 ? make("p", { className: "soft" }, say("could_nobody")) : make("dl", {}, seats.map((seat) => ofSeat(seat, moves.filter((move) => move.seat === seat)))),
      why && seats.some((seat) => moves.every((move) => move.seat !== seat)) ? make("p", { className: "soft" }, why) : null);
  }

  function ofSeat(seat, own) {
    return [make("dt", {}, names[seat]), make("dd", {}, own.length === 0 ? make("span", { className: "soft" }, say("could_unknown"))
      : make("ul", {}, own.map((move) => make("li", {}, moveName(game, move, words)))))];
  }

  // ---- trying and ruling

  /** Sends a ruling, or only tries it; whether it is the same that was tried is the form's to know. */
  async function sent(body, dry) {
    const seq = table.last().seq;
    told.replaceChildren(make("p", {}, say("sending")));
    try {
      const made = await ask(`/v1/matches/${match}/rulings`, { body: dry ? { ...body, dry_run: true } : body, seq });
      if (dry) told.replaceChildren(...wouldDo(body, made));
      else await ruled(made);
      return true;
    } catch (trouble) {
      if (!(trouble instanceof Refused)) told.replaceChildren(make("p", { className: "bad" }, say("unsent")));
      else if (trouble.status === 412) await goneOn(seq);
      else told.replaceChildren(...refusal(trouble));
      return false;
    } finally {
      told.scrollIntoView({ block: "nearest" });
    }
  }

  function wouldDo({ ruling }, made) {
    return [make("h3", {}, say("would")), make("ul", {},
      make("li", {}, say("would_status", { status: words[`status_${made.status}`] ?? made.status })),
      ruling.kind === "take_back" ? make("li", {}, say("would_back", { to: ruling.to, count: table.after(ruling.to).filter(({ takenBackBy }) => takenBackBy === null).length })) : null,
      made.result === null ? null : make("li", {}, say(made.result.winners.length > 0 ? "would_result" : "would_nobody", { winners: made.result.winners.map((seat) => names[seat]).join(", "), scores: made.result.scores.map((score, seat) => `${names[seat]} ${score}`).join(", ") })),
      made.fresh_entropy ? make("li", {}, say("would_entropy")) : null),
    ...(ruling.kind === "take_back" ? revealed(made.crossed) : [])];
  }

  /** What has been told since, and cannot be untold. */
  function revealed(crossed) {
    if (crossed.length === 0) return [make("p", {}, say("revealed_nothing"))];
    const frames = new Map(table.after(-1).map((one) => [one.seq, one]));
    return [make("p", {}, say("revealed")), make("ul", { className: "revealed" }, crossed.map(({ seq, known_to: to, shuffle }) => make("li", {},
      make("b", {}, say("event", { seq })), " ", frames.get(seq)?.told[0]?.text ?? "", " ",
      make("span", { className: "soft" }, say(to === "all" ? "known_all" : "known_seats", { names: to === "all" ? "" : to.map((seat) => names[seat]).join(", ") }), shuffle ? ` ${say("shuffled")}` : ""))))];
  }

  async function ruled(made) {
    const token = made.token === undefined ? null : tokenField(made);
    await catchUp();
    table.jump(made.seq);
    host.append(told);
    form?.element.remove();
    form = null;
    host.querySelector(".could")?.remove();
    told.replaceChildren(make("p", { className: "lead good" }, say("done", { seq: made.seq, status: words[`status_${made.status}`] ?? made.status })), ...(token === null ? [] : [token]),
      make("details", {}, make("summary", {}, say("receipt")), make("pre", {}, make("code", {}, JSON.stringify(made.receipt, null, 1)))));
  }

  /** The link of whoever takes over a seat: it is shown this once. */
  function tokenField({ token }) {
    const field = make("input", { readOnly: true, value: `${location.origin}${location.pathname}#token=${token}`, onfocus: () => field.select() });
    return labelled(say("token"), field);
  }

  /** Somebody was faster. Nothing was ruled; what happened is told, and the form stays as it is. */
  async function goneOn(seq) {
    await catchUp();
    const since = table.after(seq);
    told.replaceChildren(make("p", { className: "bad" }, say("gone_on")), make("ul", {}, since.map((one) => make("li", {}, make("b", {}, say("event", { seq: one.seq })), " ", one.told.map(({ text }) => text).slice(0, 3).join(" ")))));
  }

  function refusal({ status, document: said }) {
    const { breach } = said;
    return [make("p", { className: "bad" }, make("b", {}, say("refused")), " ", said.because ?? said.detail ?? String(status)),
      ...(breach ? [make("p", {}, breach.because, breach.rule ? ruleLink(game, breach.rule) : null)] : []),
      ...(said.errors?.length > 0 ? [make("ul", {}, said.errors.map((one) => make("li", {}, make("code", {}, one.pointer), " ", one.detail ?? one.code)))] : [])];
  }

  return { open, took: () => form?.stale(), end: close };
}

/** The form of a ruling. A ruling is tried before it is made, wherever whoever rules may know what comes of it. */
function rulingForm({ seq, rules, say, words, names, game, answer, described, latest, sent, told }) {
  const kind = make("select", { onchange: lay }, kindsOf(answer()).map((one) => make("option", { value: one }, say(`kind_${one}`))));
  const about = make("p", { className: "soft" });
  const holder = make("div", {});
  const reason = make("textarea", { rows: 3, maxLength: MOST_REASON, required: true });
  const book = ruleChoice(game, rules, say);
  const heard = audience();
  const trying = make("button", {}, say("try"));
  const ruling = make("button", { type: "button", className: "first", onclick: () => press(false) }, say("rule"));
  const element = make("form", { className: "ruling-form" }, make("div", { className: "ruling-what" },
    labelled(say("kind"), kind), about, holder, labelled(say("reason"), reason), heard.element, make("div", { className: "row" }, trying, ruling), told), book.element);
  let fields = null;
  let tried = null;
  let busy = false;

  element.addEventListener("input", offer);
  element.addEventListener("change", offer);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isBlind()) press(true);
  });
  lay();

  function lay() {
    fields = fieldsOf(kind.value, { game, words, names, say, seq, latest: latest(), described });
    holder.replaceChildren(fields.element);
    const blind = isBlind();
    about.textContent = [say(`about_${kind.value}`), blind ? say("blind") : ""].filter(Boolean).join(" ");
    trying.hidden = blind;
    offer();
  }

  /** Whether a ruling of that kind cannot be tried, since that would tell what lies in a hand. */
  function isBlind() {
    return holdsMove(kind.value) && !answer().desk.unsealed;
  }

  /** What was tried was tried on another position. */
  function stale() {
    tried = null;
    offer();
  }

  /** A ruling can be made as long as it is the one that was tried. */
  function offer() {
    ruling.hidden = !isBlind() && (tried === null || tried !== JSON.stringify(body()));
  }

  function body() {
    return { ruling: fields.read(), reason: reason.value.replace(/\s+/g, " ").trim(), rule: book.chosen(), audience: heard.read() };
  }

  async function press(dry) {
    if (busy || !element.reportValidity()) return;
    busy = true;
    const asked = body();
    const isTaken = await sent(asked, dry);
    busy = false;
    tried = dry && isTaken ? JSON.stringify(asked) : null;
    offer();
  }

  function audience() {
    const seats = seatBoxes(names, say("audience_seats"));
    seats.element.hidden = true;
    const select = make("select", { onchange: () => { seats.element.hidden = select.value !== "seats"; } },
      ["all", "seats", "none"].map((one) => make("option", { value: one }, say(`audience_${one === "seats" ? "some" : one}`))));
    return { element: make("div", {}, labelled(say("audience"), select), seats.element), read: () => ({ all: "all", none: [] })[select.value] ?? seats.read() };
  }

  return { element, stale };
}
