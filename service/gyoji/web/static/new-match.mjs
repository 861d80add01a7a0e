// The form of a new match, and the links of its seats.

import { inLanguage, say } from "./calls.mjs";
import { make } from "./cards.mjs";
import { field, form, game, spread, start } from "./setup.mjs";
import { seatLink, slip } from "./slips.mjs";

const count = document.getElementById("count");
const names = document.getElementById("names");
const made = document.getElementById("made");

let offered = null;

/** Offers the numbers of players of the game, and a name for each. */
function offerSeats() {
  const { least, most, bots } = game();
  if (offered !== field("/game").value) {
    offered = field("/game").value;
    const before = Number(count.value) || 4;
    count.replaceChildren(...spread(least, most).map((seats) => make("option", { value: seats }, say("seats", { seats }))));
    count.value = String(Math.min(Math.max(before, least), most));
    names.replaceChildren();
  }
  const wanted = Number(count.value);
  for (const extra of [...names.children].slice(wanted)) extra.remove();
  for (let seat = names.children.length; seat < wanted; seat += 1) names.append(nameField(seat, bots));
  for (const one of names.querySelectorAll("select")) names.querySelector(`#name-${one.dataset.seat}`).disabled = isBots(one.dataset.seat);
}

/** The name of whoever sits there; where bots may, who of them instead. The first seat is a person's. */
function nameField(seat, bots) {
  const name = make("input", { id: `name-${seat}`, name: `/seats/${seat}/name`, "data-kind": "text", autocomplete: "off", value: say("player", { number: seat + 1 }) });
  const whose = bots.length === 0 || seat === 0 ? null : make("select", { name: `/seats/${seat}/bot`, "data-seat": seat, "aria-label": say("who_plays", { seat: seat + 1 }) },
    ["", ...bots].map((bot) => make("option", { value: bot }, bot === "" ? say("person") : say("bot", { bot }))));
  return make("div", { className: "field" }, make("label", { for: `name-${seat}` }, say("seat", { seat: seat + 1 })), name, whose);
}

const isBots = (seat) => Boolean(names.querySelector(`select[data-seat="${seat}"]`)?.value);

/** The links of all seats that people play, to be handed out: they are shown here alone. */
function show({ match, seats }, key) {
  const title = make("h2", { id: "made-title", tabIndex: -1 }, say("made"));
  const opened = make("a", { className: "button", href: inLanguage(`/matches/${match}`), onclick: (event) => {
    event.preventDefault();
    location.assign(`${inLanguage(`/matches/${match}`)}#${new URLSearchParams({ key })}`);
  } }, say("open_match"));
  form.hidden = true;
  made.hidden = false;
  made.replaceChildren(title, make("p", { className: "no-print" }, say("made_about")),
    make("ol", { className: "slips" }, seats.filter(({ seat }) => !isBots(seat)).map(({ seat, name, token }) => slip(make("b", { className: "number" }, say("seat", { seat: seat + 1 })), name, seatLink(match, token)))),
    make("div", { className: "row no-print" }, make("button", { type: "button", className: "first", onclick: () => print() }, say("print")), opened,
      make("button", { type: "button", onclick: () => { made.hidden = true; form.hidden = false; made.replaceChildren(); form.querySelector("button").focus(); } }, say("another"))));
  title.focus();
}

start({ changed: offerSeats, made: show });
