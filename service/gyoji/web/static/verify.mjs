// Verifies replay files (gyoji-replay/1) with nothing but WebCrypto: a second opinion beside `gyoji audit`, written from
// the published formats (docs/verify.md) and sharing no code with it.
//
// It checks bytes, chain, head, digest, openings, commitments, the order of entropies, every shuffle, where each open
// card came from, and receipts. It does not know the rules of play, so its best verdict is `verified_partial`.
//
//   node verify.mjs FILE… [--trust FILE] [--receipts PATH] [--beacons FILE] [--json] [--lang en|ja]
//   import { verify } from "/static/verify.mjs"   (a browser: over https, or from localhost)

/** Bytes of a file, bytes of a line, lines of a file, bytes of one event's openings, levels of nesting. */
export const LIMITS = { file: 1 << 26, line: 1 << 20, lines: 2_000_000, openings: 1 << 22, depth: 64 };

export const CHECKS = [
  "bytes", "chain", "head", "file", "openings", "commitment", "shuffles", "moves", "positions", "scores", "result",
  "receipts",
];

export const EXITS = {
  verified: 0, verified_with_rulings: 0, verified_partial: 10, rules_divergence: 20, deal_divergence: 21,
  incomplete: 30, tampered: 40, equivocation: 41, key_untrusted: 42, rules_unknown: 50, malformed: 51,
};

const WORST_FIRST = [
  "equivocation", "tampered", "key_untrusted", "incomplete", "deal_divergence", "rules_divergence", "malformed",
  "rules_unknown", "verified_partial", "verified_with_rulings", "verified",
];

// Bytes

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes that an even number of hex digits stands for. */
export function bytesOf(hex) {
  if (!isHex(hex, hex.length / 2)) throw new RangeError("not lower-case hex");
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

/** Bytes as lower-case hex digits. */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A whole number as 4 bytes, big-endian. */
export function u32(number) {
  if (!Number.isInteger(number) || number < 0 || number > 0xffffffff) throw new RangeError("not a u32");
  return new Uint8Array([number >>> 24, number >>> 16, number >>> 8, number].map((byte) => byte & 255));
}

/** LP(a, b, …): every field, text or bytes, behind its length of 4 bytes. */
export function lp(...fields) {
  const raw = fields.map((field) => (typeof field === "string" ? encoder.encode(field) : field));
  return joined(...raw.flatMap((field) => [u32(field.length), field]));
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function digest(name, bytes) {
  return new Uint8Array(await crypto.subtle.digest(name, bytes));
}

async function sha256(bytes) {
  return hexOf(await digest("SHA-256", bytes));
}

async function hmacSha512(key) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
  return async (bytes) => new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}

// Canonical JSON (RFC 8785) of texts, whole numbers, booleans, null, lists and objects

/** The one text for a document that holds only what a log may hold. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

/** Why a value may not stand in a log, or null. */
function impurity(value) {
  if (typeof value === "number") return Number.isSafeInteger(value) ? null : "number";
  if (typeof value === "string") return /\p{Surrogate}/u.test(value) ? "not-json" : null;
  if (value === null || typeof value === "boolean") return null;
  if (!Array.isArray(value) && Object.keys(value).some((name) => /[^\x00-\x7f]/.test(name))) return "name";
  for (const inner of Object.values(value)) {
    const found = impurity(inner);
    if (found) return found;
  }
  return null;
}

/** How deeply lists and objects nest in a line, counted without reading it. */
function depthOf(line) {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const byte = line[at];
    if (quoted) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) most = Math.max(most, (depth += 1));
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
  }
  return most;
}

/** `{document}` of a line without its LF, or `{fault}`: why it is no line of a log. */
function read(line) {
  let text;
  let document;
  try {
    text = decoder.decode(line);
    document = JSON.parse(text);
  } catch (failure) {
    if (failure instanceof SyntaxError || failure instanceof TypeError) return { fault: "not-json" };
    throw failure;
  }
  if (!isObject(document)) return { fault: "not-an-object" };
  const fault = impurity(document);
  if (fault) return { fault };
  return canonical(document) === text ? { document } : { fault: "not-canonical" };
}

// Shapes

function matches(pattern, value) {
  return typeof value === "string" && pattern.test(value);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z$/;

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value, least, most) {
  return Number.isInteger(value) && value >= least && value <= most;
}

function isHex(value, least, most = least) {
  if (typeof value !== "string" || !/^[0-9a-f]*$/.test(value) || value.length % 2) return false;
  return isWhole(value.length / 2, least, most);
}

function isText(value, most) {
  return typeof value === "string" && [...value].length <= most;
}

/** Whether an object has exactly these members. */
function hasExactly(value, ...names) {
  if (!isObject(value) || Object.keys(value).length !== names.length) return false;
  return names.every((name) => Object.hasOwn(value, name));
}

/** The number of an event: 4 bytes where it is signed. */
function isSeq(value) {
  return isWhole(value, 0, 0xffffffff);
}

/** A number that has no bound but that of JSON: what it points at is looked for, and need not be there. */
function isAnyWhole(value) {
  return isWhole(value, 0, Number.MAX_SAFE_INTEGER);
}

function isHeader(value) {
  return (
    hasExactly(value, "format", "match", "game", "version", "rules_digest", "origin", "audience") &&
    value.format === "gyoji-replay/1" && matches(UUID, value.match) && matches(/^[a-z][a-z0-9-]{0,63}$/, value.game) &&
    isWhole(value.version, 1, Number.MAX_SAFE_INTEGER) && isHex(value.rules_digest, 32) && typeof value.origin === "string" &&
    isAudience(value.audience)
  );
}

function isAudience(value) {
  if (value === "full" || value === "public") return true;
  return hasExactly(value, "seat") && isWhole(value.seat, 0, 15);
}

function isEvent(value) {
  return (
    hasExactly(value, "v", "match", "seq", "prev", "at", "type", "actor", "data", "secret", "position") &&
    value.v === 1 && matches(UUID, value.match) && isSeq(value.seq) && isHex(value.prev, 32) &&
    matches(TIME, value.at) && typeof value.type === "string" && isActor(value.actor) && isObject(value.data) &&
    Array.isArray(value.secret) && value.secret.every(isSecret) &&
    (value.position === null || isHex(value.position, 32))
  );
}

/** Whether that is somebody who has no seat, and none stands there. */
function isRole(actor, role) {
  return hasExactly(actor, "role") && actor.role === role;
}

function isActor(value) {
  const isOfSeat = hasExactly(value, "role", "seat") && isAnyWhole(value.seat);
  const isOfKey = hasExactly(value, "role", "key") && isHex(value.key, 8);
  return (isOfSeat || isOfKey || hasExactly(value, "role")) && typeof value.role === "string";
}

function isSecret(value) {
  if (!hasExactly(value, "for", "commit") || !isHex(value.commit, 32)) return false;
  return value.for === "all" || (Array.isArray(value.for) && value.for.every(isAnyWhole));
}

function isOpening(value) {
  if (hasExactly(value, "seq", "position")) return isAnyWhole(value.seq) && isHex(value.position, 32);
  return (
    hasExactly(value, "seq", "index", "salt", "payload") && isAnyWhole(value.seq) && isAnyWhole(value.index) &&
    isHex(value.salt, 32) && isObject(value.payload)
  );
}

function isHead(value) {
  return (
    hasExactly(value, "match", "seq", "hash", "key", "sig") && matches(UUID, value.match) && isSeq(value.seq) &&
    isHex(value.hash, 32) && isHex(value.key, 8) && isHex(value.sig, 64)
  );
}

// The constructions, each as docs/verify.md has it. Secrets, salts, hashes and entropies come and go as hex.

/** The hash of an event, given its canonical line without the LF: SHA-256(0x00 ‖ line). */
export function leafHash(line) {
  return sha256(joined(new Uint8Array([0]), typeof line === "string" ? encoder.encode(line) : line));
}

/** What an event says in place of a hidden payload. */
export function secretCommitment(salt, payload) {
  return sha256(lp("secret/1", bytesOf(salt), canonical(payload)));
}

/** The commitment to a whole position. */
export function positionCommitment(salt, state) {
  const { seed: _seed, options: _options, ...bound } = state;
  return sha256(lp("position/1", bytesOf(salt), canonical(bound)));
}

/** The service's commitment to its secret of 64 bytes. */
export function commitment(dealId, game, version, secret) {
  return sha256(lp("deal/v1/commit", dealId, game, u32(version), bytesOf(secret)));
}

/** A seat's commitment to its entropy of 32 bytes. */
export function playerCommitment(dealId, seat, entropy) {
  return sha256(lp("deal/v1/player", dealId, u32(seat), bytesOf(entropy)));
}

/** The root of all shuffles, 64 bytes, from the secret, one entropy a seat and a shared one; any of them may be "". */
export async function seed(dealId, game, version, secret, entropies, shared = "") {
  return extracted(lp("deal/v1/salt", game, u32(version), dealId), secret, entropies, shared);
}

/** The root of the shuffles after ruling `seq` of a match has taken back one that had been made. */
export async function branchSeed(dealId, game, version, secret, entropies, shared, match, seq) {
  const salt = lp("deal/v1/branch", game, u32(version), dealId, match, u32(seq));
  return extracted(salt, secret, entropies, shared);
}

async function extracted(salt, secret, entropies, shared) {
  const extract = await hmacSha512(await digest("SHA-512", salt));
  return hexOf(await extract(lp(...[secret, ...entropies, shared].map(bytesOf))));
}

/** Shuffle number k of a pile of n cards: the canonical index of the card at each position, the top first. */
export async function shuffle(root, label, k, n) {
  const order = Array.from({ length: n }, (_, at) => at);
  if (n < 2) return order;
  const words = stream(await hmacSha512(bytesOf(root)), lp("deal/v1/shuffle", label, u32(k), u32(n)));
  for (let i = n; i > 1; i -= 1) {
    let word;
    do word = (await words.next()).value;
    while (word >= 65536 - (65536 % i));
    [order[i - 1], order[word % i]] = [order[word % i], order[i - 1]];
  }
  return order;
}

/** HKDF-Expand-SHA-512 as numbers of 16 bits, block by block; 255 blocks are all there is. */
async function* stream(expand, info) {
  let block = new Uint8Array(0);
  for (let count = 1; count <= 255; count += 1) {
    block = await expand(joined(block, info, new Uint8Array([count])));
    for (let at = 0; at < block.length; at += 2) yield 256 * block[at] + block[at + 1];
  }
  throw new RangeError("the stream ran out");
}

/** A key's id: the first 16 hex digits of SHA-256 over its 32 public bytes. */
export async function keyId(publicKey) {
  return (await sha256(bytesOf(publicKey))).slice(0, 16);
}

/** What is signed for the last event of a log. */
export function headMessage(origin, match, seq, hash) {
  return lp("head/1", origin, match, u32(seq), bytesOf(hash));
}

/** What is signed for an accepted move. */
export function receiptMessage(origin, match, seq, hash) {
  return lp("receipt/1", origin, match, u32(seq), bytesOf(hash));
}

