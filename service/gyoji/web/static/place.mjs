// The page of an entrant: the token behind the # of its address holds for the whole event, and the page leads to whatever
// table the entrant sits at. It asks again now and then; a table that it has not led to yet it opens by itself.

import { inLanguage, say, service } from "./calls.mjs";
import { make } from "./cards.mjs";

const SECONDS = 5;

const host = document.getElementById("place");
const presence = document.getElementById("presence");
const token = new URLSearchParams(location.hash.slice(1)).get("token");
const address = `/v1/tournaments/${encodeURIComponent(host.dataset.tournament)}`;
const call = service(null);
let shown = null;

/** The place of whoever holds the token: {status, document}; status 0 where no answer came. */
const ask = () => call(`${address}/places`, { body: { token } });

async function look() {
  const answer = document.hidden ? null : await ask();
  if (answer !== null) {
    const isLost = answer.status === 401 || answer.status === 422;
    document.getElementById("network").textContent = answer.status === 200 || isLost ? "" : say("network");
    if (isLost) return lost();
    if (answer.status === 200) show(answer.document);
  }
  setTimeout(look, SECONDS * 1000);
}

function lost() {
  presence.hidden = true;
  host.replaceChildren(make("p", { className: "wrong" }, say("lost")));
}

function show(place) {
  const written = JSON.stringify(place);
  if (written === shown) return;
  shown = written;
  const { title, name, status, round, table, match, seats, announcement } = place;
  document.getElementById("announced").replaceChildren(...(announcement ? [make("bdi", {}, announcement)] : []));
  document.title = `${name} · ${title} · gyoji`;
  document.getElementById("title").textContent = title;
  document.getElementById("name").hidden = false;
  document.getElementById("name").replaceChildren(make("bdi", {}, name));
  checking(place);
  const links = seats.filter((seat) => seat.token).map((seat) => ({ ...seat, href: `${inLanguage(`/matches/${match}`)}#token=${seat.token}` }));
  host.replaceChildren(
    make("p", {}, make("b", { className: "number" }, table === null ? say(status) : say("table", { table })), table === null || round === null ? "" : make("span", { className: "soft" }, say("round", { round }))),
    table === null ? "" : make("p", {}, say(status)),
    ...links.map((link) => make("p", {}, make("a", { className: "button first", href: link.href }, seats.length > 1 ? say("open_seat", { name: link.name }) : say("open")))),
    seats.length > links.length ? make("p", {}, say("no_link")) : "");
  if (status === "playing" && seats.length === 1 && links.length === 1) lead(match, links[0].href);
}

/** Whether the entrant has checked in, with the button that changes it; it stays, and so does the focus. */
function checking({ present, status }) {
  presence.hidden = present === undefined || status === "withdrawn" || status === "closed";
  if (presence.hidden) return;
  const [state, button, said] = presence.children;
  state.textContent = say(present ? "is_here" : "is_away");
  button.textContent = say(present ? "leave" : "here");
  button.classList.toggle("first", !present);
  button.onclick = () => check(!present, said);
}

async function check(present, said) {
  said.textContent = say("sending");
  const { status, document: told } = await call(`${address}/check-ins`, { body: { token, present } });
  said.textContent = status === 200 ? "" : status === 0 || status === 503 ? say("unsent") : told.because ?? told.detail ?? "";
  if (status === 200) show(told);
}

/** Opens a table the first time that it is there; whoever comes back stays here. */
function lead(match, href) {
  const been = `gyoji-led-${match}`;
  if (sessionStorage.getItem(been) !== null) return;
  sessionStorage.setItem(been, "1");
  location.assign(href);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && token !== null) ask().then(({ status, document: found }) => status === 200 && show(found));
});
if (token === null) lost();
else look();
