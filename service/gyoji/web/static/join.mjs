// The page of the joining link: whoever opens it enters a name while registration is open, and has their personal link at once.

import { newKey, say, service } from "./calls.mjs";
import { make } from "./cards.mjs";
import { placeLink, slip } from "./slips.mjs";

/** Milliseconds between two looks while registration is closed. */
const POLL = 5000;

const host = document.getElementById("join");
const network = document.getElementById("network");
const { tournament } = host.dataset;
const address = `/v1/tournaments/${encodeURIComponent(tournament)}`;
const kept = `gyoji-joined-${tournament}`;
const token = new URLSearchParams(location.hash.slice(1)).get("token");
const ask = service(null);
let retry = 0;

async function look() {
  clearTimeout(retry);
  if (token === null) return tell("lost");
  const { status, document: found } = await ask(`${address}/invitations`, { body: { token } });
  network.textContent = [200, 401, 422].includes(status) ? "" : say("network");
  if (status === 401 || status === 422) return tell("lost");
  if (status === 200) {
    document.title = `${found.title} · gyoji`;
    document.getElementById("title").replaceChildren(make("bdi", {}, found.title));
    const mine = sessionStorage.getItem(kept);
    if (mine !== null) return joined(found, JSON.parse(mine));
    if (found.open) return form(found);
    tell("closed");
  }
  retry = setTimeout(look, POLL);
}

function tell(key) {
  host.replaceChildren(make("p", { className: "panel", role: "status" }, say(key)));
}

/** The form of a player, or of a team with a field for each of its players. */
function form(found) {
  const field = (label, name) => make("label", { className: "wide-field" }, label, make("input", { name, type: "text", autocomplete: "off", maxLength: 64 }));
  const places = found.teams ? Array.from({ length: Math.max(...found.seats) }, (_, place) => field(say("member", { number: place + 1 }), "member")) : [];
  const said = make("div", { className: "said-here", role: "status" });
  const button = make("button", { className: "first" }, say("enter"));
  const element = make("form", { className: "panel joining" }, field(say(found.teams ? "team" : "name"), "name"), ...places, make("p", {}, button), said);
  /** A request that got no answer is sent again under its own key, so that nobody enters twice. */
  let attempt = { what: null, once: null };
  element.onsubmit = async (event) => {
    event.preventDefault();
    const body = bodyOf(element, found.teams);
    if (body.name === "") return element.elements.name.focus();
    const what = JSON.stringify(body);
    if (attempt.what !== what) attempt = { what, once: newKey() };
    button.disabled = true;
    said.replaceChildren(make("p", {}, say("sending")));
    const answer = await ask(`${address}/registrations`, { body, once: attempt.once });
    button.disabled = false;
    if (answer.status === 401) return tell("lost");
    said.classList.toggle("wrong", answer.status !== 201);
    if (answer.status !== 201) {
      said.replaceChildren(make("p", {}, why(answer)));
      return element.elements.name.focus();
    }
    sessionStorage.setItem(kept, JSON.stringify(answer.document));
    joined(found, answer.document);
  };
  host.replaceChildren(element);
}

function bodyOf(element, teams) {
  const members = [...element.querySelectorAll("[name=member]")].map((one) => one.value.trim()).filter(Boolean);
  return { token, name: element.elements.name.value.trim(), ...(teams ? { members } : {}) };
}

function why({ status, document: told }) {
  if (status === 0 || status === 503) return say("unsent");
  return told.because ?? told.errors?.map(({ message }) => message).join(" ") ?? told.detail ?? say("failed", { status });
}

/** The personal link: to go on with here, to copy, and as a code for another telephone. */
function joined(found, { name, token: own }) {
  const link = placeLink(tournament, own);
  const head = make("h2", { tabIndex: -1 }, say("joined"), " ", make("bdi", {}, name));
  const another = make("button", { type: "button", onclick: () => {
    sessionStorage.removeItem(kept);
    look();
  } }, say("another"));
  host.replaceChildren(make("section", { className: "panel joined" }, head,
    make("p", {}, make("a", { className: "button first", href: link }, say("go"))),
    make("p", {}, make("b", {}, say("keep"))), make("ol", { className: "slips" }, slip("", name, link))),
  make("p", {}, another));
  head.focus();
}

addEventListener("hashchange", () => location.reload());
look();