/** Whether an Ed25519 signature is right; null where this machine has no Ed25519. */
export async function isSigned(publicKey, signature, message) {
  try {
    const key = await crypto.subtle.importKey("raw", bytesOf(publicKey), { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, key, bytesOf(signature), message);
  } catch (failure) {
    if (failure?.name === "NotSupportedError") return null;
    if (failure?.name === "DataError" || failure?.name === "OperationError") return false; // no point of the curve
    throw failure;
  }
}

/** Something beside the file that is not what it has to be. */
export class Unusable extends TypeError {}

// The verdict as it grows

class Findings {
  results = new Map();
  words = new Set();
  first = null;
  over = false;

  /** A check that failed, with the verdict that follows; the earliest event that a failure names is told. */
  fail(check, word, seq, why, facts = {}, expected = null, found = null) {
    this.words.add(word);
    if (this.results.get(check)?.result !== "fail") this.results.set(check, { result: "fail", why, facts });
    this.part(check, seq, expected, found);
  }

  /** A check that cannot be made, unless it has failed already. */
  leave(check, why, facts = {}) {
    if (!this.results.has(check)) this.results.set(check, { result: "not_checkable", why, facts });
  }

  part(check, seq, expected = null, found = null) {
    if (this.first === null || (seq ?? Infinity) < (this.first.seq ?? Infinity)) {
      this.first = { seq, check, expected, found, rule: null };
    }
  }

  failed(check) {
    return this.results.get(check)?.result === "fail";
  }

  verdict(match, language, rulings = []) {
    const checks = CHECKS.map((check) => {
      const { result, why = null, facts = {} } = this.results.get(check) ?? { result: "pass" };
      return { check, result, why: why && sentence(why, facts, language) };
    });
    // A verdict beyond `verified_partial` is never reached: the rules of play are always unchecked.
    const word = WORST_FIRST.find((candidate) => this.words.has(candidate)) ?? "verified_partial";
    return { verdict: word, match, first_divergence: this.first, checks, rulings };
  }
}

/**
 * The verdict on a replay file, given as bytes or text; of the shape that `POST /v1/audits` answers with.
 *
 * `trust` is the document of `GET /v1/keys`, from a source other than the file; `receipts` a list of receipts and heads
 * that players kept (or one); `beacons` `{"beacons":[{"beacon","reference","value"}…]}`; `language` "en" or "ja".
 * Whatever the file holds, there is a verdict; Unusable is for a `trust` or `beacons` that are no such document.
 */
export async function verify(source, { trust = null, receipts = null, beacons = null, language = "en" } = {}) {
  const bytes = typeof source === "string" ? encoder.encode(source) : new Uint8Array(source);
  const keys = trust === null ? null : await trustedKeys(trust);
  const values = beacons === null ? null : knownValues(beacons);
  const findings = new Findings();
  const log = await readLog(bytes, findings);
  if (log === null || findings.over) {
    for (const check of CHECKS) if (check !== "bytes") findings.leave(check, "ended-before");
    return findings.verdict(log === null ? null : log.header.match, language);
  }
  const signed = await judgeHead(log, keys, findings);
  await judgeReceipts(log, keys, receipts, signed, findings);
  await judgePlay(log, values, findings);
  for (const check of ["moves", "scores", "result"]) findings.leave(check, "no-rules");
  findings.leave("positions", "no-positions");
  return findings.verdict(log.header.match, language, rulingsOf(log));
}

// Reading: bytes, chain, openings, the digest of the file

const ZERO = "0".repeat(64);

/** Header, events with their openings, and head line; null where there is no valid header. */
async function readLog(bytes, findings) {
  const lines = linesOf(bytes);
  const start = lines.next();
  const header = start.done ? null : headerOf(start.value);
  if (header === null) {
    findings.fail("bytes", "malformed", null, "no-header", {}, "gyoji-replay/1");
    return null;
  }
  const log = { header, events: [], last: null, expected: 0, prev: ZERO, broken: null, head: null, opened: 0 };
  if (bytes.length > LIMITS.file) return beyond(log, findings);
  let number = 1;
  for (const line of lines) {
    number += 1;
    if (number > LIMITS.lines || isBeyond(line.bytes)) return beyond(log, findings);
    if (log.head !== null) {
      findings.fail("file", "tampered", null, "after-the-head", { line: number });
      break;
    }
    if (!line.whole) {
      if (isWholeButForItsEnd(line.bytes)) unreadable(log, "no-line-feed", number, findings);
      break; // else it is cut off inside a line
    }
    await takeLine(log, line, number, bytes, findings);
    if (findings.over) return log;
  }
  if (log.head === null) noHead(log, findings);
  if (log.events.some((event) => event.openings.length < event.document.secret.length)) {
    findings.leave("openings", "openings-missing");
  }
  return log;
}

function* linesOf(bytes) {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from);
    yield { bytes: bytes.subarray(from, end < 0 ? bytes.length : end), from, whole: end >= 0 };
    from = end < 0 ? bytes.length : end + 1;
  }
}

/** A line whose LF has become something else is no line that was cut off. */
function isWholeButForItsEnd(rest) {
  return read(rest.subarray(0, -1)).document !== undefined;
}

/** A line counts with its LF, and its levels without the object that it is. */
function isBeyond(line) {
  return line.length >= LIMITS.line || depthOf(line) > LIMITS.depth + 1;
}

function headerOf(line) {
  if (!line.whole || isBeyond(line.bytes)) return null;
  const { document } = read(line.bytes);
  return document !== undefined && isHeader(document) ? document : null;
}

function beyond(log, findings) {
  findings.over = true;
  findings.fail("bytes", "malformed", null, "over-the-limits");
  return log;
}

function noHead(log, findings) {
  if (!findings.failed("bytes")) {
    findings.words.add("incomplete");
    findings.part("head", log.expected, "head", null);
  }
  for (const check of ["head", "file"]) findings.leave(check, findings.failed("bytes") ? "unreadable" : "no-head");
}

async function takeLine(log, line, number, bytes, findings) {
  const { document, fault } = read(line.bytes);
  if (fault !== undefined) unreadable(log, fault, number, findings);
  else if (Object.hasOwn(document, "opening")) await takeOpening(log, document, line, number, findings);
  else if (Object.hasOwn(document, "head")) await takeHead(log, document, line, number, bytes, findings);
  else if (isEvent(document)) await takeEvent(log, document, line, findings);
  else unreadable(log, "not-an-event", number, findings);
}

/** A line that is none leaves open what stood there: the chain across it cannot be checked. */
function unreadable(log, fault, number, findings) {
  findings.fail("bytes", "tampered", log.expected, fault, { line: number });
  findings.leave("chain", "unreadable");
  log.broken ??= { why: "unreadable", facts: {} };
  log.prev = null;
  log.last = null;
}

async function takeEvent(log, document, line, findings) {
  const { seq } = document;
  log.last = null;
  if (document.match !== log.header.match) {
    findings.fail("chain", "tampered", seq, "another-match", {}, log.header.match, document.match);
  }
  if (seq < log.expected) {
    findings.fail("chain", "tampered", seq, "wrong-place", {}, log.expected, seq);
    log.broken ??= { why: "unreadable", facts: {} };
    log.prev = null;
    return;
  }
  if (seq > log.expected) skipped(log, seq, findings);
  if (log.prev !== null && document.prev !== log.prev) {
    findings.fail("chain", "tampered", seq, "not-the-hash-before", {}, log.prev, document.prev);
  }
  log.prev = await leafHash(line.bytes);
  log.last = { document, hash: log.prev, openings: [], salt: null, sound: true, broken: log.broken };
  log.events.push(log.last);
  log.expected = seq + 1;
  log.opened = 0;
}

/** Events are missing: where a line was unreadable it may have been they, else the log is incomplete. */
function skipped(log, seq, findings) {
  const facts = { expected: log.expected, found: seq };
  if (log.prev !== null) {
    findings.words.add("incomplete");
    findings.part("chain", log.expected, log.expected, seq);
    findings.leave("chain", "gap", facts);
  }
  log.broken ??= { why: "gap", facts };
  log.prev = null;
}

async function takeOpening(log, document, line, number, findings) {
  const { opening } = document;
  const isShaped = hasExactly(document, "opening") && isOpening(opening);
  if (!isShaped) return unreadable(log, "not-an-opening", number, findings);
  log.opened += line.bytes.length;
  if (log.opened > LIMITS.openings) return beyond(log, findings);
  const event = log.last;
  if (event === null || opening.seq !== event.document.seq || event.salt !== null) {
    return misplaced(event, opening, findings);
  }
  if (Object.hasOwn(opening, "position")) {
    if (event.document.position === null) return misplaced(event, opening, findings);
    event.salt = opening.position;
    return undefined;
  }
  const secret = event.document.secret[opening.index];
  if (secret === undefined || opening.index <= (event.openings.at(-1)?.index ?? -1)) {
    return misplaced(event, opening, findings);
  }
  event.openings.push(opening);
  const found = await secretCommitment(opening.salt, opening.payload);
  if (found !== secret.commit) {
    const facts = { index: opening.index };
    findings.fail("openings", "tampered", opening.seq, "other-opening", facts, secret.commit, found);
  }
  return undefined;
}

function misplaced(event, opening, findings) {
  findings.fail("openings", "tampered", opening.seq, "opening-out-of-place");
  if (event !== null) event.sound = false;
}

async function takeHead(log, document, line, number, bytes, findings) {
  if (!hasExactly(document, "head", "file") || !isHead(document.head) || !isHex(document.file, 32)) {
    return unreadable(log, "not-the-head-line", number, findings);
  }
  log.head = document.head;
  const found = await sha256(bytes.subarray(0, line.from));
  if (found !== document.file) findings.fail("file", "tampered", null, "other-digest", {}, document.file, found);
  return undefined;
}

// Signatures: keys come from the trust document, never from the file

async function trustedKeys(trust) {
  if (!isObject(trust) || !Array.isArray(trust.keys)) throw new Unusable('trust has to be {"keys":[…]}');
  const sound = [];
  for (const key of trust.keys) {
    const isKey = isObject(key) && isHex(key.public, 32) && typeof key.origin === "string";
    if (isKey && key.key === (await keyId(key.public))) sound.push(key);
  }
  return sound;
}

/** "good", "wrong", "unknown", "elsewhere" (a key of another origin), "revoked", or "unable". */
async function signature(keys, origin, message, signed) {
  const named = keys.filter((key) => key.key === signed.key);
  if (named.length === 0) return "unknown";
  const here = named.filter((key) => key.origin === origin);
  if (here.length === 0) return "elsewhere";
  if (here.some((key) => (key.revoked ?? null) !== null)) return "revoked";
  const right = await isSigned(here[0].public, signed.sig, message);
  return right === null ? "unable" : right ? "good" : "wrong";
}

