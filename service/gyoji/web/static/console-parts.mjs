// What the modules of the console share: elements, words, and the calls of the API.

import { filled, make } from "./cards.mjs";

export { make };

/** A block of data of the page. */
export const block = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

export const words = block("words");

const telling = block("telling");
const spoken = document.documentElement.lang;

/** A sentence of the page with its facts put in; a key without one says itself. */
export const say = (key, facts = {}) => filled(Object.hasOwn(words, key) ? words[key] : key.replace(/^[a-z]+?_/, ""), facts);

/** The language of the page as a query, where the address says it. */
const chosen = new URLSearchParams(location.search).has("lang") ? `?lang=${spoken}` : "";

/** A rule's id as a link to the rulebook. */
export const ruleLink = (game, rule, text = rule) =>
  make("a", { href: `/rules/${encodeURIComponent(game)}${chosen}#${encodeURIComponent(rule)}`, className: "cite" }, text);

/** An event as a person tells it, in the words of the replays. */
export function told(game, event) {
  const inner = Object.values(event).filter((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  const facts = Object.assign({}, ...inner, event);
  const isCode = (item) => typeof item === "string" && !Object.hasOwn(telling.words[game] ?? {}, item);
  const worded = (value) => (Array.isArray(value) ? value.map(worded).join(spoken === "ja" ? "、" : ", ") : telling.words[game]?.[value] ?? String(value));
  const said = Object.entries(facts).map(([name, value]) => [name, Array.isArray(value) && value.every(isCode) ? value.join(" ") || say("nothing") : worded(value)]);
  return Object.hasOwn(telling.events[game], event.type) ? filled(telling.events[game][event.type], Object.fromEntries(said)) : String(event.type);
}

/**
 * One call of the API. Returns {status, body}; status 0 where no answer came, or none that is JSON.
 */
export async function ask(path, body) {
  const headers = { Accept: "application/json, application/problem+json", "Accept-Language": spoken };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  try {
    const answer = await fetch(path, { headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" }, ...sent });
    return { status: answer.status, body: await answer.json() };
  } catch (failure) {
    return { status: 0, body: { detail: say("unreachable"), failure: String(failure) } };
  }
}

export const callOf = (game, call) => `/v1/games/${encodeURIComponent(game)}/${call}`;

const kept = new Map();

/** What is the same until the next release: a game's description, its rulebook. Asked for once; null where it fails. */
export function known(path) {
  if (!kept.has(path)) {
    kept.set(path, ask(path).then(({ status, body }) => {
      if (status === 200) return body;
      kept.delete(path);
      return null;
    }));
  }
  return kept.get(path);
}

/** A game as the catalogue describes it, or null where that cannot be had. */
export const gameOf = (game) => known(`/v1/games/${encodeURIComponent(game)}`);

/** Why a call was refused, where that is not about the rules: in the words of the service, and in ours where it is closed. */
export function problem({ status, body }) {
  return [
    status === 401 || status === 403 ? make("p", {}, make("b", {}, say("closed"))) : null,
    make("p", {}, body.title ? make("b", {}, `${body.title} `) : null, body.detail ?? ""),
    body.code ? make("p", {}, make("a", { href: `/problems/${encodeURIComponent(body.code)}${chosen}` }, say("what_means"))) : null,
  ];
}
