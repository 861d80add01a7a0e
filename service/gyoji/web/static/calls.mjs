// How pages with a key ask the service: their words, their addresses, and the calls of the API.

import { filled } from "./cards.mjs";

export const words = JSON.parse(document.getElementById("words").textContent);

const language = document.documentElement.lang;

/** A sentence of the page with its facts put in. */
export const say = (key, facts = {}) => filled(words[key], facts);

/** An address of this service, in the language that the address of this page itself asks for. */
export const inLanguage = (path) => `${path}${new URLSearchParams(location.search).has("lang") ? `?lang=${language}` : ""}`;

/** The key that the address of the page brings along, or null. */
export const keyInAddress = () => new URLSearchParams(location.hash.slice(1)).get("key");

/** A key of one's own for a request; `crypto.randomUUID` is not there at an address without TLS. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What no header can carry is nobody's key, and is sent as one that nobody has. */
const sendable = (key) => (/^[\x21-\x7e]+$/.test(key) ? key : "?");

/**
 * A function that asks the service with that key, or as anybody with null. It gives {status, document}, or {status, blob} for a file; status 0
 * where no answer came. The key goes into a header and nowhere else.
 */
export function service(key) {
  const own = { "Accept-Language": language, ...(key === null ? {} : { Authorization: `Bearer ${sendable(key)}` }) };
  return async function ask(path, { body, seq, once, accept, file } = {}) {
    const headers = { ...own, ...(accept ? { Accept: accept } : {}), ...(seq === undefined ? {} : { "If-Match": `"${seq}"` }), ...(once ? { "Idempotency-Key": once } : {}) };
    const sent = once || body ? { method: "POST" } : {};
    if (body) Object.assign(sent, { body: JSON.stringify(body), headers: { ...headers, "Content-Type": "application/json" } });
    try {
      const response = await fetch(path, { headers, ...sent, cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" });
      if (file && response.ok) return { status: response.status, blob: await response.blob() };
      return { status: response.status, document: await response.json() };
    } catch {
      return { status: 0, document: {} };
    }
  };
}