/** Whether the head is the last event's, and signed with a trusted key; true only if all of it could be checked. */
async function judgeHead(log, keys, findings) {
  const { head, header } = log;
  if (head === null) return false;
  const last = log.events.at(-1);
  const fail = (word, why, expected = null, found = null) =>
    findings.fail("head", word, head.seq, why, { key: head.key }, expected, found);
  if (head.match !== header.match) fail("tampered", "another-match", header.match, head.match);
  else if (head.seq < log.expected - 1) fail("tampered", "log-goes-on");
  else if (head.seq >= log.expected) fail("incomplete", "end-missing", head.seq, log.expected - 1);
  else if (last !== undefined && last.document.seq === head.seq && last.hash !== head.hash && log.prev !== null) {
    fail("tampered", "other-hash", head.hash, last.hash);
  }
  if (keys === null) {
    findings.leave("head", "no-keys");
    return false;
  }
  const message = headMessage(header.origin, head.match, head.seq, head.hash);
  const came = await signature(keys, header.origin, message, head);
  if (came === "wrong") fail("tampered", "signature-wrong");
  else if (came === "unable") findings.leave("head", "no-ed25519");
  else if (came !== "good") fail("key_untrusted", `key-${came}`);
  return came === "good";
}

// Receipts: what players kept, held against the log and against each other

async function judgeReceipts(log, keys, receipts, headSigned, findings) {
  const given = receipts === null ? [] : [receipts].flat();
  if (given.length > 0 && keys === null) return findings.leave("receipts", "no-keys");
  const told = await Promise.all(given.map((item) => statementOf(item, log.header.origin, keys)));
  const statements = told.filter((statement) => statement !== null && statement.match === log.header.match);
  if (statements.length === 0) return findings.leave("receipts", "no-receipts");
  const hashes = new Map(log.events.map(({ document, hash }) => [document.seq, hash]));
  // A signed head speaks for its own event and, where the chain is whole, for every event before it.
  const isTied = log.broken === null && !["bytes", "chain", "head"].some((check) => findings.failed(check));
  const isHeaded = headSigned && log.head.match === log.header.match;
  const signed = new Map(isHeaded && isTied ? hashes : isHeaded ? [[log.head.seq, log.head.hash]] : []);
  for (const { seq, hash } of statements) {
    const facts = { seq };
    if ((signed.get(seq) ?? hash) !== hash) {
      findings.fail("receipts", "equivocation", seq, "two-statements", facts, signed.get(seq), hash);
    } else if (!hashes.has(seq)) {
      findings.fail("receipts", "incomplete", Math.min(seq, log.expected), "receipt-of-nothing", facts, hash);
    } else if (hashes.get(seq) !== hash) {
      findings.fail("receipts", "tampered", seq, "receipt-contradicts", facts, hash, hashes.get(seq));
    }
    signed.set(seq, signed.get(seq) ?? hash);
  }
  const count = told.filter((statement) => statement === null).length;
  if (count > 0) findings.leave("receipts", "receipts-unsigned", { count });
  return undefined;
}

/** `{match, seq, hash}` that a trusted key of this origin has signed, or null: what nobody signed proves nothing. */
async function statementOf(item, origin, keys) {
  const inner = isObject(item) ? (item.receipt ?? item.head ?? item) : item;
  if (isHead(inner)) {
    const message = headMessage(origin, inner.match, inner.seq, inner.hash);
    return (await signature(keys, origin, message, inner)) === "good" ? inner : null;
  }
  if (!isObject(inner) || !isText(inner.event, LIMITS.line) || !isHex(inner.hash, 32)) return null;
  if (!isHex(inner.key, 8) || !isHex(inner.sig, 64)) return null;
  const line = encoder.encode(inner.event);
  if (isBeyond(line)) return null;
  const { document } = read(line);
  if (document === undefined || !isEvent(document) || (await leafHash(line)) !== inner.hash) return null;
  const { match, seq } = document;
  const message = receiptMessage(origin, match, seq, inner.hash);
  return (await signature(keys, origin, message, inner)) === "good" ? { match, seq, hash: inner.hash } : null;
}

// What the openings put into the data of an event

/** A place in an event's data where something other than what is hidden stands, or nothing at all. */
class Misplaced extends Error {}

/** The data with all that is opened; Misplaced where an opening does not replace what is hidden. */
function merged(event) {
  if (event.openings.length === 0) return event.document.data;
  const data = JSON.parse(JSON.stringify(event.document.data));
  for (const { payload } of event.openings) {
    if (Object.keys(payload).length === 0) throw new Misplaced();
    for (const [pointer, value] of Object.entries(payload)) put(data, pointer, value);
  }
  return data;
}

function put(data, pointer, value) {
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) throw new Misplaced();
  const steps = pointer.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = steps.pop();
  const place = steps.reduce((node, step) => node[stepInto(node, step)], data);
  const name = stepInto(place, last);
  if (!isInPlaceOf(place[name], value)) throw new Misplaced();
  place[name] = value;
}

function stepInto(node, step) {
  if (Array.isArray(node) && !/^(0|[1-9]\d{0,8})$/.test(step)) throw new Misplaced();
  if (typeof node !== "object" || node === null || !Object.hasOwn(node, step)) throw new Misplaced();
  return step;
}

/** A list is hidden as `{"count":n}`, anything else as null. */
function isInPlaceOf(shown, value) {
  return Array.isArray(value) ? hasExactly(shown, "count") && shown.count === value.length : shown === null;
}

// The course of the match: setup, entropies, deal, moves, end

const POLICIES = new Map(Object.entries({
  server: (policy) => hasExactly(policy, "policy"),
  players: (policy) =>
    hasExactly(policy, "policy", "missing", "within") && ["void", "empty"].includes(policy.missing) &&
    isWhole(policy.within, 1, 604_800),
  director: (policy) => hasExactly(policy, "policy"),
  external: (policy) =>
    hasExactly(policy, "policy", "beacon", "reference") && isText(policy.beacon, 200) && policy.beacon !== "" &&
    isText(policy.reference, 200) && policy.reference !== "",
}));

/** Something that cannot be so, whatever the rules of play: the check that it fails and why. */
class Parting extends Error {
  constructor(check, why, facts = {}, expected = null, found = null) {
    super(why);
    Object.assign(this, { check, why, facts, expected, found });
  }
}

const WORD_OF = {
  openings: "tampered", positions: "tampered", commitment: "deal_divergence", shuffles: "deal_divergence",
};

/** One walk over the events, once the secret is known as far as it can be. */
async function judgePlay(log, values, findings) {
  const setup = setupOf(log, findings);
  const seeding = new Seeding(setup, log.header.game);
  const closed = log.events.find((event) => event.document.type === "seed_disclosed");
  const secret = setup === null || closed === undefined ? null : await judgeSecret(setup, log, closed, findings);
  const course = new Course(setup, seeding, secret, new Set(log.events.flatMap(({ document }) => goalOf(document))));
  for (const event of log.events) {
    if (event.broken !== null) course.stop(event.broken.why, event.broken.facts);
    await step(course, event, findings);
  }
  if (log.broken !== null) course.stop(log.broken.why, log.broken.facts);
  judgeValue(seeding, values, findings);
  if (setup === null) findings.leave("commitment", log.events.length ? "no-setup" : "not-disclosed");
  else if (secret === null) findings.leave("commitment", "not-disclosed");
  sumUp(course, log, secret, findings);
}

async function step(course, event, findings) {
  const { seq } = event.document;
  try {
    const data = event.sound ? merged(event) : event.document.data;
    await course.take(event.document, data);
    const isWrong = course.isPositionDue(event.document) !== (event.document.position !== null);
    if (isWrong && course.stopped === null) throw new Parting("positions", "position-not-due");
  } catch (parting) {
    partAt(seq, parting instanceof Misplaced ? new Parting("openings", "opening-out-of-place") : parting, findings);
    course.stop("parted");
  }
}

function partAt(seq, parting, findings) {
  if (!(parting instanceof Parting)) throw parting;
  const { check, why, facts, expected, found } = parting;
  findings.fail(check, WORD_OF[check] ?? "rules_divergence", seq, why, facts, expected, found);
}

function sumUp(course, log, secret, findings) {
  if (!isKnown(log.header)) {
    findings.words.add("rules_unknown");
    findings.leave("shuffles", "rules-unknown");
  } else if (course.stopped !== null) findings.leave("shuffles", course.stopped.why, course.stopped.facts);
  else if (findings.failed("commitment")) findings.leave("shuffles", "no-seed");
  else if (course.isFork) findings.leave("shuffles", "from-another-match");
  else if (secret === null) findings.leave("shuffles", "not-disclosed");
  else if (course.shuffles === 0) findings.leave("shuffles", "nothing-dealt");
  else if (course.unseen) findings.leave("shuffles", "piles-hidden");
}

/** The data of the first event as far as deals depend on them; null where there is none or they cannot be right. */
function setupOf(log, findings) {
  const first = log.events[0];
  if (first === undefined || first.document.seq !== 0) return null;
  const { data, type } = first.document;
  for (const name of ["game", "version", "rules_digest"]) {
    if (data[name] !== log.header[name]) {
      findings.fail("file", "tampered", 0, "header-disagrees", { name }, data[name] ?? null, log.header[name]);
    }
  }
  if (type !== "match_created") return null; // the walk over the events says so
  const wrong = faultOfSetup(data);
  const { match } = first.document;
  if (wrong === null && data.deal_id !== match && data.withheld_until !== "group") {
    findings.fail("commitment", "deal_divergence", 0, "other-deals", {}, match, data.deal_id);
  }
  if (wrong === null) return { ...data, isPublic: data.disclosure === "public_on_close" };
  if (isKnown(data)) findings.fail("moves", "rules_divergence", 0, "setup-wrong", { name: wrong });
  return null; // what another release may set up is not for this one to say
}

/** The member of a setup that cannot be right, or null. */
function faultOfSetup(data) {
  const { game, seats, options, randomness } = data;
  if (typeof game !== "string" || !isWhole(data.version, 1, 0x80000000)) return "game";
  if (!isWhole(seats, 1, 99)) return "seats";
  if (!isWhole(data.first, 0, seats - 1)) return "first";
  if (!isHex(data.seed_commitment, 32)) return "seed_commitment";
  if (!matches(UUID, data.deal_id)) return "deal_id";
  if (!["public_on_close", "auditors_only"].includes(data.disclosure)) return "disclosure";
  if (!isObject(randomness) || !POLICIES.get(randomness.policy)?.(randomness)) return "randomness";
  if (Object.hasOwn(data, "from") && !isSource(data.from)) return "from";
  if (Object.hasOwn(data, "from") && randomness.policy !== "server") return "randomness";
  if (Object.hasOwn(data, "withheld_until") && !isUntil(data.withheld_until)) return "withheld_until";
  if (Object.hasOwn(data, "clock") && !isControl(data.clock)) return "clock";
  if (!isObject(options)) return "options";
  if (!isKnown(data)) return null;
  if (!isWhole(seats, ...GAMES[game].seats)) return "seats";
  return GAMES[game].accepts(options, seats) ? null : "options";
}

