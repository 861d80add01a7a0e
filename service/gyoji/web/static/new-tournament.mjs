// The form of a new tournament, and what it would be like: tables, byes, minutes.

import { inLanguage, say } from "./calls.mjs";
import { make } from "./cards.mjs";
import { field, form, game, most, spread, start } from "./setup.mjs";

const part = (id) => document.getElementById(id);
const size = part("size");
const also = part("also");
const preview = part("preview");
const places = field("/points/points");
const alike = part("alike");
const bySize = part("by-size");

/** The game whose sizes are offered, and the places that were filled in here and not typed. */
let offered = null;
let filledIn = places.value;

/** Offers the sizes of the tables of the game. */
function offerSizes() {
  if (offered === field("/game").value) return;
  offered = field("/game").value;
  const { least, most: largest } = game();
  const preferred = Math.min(4, largest);
  size.replaceChildren(...spread(least, largest).map((seats) => make("option", { value: seats, selected: seats === preferred }, say("seats", { seats }))));
  offerOthers(spread(least, largest).filter((seats) => seats === preferred - 1));
}

/** Offers the other sizes, which are taken where the preferred one does not come out even. */
function offerOthers(chosen) {
  const others = [...size.options].map(({ value }) => Number(value)).filter((seats) => seats !== Number(size.value)).reverse();
  also.closest("fieldset").hidden = others.length === 0;
  also.replaceChildren(...others.map((seats) => make("label", { className: "tick" }, make("input", { type: "checkbox", name: "/seats", value: seats, "data-kind": "listed", checked: chosen.includes(seats) }), ` ${say("seats", { seats })}`)));
}

const chosenSizes = () => [Number(size.value), ...[...also.querySelectorAll("input:checked")].map(({ value }) => Number(value))];

/** Takes away what teams cannot have, who meet nobody. */
function fitTeams() {
  const { teams } = game();
  const rotation = part("pairing").querySelector("[value=rotation]");
  const [rank, score] = ["rank", "score"].map((by) => form.querySelector(`[name="/points/by"][value=${by}]`));
  rotation.hidden = rotation.disabled = rank.disabled = teams;
  if (teams && part("pairing").value === "rotation") part("pairing").value = "draw";
  if (teams && rank.checked) score.checked = true;
}

/** Points for each place of the largest table, unless somebody has written others; all tables of one size where they share their deals. */
function fit() {
  const isDuplicate = field("/duplicate").checked;
  for (const one of also.querySelectorAll("input")) one.disabled = isDuplicate;
  if (isDuplicate) for (const one of also.querySelectorAll("input")) one.checked = false;
  if (places.value !== filledIn) return;
  places.value = filledIn = spread(0, Math.max(...chosenSizes()) - 1).reverse().join(", ");
}

/** What the places bring where tables of different sizes count alike: six points for each player, as docs/tournaments.md says. */
const ALIKE = { 2: "9, 3", 3: "10, 6, 2", 4: "11, 7, 4, 2", 5: "12, 8, 5, 3, 2", 6: "13, 9, 6, 4, 2, 2" };

/** Points for the places of the tables of every smaller size, where somebody wants all sizes to count alike. */
function evenOut() {
  const [largest, ...smaller] = chosenSizes().sort((one, other) => other - one);
  const wanted = alike.checked && smaller.length > 0;
  part("uneven").hidden = smaller.length === 0;
  const known = new Map([...bySize.querySelectorAll("input")].map((input) => [Number(input.dataset.size), input.value]));
  const shownSizes = wanted ? smaller : [];
  if (shownSizes.join() !== [...known.keys()].join()) bySize.replaceChildren(...shownSizes.map((seats, place) => make("div", { className: "field" },
    make("label", { htmlFor: `places-${seats}` }, say("places_of", { seats })),
    make("input", { id: `places-${seats}`, name: `/points/by_size/${place}`, "data-kind": "list", "data-size": seats, autocomplete: "off", value: known.get(seats) ?? ALIKE[seats] ?? "" }))));
  if (alike.checked && places.value === filledIn && ALIKE[largest]) places.value = filledIn = ALIKE[largest];
}

let asked = 0;

/** Shows the tables, byes and minutes. */
async function plan() {
  const mine = ++asked;
  const entrants = part("entrants").value.trim();
  const rounds = field("/rounds").value.trim();
  const told = isUpTo(most.entrants, entrants) && isUpTo(most.rounds, rounds) ? await planned(entrants, rounds) : null;
  if (mine === asked) preview.replaceChildren(...(told === null ? [make("p", {}, say("preview_none"))] : shown(told, Number(rounds))));
}

const isUpTo = (limit, text) => /^[1-9]\d*$/.test(text) && Number(text) <= limit;

/** The plan of the service, or null where it cannot be had. */
async function planned(entrants, rounds) {
  const query = new URLSearchParams({ game: field("/game").value, entrants, seats: chosenSizes().join("."), rounds, pairing: part("pairing").value, lang: document.documentElement.lang });
  try {
    const answer = await fetch(`/tournaments/new/plan?${query}`, { credentials: "omit" });
    return answer.status === 200 ? await answer.json() : null;
  } catch {
    return null;
  }
}

function shown({ because, possible, tables, byes }, rounds) {
  if (because) return [make("p", {}, because), make("div", { className: "row" }, possible.map(offer))];
  const minutes = Number(part("minutes").value);
  const whole = rounds * minutes;
  const time = minutes > 0 ? say("preview_minutes", { rounds, minutes, whole, hours: Math.floor(whole / 60), rest: String(whole % 60).padStart(2, "0") }) : null;
  const { teams } = game();
  return [
    make("ul", { className: "plan" }, tables.map(({ seats, tables: count }) => make("li", {}, say(teams ? "preview_teams" : count === 1 ? "preview_table" : "preview_tables", { count, seats })))),
    teams ? null : make("p", {}, byes === 0 ? say("preview_no_byes") : say("preview_byes", { byes })),
    make("p", {}, say(rounds === 1 ? "preview_round" : "preview_rounds", { rounds })),
    time && make("p", {}, time)].filter(Boolean);
}

/** A rotation that is known for so many entrants, to be taken by a press. */
function offer({ seats, rounds }) {
  return make("button", { type: "button", onclick: () => {
    size.value = String(seats);
    offerOthers([]);
    field("/rounds").value = String(rounds);
    size.dispatchEvent(new Event("input", { bubbles: true }));
  } }, say("take_rotation", { seats, rounds }));
}

size.addEventListener("input", () => offerOthers([]));

start({
  changed() {
    offerSizes();
    fitTeams();
    fit();
    evenOut();
    plan();
  },
  /** The desk of the new tournament; the key goes along in the fragment, which no server is sent. */
  made({ tournament }, key) {
    location.assign(`${inLanguage(`/tournaments/${tournament}/desk`)}#${new URLSearchParams({ key })}`);
  },
});
