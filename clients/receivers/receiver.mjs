// Receives webhooks of gyoji: GYOJI_WEBHOOK_SECRET=whsec_… node receiver.mjs 8001. Node 20, nothing else.

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SECRET = Buffer.from(process.env.GYOJI_WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");
const PATIENCE = 300; // seconds that the time of a message may be off
const LONGEST = 1024 * 1024; // bytes of a body
const MOST_REMEMBERED = 100_000;

/** The ids of what was taken: a message that is sent again has the same. Keep them in a database, if it matters. */
const seen = new Set();

/** Tells whether one of the signatures is that of the message, and its time is now. */
function isGenuine(name, when, signatures, body) {
  if (!/^\d{1,12}$/.test(when) || Math.abs(Date.now() / 1000 - Number(when)) > PATIENCE) return false;
  const digest = createHmac("sha256", SECRET).update(`${name}.${when}.`).update(body).digest("base64");
  const right = Buffer.from(`v1,${digest}`);
  return signatures.split(" ").some((each) => {
    const given = Buffer.from(each);
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

/** Remembers the id of a message; tells whether it was not seen before. */
function isNew(name) {
  if (seen.has(name)) return false;
  seen.add(name);
  if (seen.size > MOST_REMEMBERED) seen.delete(seen.values().next().value);
  return true;
}

/** Does something about a message; here it is printed. What it holds is in openapi.yaml, under webhooks. */
function take({ type, data }) {
  console.log(type, data.match ?? "", data.seq ?? "");
}

/** Sends an answer without a body, before any work is done. */
function answer(response, status) {
  response.writeHead(status, { "Content-Length": 0, Connection: "close" }).end();
}

const server = createServer(async (request, response) => {
  const pieces = [];
  let length = 0;
  for await (const piece of request) {
    length += piece.length;
    if (length > LONGEST) return answer(response, 413);
    pieces.push(piece);
  }
  const body = Buffer.concat(pieces);
  const [name, when, signatures] = ["id", "timestamp", "signature"].map((each) => request.headers[`webhook-${each}`] ?? "");
  if (request.method !== "POST" || !isGenuine(name, when, signatures, body)) return answer(response, 400);
  answer(response, 204);
  if (isNew(name)) take(JSON.parse(body));
});

server.requestTimeout = 20_000;
server.listen(Number(process.argv[2]), "127.0.0.1");