function isSource(from) {
  if (!hasExactly(from, "match", "seq", "hash")) return false;
  return matches(UUID, from.match) && isWhole(from.seq, 1, Number.MAX_SAFE_INTEGER) && isHex(from.hash, 32);
}

function isUntil(value) {
  return value === "group" || matches(TIME, value);
}

const LONGEST = 366 * 86_400_000;

/** How the time of a match is kept. */
function isControl(clock) {
  if (!hasExactly(clock, "move_ms", "bank_ms", "increment_ms", "on_expiry")) return false;
  const { move_ms: move, bank_ms: bank, increment_ms: increment, on_expiry: then } = clock;
  const isTimed = [move, bank ?? 0, increment].every((ms) => isWhole(ms, 0, LONGEST)) && move + (bank ?? 0) > 0;
  return isTimed && (bank !== null || increment === 0) && EXPIRIES.includes(then);
}

/** The service's secret as hex, if it is disclosed and the one that was committed to. */
async function judgeSecret(setup, log, closed, findings) {
  const secret = secretIn(closed);
  if (secret === null) return null;
  const found = isHex(secret, 64) ? await commitment(setup.deal_id, setup.game, setup.version, secret) : null;
  if (found === setup.seed_commitment) return secret;
  findings.fail("commitment", "deal_divergence", closed.document.seq, "other-secret", {}, setup.seed_commitment, found);
  return null;
}

function secretIn(closed) {
  const { data, secret } = closed.document;
  const told = closed.openings.find(({ payload }) => Object.hasOwn(payload, "/server_secret"));
  const found = data.server_secret ?? told?.payload["/server_secret"] ?? null;
  return found === null && secret.length === 0 ? "" : found; // null without a promise to open it is no secret
}

/** What the entropies of others add to the secret, and whether they came in the order that binds them. */
class Seeding {
  constructor(setup, game) {
    this.setup = setup;
    this.game = game;
    this.policy = setup?.randomness ?? { policy: "server" };
    this.commits = Array(setup?.seats ?? 0).fill(null);
    this.entropies = Array(setup?.seats ?? 0).fill("");
    this.shared = "";
    this.seq = null;
  }

  wrong(why, facts = {}, expected = null, found = null) {
    return new Parting("commitment", why, facts, expected, found);
  }

  get isComplete() {
    return this.policy.policy === "players" ? this.waiting.length === 0 : this.shared !== "";
  }

  get waiting() {
    return this.entropies.flatMap((entropy, seat) => (entropy === "" ? [seat] : []));
  }

  seatOf({ role, seat }) {
    if (this.policy.policy !== "players") throw this.wrong("entropy-not-asked");
    const isHere = role === "seat" && isWhole(seat, 0, this.commits.length - 1);
    if (!isHere) throw new Parting("moves", "entropy-of-nobody");
    return seat;
  }

  committed({ actor }, data) {
    const seat = this.seatOf(actor);
    if (!hasExactly(data, "commit") || !isHex(data.commit, 32)) throw new Parting("moves", "entropy-shape");
    if (this.commits[seat] !== null) throw this.wrong("committed-twice", { seat });
    this.commits[seat] = data.commit;
  }

  async revealed({ actor, seq }, data) {
    if (!hasExactly(data, "entropy") || !isHex(data.entropy, 16, 64)) throw new Parting("moves", "entropy-shape");
    if (["director", "external"].includes(this.policy.policy)) return this.share(actor, seq, data.entropy);
    const seat = this.seatOf(actor);
    if (!isHex(data.entropy, 32)) throw new Parting("moves", "entropy-shape");
    if (this.commits.includes(null)) throw this.wrong("revealed-early", { seat });
    if (this.entropies[seat] !== "") throw this.wrong("revealed-twice", { seat });
    const found = await playerCommitment(this.setup.deal_id, seat, data.entropy);
    if (found !== this.commits[seat]) throw this.wrong("other-entropy", { seat }, this.commits[seat], found);
    this.entropies[seat] = data.entropy;
    return undefined;
  }

  share(actor, seq, entropy) {
    const sharer = this.policy.policy === "director" ? "director" : "operator";
    if (!isRole(actor, sharer)) throw new Parting("moves", "entropy-of-nobody");
    this.shared = entropy;
    this.seq = seq;
  }

  /** Whether the deal may be made now: all have revealed, or the policy does without and the time was over. */
  dealt(document, data, created) {
    const missing = Object.hasOwn(data, "missing") ? data.missing : [];
    if (Array.isArray(data.missing) && missing.length === 0) throw this.wrong("missing-wrong"); // then it is left out
    if (this.policy.policy === "server") return this.none(missing);
    if (this.policy.policy !== "players") {
      if (this.shared === "") throw this.wrong("dealt-early");
      return this.none(missing);
    }
    if (canonical(missing) !== canonical(this.waiting)) throw this.wrong("dealt-early", {}, this.waiting);
    if (missing.length === 0) return undefined;
    if (this.policy.missing !== "empty") throw this.wrong("dealt-early", {}, []);
    return this.closed(document, created);
  }

  /** The seats have had the time that they were promised. */
  closed({ at }, created) {
    const passed = Date.parse(at) - Date.parse(created.at);
    if (!(passed >= 1000 * this.policy.within)) throw this.wrong("closed-early");
  }

  none(missing) {
    if (canonical(missing) !== "[]") throw this.wrong("entropy-not-asked");
  }

  async root(secret) {
    const { deal_id: dealId, game, version } = this.setup;
    return seed(dealId, game, version, secret, this.entropies, this.shared);
  }

  async branch(secret, { match, seq }) {
    const { deal_id: dealId, game, version } = this.setup;
    return branchSeed(dealId, game, version, secret, this.entropies, this.shared, match, seq);
  }
}

function knownValues(beacons) {
  if (!isObject(beacons) || !Array.isArray(beacons.beacons)) throw new Unusable('beacons has to be {"beacons":[…]}');
  return beacons.beacons.filter(isObject);
}

/** A beacon's value is held against the values that the reader knows of. */
function judgeValue(seeding, values, findings) {
  const { policy, beacon, reference } = seeding.policy;
  if (policy !== "external" || seeding.shared === "") return;
  const known = values?.find((value) => value.beacon === beacon && value.reference === reference);
  if (known === undefined) findings.leave("commitment", "no-beacon", { beacon, reference });
  else if (known.value !== seeding.shared) {
    const [expected, found] = [known.value ?? null, seeding.shared];
    const facts = { beacon, reference };
    findings.fail("commitment", "deal_divergence", seeding.seq, "other-value", facts, expected, found);
  }
}

const LATER_TYPES = ["erratum_noted"];

/** Where the match stands, event by event; `take` throws a Parting where it cannot stand there. */
class Course {
  stage = "new"; // new, seeding, playing, paused, due (what a ruling or a clock leads to), over, void, closed
  isPaused = false;
  created = null;
  table = null;
  stopped = null;
  isFork = false;
  dealtAt = null;
  due = null; // {type, actor, then, fits}
  kept = new Map(); // the tables that rulings go back to, by the event after which they stood
  back = []; // {seq, to} of the rulings that have taken the match back

  constructor(setup, seeding, secret, goals) {
    Object.assign(this, { setup, seeding, secret, goals });
  }

  get shuffles() {
    return this.table?.shuffles ?? 0;
  }

  get unseen() {
    return this.table?.unseen ?? false;
  }

  /** From here on cards are not followed: something is missing, or has parted. */
  stop(why, facts = {}) {
    this.stopped ??= { why, facts };
  }

  isPositionDue({ type, seq }) {
    const ends = type === "match_finished" || (type === "match_voided" && this.dealtAt !== null);
    return type === "dealt" || ends || (this.dealtAt !== null && seq % 16 === 0 && seq > this.dealtAt);
  }

  async take(document, data) {
    const { type, seq } = document;
    if (type === "dealt") this.dealtAt ??= seq;
    if (this.stopped !== null) return;
    const taken = TAKEN.get(type);
    if (this.stage === "due") this.follows(document, data);
    else if (taken !== undefined) {
      if (!taken.after.includes(this.stage)) throw new Parting("moves", "type-not-due", { type });
      await taken.take(this, document, data);
      this.stage = taken.then ?? this.stage;
    } else if (LATER_TYPES.includes(type) && this.stage !== "new") this.stop("type-not-read", { type });
    else throw new Parting("moves", "type-not-due", { type });
    if (this.goals.has(seq) && this.table !== null && this.kept.size < MOST_KEPT) {
      this.kept.set(seq, this.table.copy());
    }
  }

  /** What has to follow in the same breath. */
  lead(type, then, fits, actor = "service") {
    this.due = { type, then, fits, actor };
    this.stage = "due";
  }

  follows({ type, actor }, data) {
    const { due } = this;
    if (type !== due.type) throw new Parting("moves", "type-not-due", { type });
    if (!isRole(actor, due.actor) || !due.fits(data)) throw new Parting("moves", "not-what-was-ruled", { type });
    this.stage = due.then;
    this.isPaused = due.then === "paused";
  }

  contribute(document, data) {
    const { type } = document;
    if (this.stage !== "seeding" || this.seeding.isComplete) throw this.seeding.wrong("entropy-complete");
    return type === "entropy_committed" ? this.seeding.committed(document, data) : this.seeding.revealed(document, data);
  }

  /** The first hands, or the position that a fork begins with. */
  async begin(document, data) {
    const missing = Object.hasOwn(data, "missing") ? ["missing"] : [];
    const forked = Object.hasOwn(this.setup, "from") ? ["position"] : [];
    if (!isRole(document.actor, "service") || !hasExactly(data, "events", ...missing, ...forked)) {
      throw new Parting("moves", "not-a-deal");
    }
    this.seeding.dealt(document, data, this.created);
    if (!isKnown(this.setup)) return this.stop("rules-unknown");
    const root = this.secret === null ? null : await this.seeding.root(this.secret);
    this.table = new Table(this.setup, root);
    this.isFork = forked.length > 0;
    const dealt = this.isFork ? [] : ["hands_dealt"];
    const types = Array.isArray(data.events) ? data.events.map((event) => event?.type ?? null) : null;
    if (canonical(types) !== canonical(dealt)) throw new Parting("shuffles", "not-a-deal");
    if (this.isFork) this.table.begin(data.position);
    return this.follow(data.events);
  }

  async follow(events) {
    if (!Array.isArray(events) || !events.every(isObject)) throw new Parting("moves", "event-wrong", { type: null });
    for (const event of events) await this.table.follow(event);
  }

  /** The seats that owe entropy before the deal. */
  owing() {
    return this.stage === "seeding" && this.seeding.policy.policy === "players" ? this.seeding.waiting : [];
  }

  /** A match may be given up for want of entropy only where the policy says so and seats owe it after their time. */
  void(document, data) {
    const { reason, missing } = data;
    this.isPaused = false;
    const owing = this.owing();
    const byWhom = new Map([["cancelled", "operator"], ["entropy-missing", "service"]]).get(reason);
    const isMore = Object.keys(data).some((name) => name !== "reason" && name !== "missing");
    if (isMore || !isRole(document.actor, byWhom)) throw new Parting("moves", "not-a-voiding");
    if (canonical(missing ?? null) !== canonical(owing)) throw this.seeding.wrong("missing-wrong", {}, owing);
    if (reason === "cancelled") return undefined;
    if (owing.length === 0 || this.seeding.policy.missing !== "void") throw this.seeding.wrong("void-by-no-policy");
    return this.seeding.closed(document, this.created);
  }

  /** The secret closes the log, and not before the time that the first event names. */
  disclosed({ actor, at }, data) {
    if (!isRole(actor, "service") || !hasExactly(data, "server_secret")) throw new Parting("moves", "not-an-end");
    const until = this.setup.withheld_until ?? "group";
    if (until !== "group" && at < until) throw this.seeding.wrong("told-early", {}, until, at);
  }
}

const TAKEN = new Map(Object.entries({
  match_created: {
    after: ["new"],
    then: "seeding",
    take(course, document) {
      course.created = document;
      const isApart = document.secret.length === 1 && document.secret[0].for === "all"; // names, so that they can go
      if (!isRole(document.actor, "operator") || !isApart) throw new Parting("moves", "not-a-setup");
      if (course.setup === null) course.stop("no-setup");
    },
  },
  entropy_committed: {
    after: ["seeding", "playing", "paused"],
    take: (course, document, data) => course.contribute(document, data),
  },
  entropy_revealed: {
    after: ["seeding", "playing", "paused"],
    take: (course, document, data) => course.contribute(document, data),
  },
  dealt: { after: ["seeding"], then: "playing", take: (course, document, data) => course.begin(document, data) },
  move_played: { after: ["playing"], take: (course, document, data) => moved(course, document, data) },
  choice_made: { after: ["playing"], take: (course, document, data) => moved(course, document, data) },
  ruling_made: {
    after: ["seeding", "playing", "paused", "over", "void"],
    take: (course, document, data) => ruled(course, document, data),
  },
  clock_expired: { after: ["playing"], take: (course, document, data) => expired(course, document, data) },
  match_finished: {
    after: ["playing", "paused"], // a referee may play a match to its end during a pause
    then: "over",
    take(course, { actor }, data) {
      if (!isRole(actor, "service") || !hasExactly(data, "outcome")) throw new Parting("moves", "not-an-end");
      course.isPaused = false;
    },
  },
  match_voided: {
    after: ["seeding", "playing", "paused"],
    then: "void",
    take: (course, document, data) => course.void(document, data),
  },
  seed_disclosed: {
    after: ["over", "void"],
    then: "closed",
    take: (course, document, data) => course.disclosed(document, data),
  },
}));

// Rulings and clocks: what the log itself says of them, whatever the rules of play

const EXPIRIES = ["referee", "forfeit", "default", "pass"];
const MOST_KEPT = 1_000;
const MOST_LISTED = 10_000;
const LONGEST_RULE = 64;

const isNothing = (data) => hasExactly(data);

/** Whether a list is one of so many seats, each once and by number. */
function isSeats(value, seats, least = 1) {
  if (!Array.isArray(value) || value.length < least) return false;
  return value.every((seat, at) => isWhole(seat, 0, seats - 1) && (at === 0 || value[at - 1] < seat));
}

/** An end that the rules of play have not brought about; `told` are the members that are known of its result. */
function endsBy(course, by, told) {
  const { seats } = course.setup;
  course.lead("match_finished", "over", ({ outcome, result, ...more }) => {
    const isShaped =
      outcome === null && Object.keys(more).length === 0 && hasExactly(result, "by", "winners", "scores", "forfeited") &&
      Array.isArray(result.scores) && result.scores.length === seats && result.scores.every(Number.isSafeInteger) &&
      isSeats(result.winners, seats, 0) && isSeats(result.forfeited, seats, 0);
    return isShaped && Object.entries({ by, ...told }).every(([name, is]) => canonical(result[name]) === canonical(is));
  });
}

function isScores(value, seats) {
  return value === null || (Array.isArray(value) && value.length === seats && value.every(Number.isSafeInteger));
}

const RUNNING = ["playing", "paused"];
const BEGUN = ["seeding", ...RUNNING, "over"];

/** By kind: whether it overrides the rules, its members, those of the data, at which stages it may be, what it does. */
const RULINGS = new Map(Object.entries({
  take_back: { overrides: true, members: ["to"], data: ["position"], after: [...RUNNING, "over", "void"], take: takenBack },
  play: { members: [], data: ["move", "events"], after: RUNNING, take: played },
  accept: { overrides: true, members: [], data: ["move", "events"], after: RUNNING, take: played },
  points: {
    overrides: true,
    members: ["seat", "points"],
    after: BEGUN,
    fits: ({ seat, points }, seats) => isSeats([seat], seats) && points !== 0 && isWhole(points, -1_000_000, 1_000_000),
  },
  time: {
    members: ["seat", "add_ms"],
    after: RUNNING,
    fits: ({ seat, add_ms: ms }, seats) => isSeats([seat], seats) && ms !== 0 && isWhole(ms, -LONGEST, LONGEST),
    take(course) {
      if (!Object.hasOwn(course.setup, "clock")) throw new Parting("moves", "no-clock");
    },
  },
  forfeit: {
    overrides: true,
    members: ["seats"],
    after: RUNNING,
    fits: (ruling, seats) => isSeats(ruling.seats, seats),
    take: (course, _document, { ruling }) => endsBy(course, "forfeit", { forfeited: ruling.seats }),
  },
  substitute: {
    members: ["seat", "name"],
    after: ["seeding", ...RUNNING],
    fits: ({ seat, name }, seats) => isSeats([seat], seats) && (name === null || typeof name === "string"),
  },
  void: {
    overrides: true,
    members: [],
    after: BEGUN,
    take(course) {
      const missing = course.owing();
      course.lead("match_voided", "void", (data) => canonical(data) === canonical({ reason: "ruling", missing }));
    },
  },
  result: {
    overrides: true,
    members: ["winners", "scores"],
    after: [...RUNNING, "over"],
    fits: ({ winners, scores }, seats) => isSeats(winners, seats, 0) && isScores(scores, seats),
    take(course, _document, { ruling: { winners, scores } }) {
      const told = { winners, forfeited: [], ...(scores === null ? {} : { scores }) };
      if (course.stage !== "over") endsBy(course, "ruling", told);
    },
  },
  pause: { members: [], after: ["playing"], take: (course) => course.lead("match_paused", "paused", isNothing) },
  resume: { members: [], after: ["paused"], take: (course) => course.lead("match_resumed", "playing", isNothing) },
  note: { members: [], after: [...BEGUN, "void"] },
}));

/** The event that a ruling goes back to. */
function goalOf({ type, data }) {
  const goes = type === "ruling_made" && data.ruling?.kind === "take_back" && isSeq(data.ruling.to);
  return goes ? [data.ruling.to] : [];
}

/** Every ruling that the log tells of. */
function rulingsOf(log) {
  return log.events.flatMap(({ document: { seq, type, data } }) => {
    const { ruling, rule = null } = data;
    const known = type === "ruling_made" && isObject(ruling) && isKind(ruling.kind) && (rule === null || isText(rule, LONGEST_RULE));
    return known ? [{ seq, kind: ruling.kind, rule, overrides: RULINGS.get(ruling.kind).overrides === true }] : [];
  }).slice(0, MOST_LISTED);
}

function isKind(kind) {
  return typeof kind === "string" && RULINGS.has(kind);
}

async function ruled(course, document, data) {
  const { actor } = document;
  const { ruling, rule, reason, banks_ms: banks, credited_ms: credited, ...more } = data;
  const kind = isObject(ruling) && isKind(ruling.kind) ? RULINGS.get(ruling.kind) : null;
  const { seats, clock = null } = course.setup;
  const isMade = kind !== null && ["referee", "operator"].includes(actor.role) && hasExactly(actor, "role", "key");
  const isHidden = document.data.reason === null && (reason === null || isText(reason, 1000));
  const isSaid = isHidden && (rule === null || isText(rule, LONGEST_RULE));
  const isShaped = isMade && isSaid && hasExactly(ruling, "kind", ...kind.members) && (kind.fits?.(ruling, seats) ?? true);
  if (!isShaped || !hasExactly(more, ...(kind.data ?? []))) throw new Parting("moves", "not-a-ruling");
  const isTimed = clock !== null && clock.bank_ms !== null;
  const isTold = (told, ...kinds) => (isTimed && kinds.includes(ruling.kind) ? isBanks(told, seats) : told === undefined);
  if (!isTold(banks, "take_back", "time") || !isTold(credited, "take_back")) throw new Parting("moves", "not-a-ruling");
  const isLate = ["over", "void"].includes(course.stage) && !Object.hasOwn(course.setup, "withheld_until");
  if (isLate || !kind.after.includes(course.stage)) throw new Parting("moves", "ruling-not-due", { kind: ruling.kind });
  return kind.take?.(course, document, data);
}

function isBanks(told, seats) {
  return Array.isArray(told) && told.length === seats && told.every(isAnyWhole);
}

/** The move of a ruling or of a clock. */
function played(course, _document, { move, events }) {
  if (!isObject(move) || !isWhole(move.seat, 0, course.setup.seats - 1)) throw new Parting("moves", "not-a-move");
  return course.follow(events);
}

/** The match goes on from a position before; what has been shuffled since is shuffled anew. */
async function takenBack(course, document, { ruling: { to }, position }) {
  const { seq } = document;
  const isGone = course.back.some((other) => other.to < to && to < other.seq);
  if (course.dealtAt === null || to < course.dealtAt || to >= seq - 1 || isGone) {
    throw new Parting("moves", "not-on-the-line", { to });
  }
  const [before, kept] = [course.table, course.kept.get(to)];
  if (kept === undefined) return course.stop("too-many-positions");
  kept.agrees(position);
  course.back.push({ seq, to });
  course.table = kept.copy();
  course.table.unseen ||= before.unseen;
  course.table.root = before.root;
  if (before.shuffles !== kept.shuffles && course.secret !== null) {
    course.table.root = await course.seeding.branch(course.secret, document);
  }
  course.stage = course.isPaused ? "paused" : "playing";
  return undefined;
}

/** Somebody's time was up; what that leads to was said when the match was set up. */
async function expired(course, document, data) {
  const { clock, seats: count } = course.setup;
  const { seats, deadlines, then, ...more } = data;
  const isMoved = then === "default" || then === "pass";
  const isDue = isObject(clock) && (then === clock.on_expiry || (then === "default" && clock.on_expiry === "pass"));
  const isTimed =
    Array.isArray(deadlines) && isSeats(seats, count) && deadlines.length === seats.length &&
    deadlines.every((deadline) => matches(TIME, deadline));
  if (!isRole(document.actor, "service") || !isDue || !isTimed || !hasExactly(more, ...(isMoved ? ["move", "events"] : []))) {
    throw new Parting("moves", "not-an-expiry");
  }
  if (deadlines.some((deadline) => !(document.at > deadline))) throw new Parting("moves", "expired-early");
  if (then === "referee") return course.lead("match_paused", "paused", isNothing);
  if (then === "forfeit") return endsBy(course, "clock", { forfeited: seats });
  if (seats.length !== 1 || data.move?.seat !== seats[0]) throw new Parting("moves", "not-an-expiry");
  return played(course, document, data);
}

function moved(course, { actor }, data) {
  const byWhom = actor.role === "seat" || actor.role === "operator";
  if (!hasExactly(data, "move", "events") || !isObject(data.move) || !byWhom || actor.seat !== data.move.seat) {
    throw new Parting("moves", "not-a-move");
  }
  return course.follow(data.events);
}

// The games: what is in their boxes, and how it is dealt (nothing else of their rules)

/** Codes of one suit after the other; a number stands once for every card of that code. */
function cards(suits) {
  return Object.entries(suits).flatMap(([suit, numbers]) => numbers.map((number) => `${suit}${number}`));
}

function run(from, to) {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

function each(numbers, times) {
  return numbers.flatMap((number) => Array(times).fill(number));
}

const COFFEE = cards({ B: [1, 3, 5, 7, 9], W: [2, 4, 6, 8, 10], K: [5, 10, 15] });

const ERRANDS = [
  "1-R6 1-B6 1-G6 1-R9 1-B9 1-G9 1-R12 1-B12 1-G12",
  "2-R15 2-B15 2-G15 2-R18 2-B18 2-G18 2-R6B6 2-R6G6 2-B6G6",
  "3-R21 3-B21 3-G21 3-R12B5 3-B12G5 3-R5G12 3-R9B9 3-R9G9 3-B9G9",
].flatMap((ids, at) => ids.split(" ").map((id) => ({ id, level: at + 1 })));

const GAMES = {
  "tomorrow-never-meows": {
    digests: { 1: "0de22b747128a6058141eb8ad119790bb9c54e41235e1145d43769473ade2f84" },
    seats: [3, 4],
    suits: ["F", "C", "R", "T", "S"],
    deck: () => cards({ F: run(1, 10), C: run(1, 10), R: run(1, 10), T: run(1, 3), S: run(1, 3) }),
    accepts: () => true,
    async deal(table) {
      const [hands, aside] = table.shared(await table.shuffled("deck", table.deck), table.seats === 3 ? 10 : 8);
      return { hands, aside };
    },
  },
  catte: {
    digests: { 1: "b093536413ea29562c7102e9a4747740ae7422001d11f08ceb575431f3cad75e" },
    seats: [3, 4],
    suits: ["B", "W", "K"],
    deck: (options) => options.deck ?? cards({ B: run(1, 13), W: run(1, 13), K: run(1, 15) }),
    accepts({ deck }, seats) {
      if (deck === null) return true;
      const isDeck = Array.isArray(deck) && deck.every((card) => matches(/^[BWK][1-9][0-9]?$/, card));
      return isDeck && new Set(deck).size === deck.length && deck.length >= seats * (seats === 3 ? 13 : 10);
    },
    async deal(table) {
      const three = table.seats === 3;
      const [hands, aside] = table.shared(await table.shuffled("cats", table.deck), three ? 13 : 10);
      const [unused, rest] = table.shared(await table.shuffled("coffee", COFFEE), three ? 4 : 3);
      return { hands, aside, coffee: { unused, acquired: hands.map(() => []), centre: rest[0] } };
    },
  },
  towai: {
    digests: { 1: "28167254728aeed8eaad36827ee12c2e437f80970ba0d51dce0aefdc4124c082" },
    seats: [2, 6],
    suits: ["D", "N", "T"],
    deck: () =>
      cards({
        D: each(run(3, 7), 4),
        N: each(run(1, 5), 4),
        T: [...each([1, 2, 3], 3), 4, 4, ...each([5, 6, 7], 3)],
      }),
    accepts: () => true,
    async deal(table) {
      const [hands, deck] = table.shared(await table.shuffled("deck", table.deck), 7);
      return { hands, deck };
    },
  },
  "familiars-trouble": {
    digests: { 1: "b8a742dcf9f99420d562899704992f06b567f8b4d4dec1ee50a785d55e90ddf8" },
    seats: [3, 3],
    suits: ["R", "B", "G", "RB", "RG", "BG", "RBG"],
    deck: () => cards({ R: run(3, 9), B: run(3, 9), G: run(3, 9), RB: [2], RG: [2], BG: [2], RBG: [1, 1, 1] }),
    accepts({ opening, errands }) {
      const isOpening = Array.isArray(opening) && opening.length === 3 && opening.every((count) => isWhole(count, 0, 9));
      if (!isOpening) return false;
      const list = errands === null ? ERRANDS : errands;
      if (!Array.isArray(list) || list.length > 99 || !list.every(isErrand)) return false;
      const isEnough = opening.every((count, at) => list.filter(({ level }) => level === at + 1).length >= count);
      return isEnough && new Set(list.map(({ id }) => id)).size === list.length;
    },
    async deal(table) {
      const [hands, draw] = table.shared(await table.shuffled("attributes", table.deck), 5);
      const errands = [];
      const piles = {};
      for (const level of [1, 2, 3]) {
        const ids = table.errands.filter((errand) => errand.level === level).map(({ id }) => id);
        const pile = await table.shuffled(`errands-${level}`, ids);
        errands.push(...pile.slice(0, table.options.opening[level - 1]));
        piles[level] = pile.slice(table.options.opening[level - 1]);
      }
      return { hands, draw, errands, piles };
    },
  },
};

function isErrand(errand) {
  return isObject(errand) && matches(/^[A-Za-z0-9-]{1,32}$/, errand.id) && isWhole(errand.level, 1, 3);
}

function isKnown({ game, version, rules_digest: found }) {
  if (!Object.hasOwn(GAMES, game) || !Object.hasOwn(GAMES[game].digests, version)) return false;
  return GAMES[game].digests[version] === found;
}

/**
 * A deal: `hands`, and whatever else of the piles is recorded with them, by the names that `hands_dealt` has.
 * `options` are the game's, defaults filled in; `shuffles` counts the shuffles made before.
 */
export async function deal(game, seats, options, root, shuffles = 0) {
  const table = new Table({ game, seats, options, isPublic: true }, root);
  table.shuffles = shuffles;
  return GAMES[game].deal(table);
}

/** Hand order: the suits as the game lists them, then the number. */
function inHandOrder(game, pile) {
  const rank = (card) => {
    const [, suit, number] = /^([A-Z]+)(\d+)$/.exec(card);
    return 1000 * GAMES[game].suits.indexOf(suit) + Number(number);
  };
  return [...pile].sort((one, other) => rank(one) - rank(other));
}

// The table: where every card lies as far as the reader can see it; null is a card that it cannot see

/**
 * The table of one match. With the seed (`root`) it deals every pile again and holds it against what was recorded;
 * without, it can still tell cards that the game does not have, or that are not where they should be.
 */
class Table {
  shuffles = 0;
  round = 0;
  unseen = false;
  hands = [];
  stock = new Map(); // what is drawn from: "deck", "draw", or an errand level
  pile = [];
  discard = [];
  display = [];

  constructor({ game, seats, options, isPublic }, root) {
    Object.assign(this, { game, seats, options, isPublic, root });
    this.deck = inHandOrder(game, GAMES[game].deck(options));
    this.codes = new Set(this.deck);
    this.errands = options.errands ?? ERRANDS;
  }

  /** Take over the table that a fork begins with, which is another match's doing. */
  begin(position) {
    const table = isObject(position) ? position.table : null;
    const isTable = isObject(table) && Array.isArray(table.hands) && table.hands.length === this.seats;
    if (!isTable || !isWhole(position.shuffles, 0, 0xfffffff) || !isWhole(position.round, 1, 0xfffffff)) {
      throw new Parting("moves", "not-a-deal");
    }
    this.shuffles = position.shuffles;
    this.round = position.round;
    this.hands = table.hands.map((hand) => this.asHand(this.asPile(hand, "position")));
    this.takeStock(table);
    if (this.game === "towai") {
      [this.pile, this.discard] = [this.asPile(table.pile, "position"), this.asPile(table.discard, "position")];
      const isOpen = [...this.pile, ...this.discard].every((card) => this.codes.has(card));
      if (!isOpen) throw new Parting("moves", "not-a-deal");
    }
  }

  /** The same table, to go back to. */
  copy() {
    const { game, seats, options, isPublic, root } = this;
    const other = new Table({ game, seats, options, isPublic }, root);
    const [pile, discard, display] = [[...this.pile], [...this.discard], [...this.display]];
    const hands = this.hands.map((hand) => hand && new Map(hand));
    const stock = new Map([...this.stock].map(([name, cards]) => [name, [...cards]]));
    return Object.assign(other, { shuffles: this.shuffles, round: this.round, unseen: this.unseen, hands, stock, pile, discard, display });
  }

  /** Whether a recorded position is this one, as far as both are known. */
  agrees(position) {
    const { game, seats, options, isPublic, root } = this;
    const other = new Table({ game, seats, options, isPublic }, root);
    other.begin(position);
    const isAlike =
      other.shuffles === this.shuffles &&
      this.hands.every((hand, seat) => isSame(hand, other.hands[seat])) &&
      [...this.stock].every(([name, cards]) => isSame(cards, other.stock.get(name) ?? [])) &&
      ["pile", "discard", "display"].every((name) => game !== "towai" || isSame(this[name], other[name]));
    if (!isAlike) throw new Parting("moves", "other-position");
  }

  async follow(event) {
    await FOLLOWED.get(event.type)?.(this, event);
  }

  /** The next shuffle of a pile in its canonical order; unseen cards where the seed is not known. */
  async shuffled(label, pile) {
    const k = this.shuffles;
    this.shuffles += 1;
    if (this.root === null) return pile.map(() => null);
    return (await shuffle(this.root, label, k, pile.length)).map((at) => pile[at]);
  }

  /** So many cards from the top to every seat, and the rest. */
  shared(pile, size) {
    const hands = Array.from({ length: this.seats }, (_, seat) => pile.slice(seat * size, (seat + 1) * size));
    const ordered = hands.map((hand) => (hand.includes(null) ? hand : inHandOrder(this.game, hand)));
    return [ordered, pile.slice(this.seats * size)];
  }

  async deal(event) {
    this.round += 1;
    const dealt = await GAMES[this.game].deal(this);
    const isShaped = hasExactly(event, "type", "round", ...Object.keys(dealt)) && event.round === this.round;
    if (!isShaped) throw new Parting("shuffles", "event-wrong", { type: event.type });
    for (const [name, pile] of Object.entries(dealt)) this.compare(event[name], pile, `/${name}`);
    const seen = this.root === null ? event : dealt;
    this.hands = seen.hands.map((hand) => this.asHand(this.asPile(hand, event.type)));
    this.takeStock(seen);
    [this.pile, this.discard] = [[], []];
    if (this.root === null) this.count(event);
  }

  /** Without the seed: whatever can be seen of a deal comes out of the box, all of it if all can be seen. */
  count(event) {
    this.within(textsIn([event.hands, event.aside, event.deck, event.draw]), this.deck);
    this.within(textsIn([event.coffee]), COFFEE);
    this.within(textsIn([event.errands, event.piles]), this.errands.map(({ id }) => id));
  }

  within(seen, box) {
    const left = tally(box);
    for (const card of seen) if (!takeFrom(left, card)) throw this.parting("/cards");
  }

  takeStock(piles) {
    const named = ["deck", "draw"].filter((name) => piles[name] !== undefined);
    this.stock = new Map(named.map((name) => [name, this.asPile(piles[name], name)]));
    for (const level of piles.piles ? [1, 2, 3] : []) this.stock.set(level, this.asPile(piles.piles[level], "piles"));
    this.display = piles.errands === undefined ? [] : this.asPile(piles.errands, "errands");
  }

  /** A recorded pile as a list; a hidden one has as many unseen cards as it says. */
  asPile(recorded, type) {
    if (isHidden(recorded)) return Array(recorded.count).fill(null);
    const isPile = Array.isArray(recorded) && recorded.every((card) => card === null || typeof card === "string");
    if (!isPile) throw new Parting("moves", "event-wrong", { type });
    return [...recorded];
  }

  /** How many of each card a seat holds; null if that is not wholly known. */
  asHand(pile) {
    return pile.includes(null) ? null : tally(pile);
  }

  /** Recorded against dealt again; a pile that the reader does not see is passed over, and remembered. */
  compare(recorded, dealt, where) {
    if (dealt === null) {
      if (typeof recorded !== "string") throw this.parting(where);
    } else if (typeof dealt !== "object") {
      if (recorded !== dealt) throw this.parting(where, dealt, typeof recorded === "string" ? recorded : null);
    } else if (Array.isArray(dealt) && isHidden(recorded) && !/^\/(coffee|errands)/.test(where)) {
      this.unseen = true;
      if (recorded.count !== dealt.length) throw this.parting(where, dealt.length, recorded.count);
    } else {
      const isAlike = Array.isArray(dealt) ? Array.isArray(recorded) : isObject(recorded);
      const names = Object.keys(dealt);
      if (!isAlike || Object.keys(recorded).length !== names.length) throw this.parting(where);
      for (const name of names) this.compare(recorded[name], dealt[name], `${where}/${name}`);
    }
  }

  /** A disagreement about cards names them only where the secret is told to all. */
  parting(where, expected = null, found = null) {
    const isTold = this.isPublic && this.root !== null;
    return new Parting("shuffles", "other-cards", { place: where }, isTold ? expected : null, isTold ? found : null);
  }

  // Single cards

  seat(value, type) {
    if (!isWhole(value, 0, this.seats - 1)) throw new Parting("moves", "event-wrong", { type });
    return value;
  }

  leaves(seat, card, type) {
    const hand = this.hands[this.seat(seat, type)];
    if (card === null) this.hands[seat] = null;
    else if (!this.codes.has(card)) throw new Parting("moves", "event-wrong", { type });
    else if (hand !== null && !takeFrom(hand, card)) throw new Parting("moves", "not-in-hand", { seat });
  }

  reaches(seat, card, type) {
    const hand = this.hands[this.seat(seat, type)];
    if (card === null) this.hands[seat] = null;
    else if (hand !== null) hand.set(card, (hand.get(card) ?? 0) + 1);
  }

  /** The top card of a pile, held against what was recorded. */
  top(name, recorded, type) {
    const pile = this.stock.get(name) ?? [];
    const isCard = recorded === null || typeof recorded === "string";
    if (pile.length === 0 || !isCard) throw new Parting("moves", "event-wrong", { type });
    const top = pile.shift();
    if (top !== null && recorded !== null && top !== recorded) throw new Parting("moves", "not-the-top", { type });
    return top ?? recorded;
  }

  takenUp(errand, type) {
    const at = this.display.indexOf(errand);
    if (at < 0) throw new Parting("moves", "event-wrong", { type });
    this.display.splice(at, 1);
  }

  /** TOW-6.3: all but the top of the play pile, and the discard. */
  async reform(event) {
    const { type, count } = event;
    const taken = [...this.pile.slice(0, -1), ...this.discard];
    const isDue = this.stock.get("deck")?.length === 0 && taken.length > 0;
    if (!isDue) throw new Parting("moves", "event-wrong", { type });
    if (count !== taken.length) throw this.parting("/count", taken.length, isSeq(count) ? count : null);
    const ordered = inHandOrder(this.game, taken);
    const deck = await this.shuffled("reform", ordered);
    this.compare(event.deck, deck, "/deck");
    const recorded = this.asPile(event.deck, type);
    if (this.root === null) this.within(recorded.filter((card) => card !== null), ordered);
    this.stock.set("deck", this.root === null ? recorded : deck);
    [this.pile, this.discard] = [this.pile.slice(-1), []];
  }
}

const FOLLOWED = new Map(Object.entries({
  hands_dealt: (table, event) => table.deal(event),
  deck_reformed: (table, event) => table.reform(event),
  card_played(table, { seat, card, type }) {
    if (card === null) throw new Parting("moves", "event-wrong", { type });
    table.leaves(seat, card, type);
    table.pile.push(card);
  },
  pile_discarded(table, { cards: discarded, type }) {
    if (canonical(discarded ?? null) !== canonical(table.pile)) throw new Parting("moves", "event-wrong", { type });
    table.discard.push(...table.pile);
    table.pile = [];
  },
  card_drawn(table, { seat, card, type }) {
    table.reaches(seat, table.top(table.game === "towai" ? "deck" : "draw", card, type), type);
  },
  card_passed(table, { from, to, card, type }) {
    table.leaves(from, card, type);
    table.reaches(to, card, type);
  },
  errand_turned_up(table, { errand, level, type }) {
    table.display.push(table.top(level, errand, type));
  },
  errand_replaced(table, { discarded, turned_up: turnedUp, level, type }) {
    table.takenUp(discarded, type);
    table.display.push(table.top(level, turnedUp, type));
    const under = table.stock.get(table.errands.find(({ id }) => id === discarded)?.level);
    if (under === undefined) throw new Parting("moves", "event-wrong", { type });
    under.push(discarded);
  },
  errands_completed(table, { errands, type }) {
    if (!Array.isArray(errands)) throw new Parting("moves", "event-wrong", { type });
    for (const errand of errands) table.takenUp(errand, type);
  },
}));

function textsIn(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether two hands, or two piles, are the same as far as both are known. */
function isSame(one, other) {
  if (one === null || other === null) return true;
  if (one instanceof Map) {
    const counted = (hand) => [...hand].filter(([, count]) => count > 0).sort();
    return canonical(counted(one)) === canonical(counted(other));
  }
  const isAlike = (card, at) => card === null || other[at] === null || card === other[at];
  return one.length === other.length && one.every(isAlike);
}

function isHidden(recorded) {
  return hasExactly(recorded, "count") && isWhole(recorded.count, 0, 999);
}

function tally(pile) {
  const counts = new Map();
  for (const card of pile) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

function takeFrom(counts, card) {
  const left = (counts.get(card) ?? 0) - 1;
  if (left >= 0) counts.set(card, left);
  return left >= 0;
}

// Words

const SENTENCES = {
  "ended-before": ["The check ended before it came to this.", "ここに至る前に検証が終わりました。"],
  "no-header": ["The first line is not the header of a replay file.", "最初の行がリプレイファイルのヘッダーではありません。"],
  "over-the-limits": [
    "The file or a line is too long, nests too deeply, or there are too many lines.",
    "ファイルまたは行が長すぎるか、入れ子が深すぎるか、行数が多すぎます。",
  ],
  "not-json": ["Line {line} is not JSON in UTF-8.", "{line} 行目が UTF-8 の JSON ではありません。"],
  "not-an-object": ["Line {line} is not a JSON object.", "{line} 行目が JSON オブジェクトではありません。"],
  "not-canonical": ["Line {line} is not canonical (RFC 8785).", "{line} 行目が正準形（RFC 8785）ではありません。"],
  name: ["Line {line} holds a name that is not ASCII.", "{line} 行目に ASCII でない名前があります。"],
  number: [
    "Line {line} holds a number that is no integer within ±(2^53−1).",
    "{line} 行目に ±(2^53−1) 以内の整数でない数があります。",
  ],
  "not-an-event": ["Line {line} is not an event.", "{line} 行目がイベントではありません。"],
  "not-an-opening": ["Line {line} is not an opening.", "{line} 行目が開示ではありません。"],
  "not-the-head-line": ["Line {line} is not a head line.", "{line} 行目がヘッドの行ではありません。"],
  "no-line-feed": ["Line {line} does not end with a line feed.", "{line} 行目が改行で終わっていません。"],
  "after-the-head": ["Line {line} comes after the head line.", "ヘッドの行の後に {line} 行目があります。"],
  unreadable: [
    "A line before could not be read, or stands in the wrong place.",
    "前の行が読み取れないか、誤った場所にあります。",
  ],
  "no-head": ["The file ends before its head line.", "ヘッドの行の前でファイルが終わっています。"],
  "another-match": ["This belongs to another match.", "別の対局のものです。"],
  "wrong-place": ["The event has been before, or is in the wrong place.", "イベントが繰り返されているか、順序が違います。"],
  "not-the-hash-before": [
    "The event does not name the hash of the event before it.",
    "直前のイベントのハッシュと一致しません。",
  ],
  gap: ["Event {expected} should follow, but event {found} does.", "{expected} 番のイベントの代わりに {found} 番があります。"],
  "openings-missing": ["What was hidden is not all opened in this file.", "隠された内容の一部がこのファイルにはありません。"],
  "opening-out-of-place": ["An opening stands where there is nothing to open.", "開示すべきものがない場所に開示があります。"],
  "other-opening": ["Opening {index} does not fit its commitment.", "開示 {index} がコミットメントと一致しません。"],
  "other-digest": ["The digest of the file is another.", "ファイルのダイジェストが一致しません。"],
  "header-disagrees": [
    "Header and first event disagree on {name}.",
    "ヘッダーと最初のイベントで {name} が一致しません。",
  ],
  "log-goes-on": ["The log goes on after the event that its head names.", "ヘッドが示すイベントの後にも記録が続いています。"],
  "end-missing": ["The log ends before the event that its head names.", "ヘッドが示すイベントの前で記録が終わっています。"],
  "other-hash": ["The last event has another hash than the head says.", "最後のイベントのハッシュがヘッドと一致しません。"],
  "no-keys": ["No trusted keys were given.", "信頼する鍵が指定されていません。"],
  "no-ed25519": ["This machine cannot check Ed25519 signatures.", "この環境では Ed25519 の署名を確認できません。"],
  "signature-wrong": ["The signature is wrong.", "署名が正しくありません。"],
  "key-unknown": ["Key {key} is not among the trusted ones.", "鍵 {key} は信頼する鍵にありません。"],
  "key-elsewhere": ["Key {key} is trusted for another origin.", "鍵 {key} は別の発行元の鍵です。"],
  "key-revoked": ["Key {key} has been revoked.", "鍵 {key} は失効しています。"],
  "no-receipts": ["No signed receipts of this match were given.", "この対局の署名された受領証が指定されていません。"],
  "receipts-unsigned": [
    "Receipts that are not signed by a key trusted for this origin: {count}.",
    "受領証のうち {count} 件は、この発行元について信頼する鍵で署名されていません。",
  ],
  "two-statements": [
    "Two signed statements about event {seq} contradict each other.",
    "{seq} 番のイベントについて、署名された二つの記述が矛盾しています。",
  ],
  "receipt-of-nothing": ["A receipt proves event {seq}, which is not there.", "受領証が示す {seq} 番のイベントがありません。"],
  "receipt-contradicts": ["A receipt proves another event {seq}.", "受領証が示す {seq} 番のイベントと一致しません。"],
  "no-setup": ["The first event, or what a deal needs of it, is missing.", "最初のイベント、または配るために必要な内容がありません。"],
  "setup-wrong": ["{name} of the first event cannot be so.", "最初のイベントの {name} が正しくありません。"],
  "not-disclosed": [
    "The secret that the deals come from is not disclosed.",
    "配札の元となる秘密の値が開示されていません。",
  ],
  "other-deals": [
    "The deals are those of another match, and this one is of no group.",
    "配札が別の対局のものですが、この対局はグループに属していません。",
  ],
  "other-secret": [
    "The secret is not the one that was committed to.",
    "秘密の値がコミットメントと一致しません。",
  ],
  "entropy-not-asked": ["The match takes no such entropy.", "この対局ではこの乱数の提供は受け付けません。"],
  "entropy-complete": ["All entropy was in before.", "乱数はすでにそろっています。"],
  "entropy-of-nobody": ["The entropy comes from somebody who has none to give.", "乱数を提供する立場にない者からの提供です。"],
  "entropy-shape": ["The entropy is not of the right form.", "提供された乱数の形式が正しくありません。"],
  "committed-twice": ["Seat {seat} has committed before.", "席 {seat} はすでにコミットしています。"],
  "revealed-early": ["Seat {seat} reveals before all have committed.", "全員がコミットする前に席 {seat} が公開しています。"],
  "revealed-twice": ["Seat {seat} has revealed before.", "席 {seat} はすでに公開しています。"],
  "other-entropy": [
    "Seat {seat} reveals something else than it committed to.",
    "席 {seat} の公開した値がコミットメントと一致しません。",
  ],
  "dealt-early": ["Cards were dealt before every entropy was in.", "乱数がそろう前に配られています。"],
  "missing-wrong": ["Other seats owe entropy than it says.", "乱数を出していない席が記載と異なります。"],
  "void-by-no-policy": ["No policy makes the match void here.", "この対局が無効になる条件はありません。"],
  "told-early": ["The secret was told before its time.", "秘密の値が予定より早く開示されています。"],
  "closed-early": ["Seats were passed over before their time was over.", "期限の前に席が除外されています。"],
  "no-beacon": [
    "No value of {beacon}, {reference}, was given to compare with.",
    "{beacon} の {reference} の値が指定されていません。",
  ],
  "other-value": ["{beacon}, {reference}, had another value.", "{beacon} の {reference} の値が一致しません。"],
  "other-cards": ["The shuffle gives other cards at {place}.", "シャッフルの結果が {place} のカードと一致しません。"],
  "no-seed": ["Without the right secret no shuffle can be made again.", "正しい秘密の値がないため再現できません。"],
  "from-another-match": ["The first position comes from another match.", "最初の局面は別の対局から来ています。"],
  "nothing-dealt": ["Nothing was dealt.", "何も配られていません。"],
  "piles-hidden": [
    "What can be seen agrees; some of what was dealt is hidden in this file.",
    "見える範囲は一致しますが、配られたものの一部がこのファイルでは隠されています。",
  ],
  "rules-unknown": ["The rules of this match are not known here.", "この対局のルールはここにありません。"],
  parted: ["The log has parted from what can be before.", "記録はすでにあり得ない状態です。"],
  "type-not-due": ["An event of type {type} cannot stand here.", "ここに {type} のイベントは置けません。"],
  "type-not-read": ["Events of type {type} are not read here.", "{type} のイベントは読み取れません。"],
  "not-a-ruling": ["No referee rules so.", "このような裁定はありません。"],
  "ruling-not-due": ["A ruling of kind {kind} cannot stand here.", "ここに {kind} の裁定は置けません。"],
  "not-on-the-line": [
    "Event {to} is none that the match can be taken back to.",
    "{to} 番のイベントの局面には戻せません。",
  ],
  "other-position": ["The position is not the one that the match is taken back to.", "局面が戻る先の局面と一致しません。"],
  "too-many-positions": ["The match is taken back too often to be followed.", "対局の巻き戻しが多すぎて追えません。"],
  "not-what-was-ruled": ["{type} is not what the event before it leads to.", "{type} が直前のイベントの結果と一致しません。"],
  "no-clock": ["The match has no clock.", "この対局には時計がありません。"],
  "not-an-expiry": ["No time runs out so.", "このような時間切れはありません。"],
  "expired-early": ["There was still time at that moment.", "その時点ではまだ時間が残っています。"],
  "not-a-setup": ["A match is not set up so.", "対局はこのようには作成されません。"],
  "not-a-deal": ["This is not the deal of a match.", "対局の配札ではありません。"],
  "not-a-voiding": ["The match cannot be voided so.", "このような無効化はできません。"],
  "not-an-end": ["The match cannot end so.", "このような終局はできません。"],
  "not-a-move": ["This is not a move of a seat.", "席の手ではありません。"],
  "event-wrong": ["{type} cannot have happened so.", "{type} はこのようには起こりません。"],
  "not-in-hand": ["Seat {seat} does not hold that card.", "席 {seat} はそのカードを持っていません。"],
  "not-the-top": ["{type}: the card was not on top of its pile.", "{type}：山の一番上のカードではありません。"],
  "position-not-due": [
    "A position is committed to where none is due, or missing where one is.",
    "局面のコミットメントの有無が正しくありません。",
  ],
  "no-rules": ["This verifier does not know the rules of play.", "この検証プログラムはゲームのルールを知りません。"],
  "no-positions": [
    "Positions follow from the rules of play, which this verifier does not know.",
    "局面はゲームのルールから決まりますが、この検証プログラムはルールを知りません。",
  ],
};

function sentence(why, facts, language) {
  const [english, japanese] = SENTENCES[why];
  const words = language === "ja" ? japanese : english;
  // What stands in a file may be meant for a terminal.
  return words.replace(/\{(\w+)\}/g, (_, name) => String(facts[name]).replace(/\p{C}/gu, "\ufffd").slice(0, 200));
}

// The command

const USAGE =
  "usage: node verify.mjs FILE… [--trust FILE] [--receipts PATH] [--beacons FILE] [--json] [--lang en|ja]\n" +
  "exit status: that of the worst verdict (10, 20, 21, 30, 40, 41, 42, 50, 51); 2 if something could not be read";

const VALUED = ["--trust", "--receipts", "--beacons", "--lang"];

function parsed(given) {
  const options = { files: [], trust: null, receipts: [], beacons: null, json: false, lang: "en" };
  const rest = [...given];
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === "--json") options.json = true;
    else if (!word.startsWith("--")) options.files.push(word);
    else if (!VALUED.includes(word) || rest.length === 0) throw new Unusable(USAGE);
    else if (word === "--receipts") options.receipts.push(rest.shift());
    else options[word.slice(2)] = rest.shift();
  }
  if (options.files.length === 0 || !["en", "ja"].includes(options.lang)) throw new Unusable(USAGE);
  return options;
}

/** The bytes of a file; one past the limit is enough to say that it is past the limit. */
async function content(name) {
  const { createReadStream } = await import("node:fs");
  const pieces = [];
  try {
    for await (const piece of createReadStream(name, { end: LIMITS.file })) pieces.push(piece);
  } catch (failure) {
    throw new Unusable(`${name}: cannot be read (${failure.code})`);
  }
  return joined(...pieces);
}

/** The documents of a file: one, a list, or one a line; of a folder those of every .json and .jsonl file in it. */
async function documents(name) {
  const { readdirSync, statSync } = await import("node:fs");
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory()) {
    const inside = readdirSync(name).filter((inner) => /\.jsonl?$/.test(inner));
    return (await Promise.all(inside.map((inner) => documents(`${name}/${inner}`)))).flat();
  }
  const text = new TextDecoder().decode(await content(name));
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return linesOfJson(text, name);
  }
}

function linesOfJson(text, name) {
  try {
    return text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
  } catch {
    throw new Unusable(`${name} is not JSON`);
  }
}

/** What the options name, as `verify` takes it. */
async function toldBy({ trust, beacons, receipts, lang }) {
  const one = async (name) => (name === null ? null : ((await documents(name))[0] ?? {}));
  const kept = (await Promise.all(receipts.map(documents))).flat();
  const told = { trust: await one(trust), beacons: await one(beacons), receipts: kept.length > 0 ? kept : null };
  return { ...told, language: lang };
}

async function main(given) {
  if (given.includes("--help")) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const options = parsed(given);
  const told = await toldBy(options);
  const words = [];
  let isUnread = false;
  for (const file of options.files) {
    try {
      const verdict = await verify(await content(file), told);
      words.push(verdict.verdict);
      process.stdout.write(options.json ? `${JSON.stringify(verdict)}\n` : shown(verdict, file));
    } catch (failure) {
      complain(failure);
      isUnread = true;
    }
  }
  const worst = EXITS[WORST_FIRST.find((word) => words.includes(word))] ?? 0;
  return isUnread && worst <= EXITS.verified_partial ? 2 : worst;
}

/** Say why something could not be done; what is no fault of the caller's is thrown on. */
function complain(failure) {
  if (!(failure instanceof Unusable)) throw failure;
  process.stderr.write(`${failure.message}\n`);
}

function shown({ verdict, first_divergence: first, checks }, file) {
  const where = first === null ? "" : `  (${first.check}, event ${first.seq ?? "none"})`;
  const rows = checks.map(({ check, result, why }) => `  ${check.padEnd(11)}${result.padEnd(14)}${why ?? ""}`.trimEnd());
  return [`${verdict}  ${file}${where}`, ...rows, ""].join("\n");
}

async function isCommand() {
  if (typeof process === "undefined" || !process.versions?.node || !process.argv[1]) return false;
  const { existsSync, realpathSync } = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  const script = process.argv[1];
  return existsSync(script) && pathToFileURL(realpathSync(script)).href === import.meta.url;
}

if (await isCommand()) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (failure) {
    complain(failure);
    process.exitCode = 2;
  }
}
