// Verifies replay files (gyoji-replay/1) with nothing but WebCrypto: a second opinion beside `gyoji audit`, written from
// the published formats (docs/replays.md, docs/verify.md) and sharing no code with it.
//
// It checks bytes, chain, head, digest, openings, commitments, times and clocks, the order of entropies, every shuffle,
// where each open card came from, and receipts. It does not know the rules of play, so its best verdict is
// `verified_partial`. Whatever a file holds, there is a verdict.
//
// This is the part that is the same for every game. What a service hands out as verify.mjs has the games behind it:
// cat web/static/verify.mjs games/*/verifier.mjs
//
//   node verify.mjs FILE… [--trust FILE] [--receipts PATH] [--beacons FILE] [--json] [--lang en|ja]
//   import { verify } from "/static/verify.mjs"   (a browser: over https, or from localhost)
//
// In the order of docs/verify.md: the formats; a file, its head and receipts; whose chance it is, and the course of a
// match with its rulings and clocks; the deals, and where every card lies. At the end the words, and the command.

/** Bytes of a file, bytes of a line, lines of a file, bytes of one event's openings, levels of nesting. */
export const LIMITS = { file: 1 << 26, line: 1 << 20, lines: 2_000_000, openings: 1 << 22, depth: 64 };

/** Commitments of one event to what it hides, and places that one opening fills. */
const MOST_SECRETS = 64;
const MOST_PLACES = 256;

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

/** Something beside the file that is not what it has to be. */
export class Unusable extends TypeError {}

/** This machine lacks what every verdict needs: nothing is said of any file. */
export class Unable extends Error {}

/** More than is read of one file. */
class Beyond extends Error {}

// The formats: fields

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
  return joined(raw.flatMap((field) => [u32(field.length), field]));
}

function joined(parts) {
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

// The formats: canonical JSON (RFC 8785) of texts, whole numbers, booleans, null, lists and objects

/** The one text for a document that holds only what a log may hold. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

/** `{document}` of a line without its LF, or `{fault}`: why it is no line of a log. Beyond where it nests too deeply. */
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

/** Why a document may not stand in a log, or null; level by level, as nobody knows how many there are. */
function impurity(document) {
  let level = [document];
  for (let depth = 0; depth <= LIMITS.depth; depth += 1) {
    const below = [];
    for (const value of level) {
      if (typeof value === "number" && !Number.isSafeInteger(value)) return "number";
      if (typeof value === "string" && /\p{Surrogate}/u.test(value)) return "not-json";
      if (typeof value !== "object" || value === null) continue;
      if (!Array.isArray(value) && Object.keys(value).some((name) => /[^\x00-\x7f]/.test(name))) return "name";
      for (const inner of Object.values(value)) below.push(inner);
    }
    if (below.length === 0) return null;
    level = below;
  }
  throw new Beyond();
}

// The formats: shapes

function matches(pattern, value) {
  return typeof value === "string" && pattern.test(value);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWhole(value, least, most) {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** A number that has no bound but that of JSON: what it points at is looked for, and need not be there. */
function isAnyWhole(value) {
  return isWhole(value, 0, Number.MAX_SAFE_INTEGER);
}

/** The number of an event: 4 bytes where it is signed. */
function isSeq(value) {
  return isWhole(value, 0, 0xffffffff);
}

function isHex(value, least, most = least) {
  if (typeof value !== "string" || !/^[0-9a-f]*$/.test(value) || value.length % 2) return false;
  return isWhole(value.length / 2, least, most);
}

function isText(value, most) {
  return typeof value === "string" && [...value].length <= most;
}

/** A list of texts, of exactly so many if that is said. */
function areTexts(value, count = value?.length) {
  return Array.isArray(value) && value.length === count && value.every((text) => typeof text === "string");
}

/** Whether an object has exactly these members. */
function hasExactly(value, ...names) {
  if (!isObject(value) || Object.keys(value).length !== names.length) return false;
  return names.every((name) => Object.hasOwn(value, name));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A moment as logs write it, in UTC and to the millisecond: of the days that are, and without leap seconds. */
const TIME = (() => {
  const common = String.raw`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))`;
  const leap = String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29`;
  return new RegExp(String.raw`^(?:${common}|${leap})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$`);
})();

/** A moment in milliseconds, and back. Nothing is written beyond the first and the last moment that can be. */
function instant(time) {
  return Date.parse(time);
}

const [FIRST, LAST] = ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"].map(instant);

function written(milliseconds) {
  return new Date(Math.min(Math.max(milliseconds, FIRST), LAST)).toISOString();
}

function isHeader(value) {
  return (
    hasExactly(value, "format", "match", "game", "version", "rules_digest", "origin", "audience") &&
    value.format === "gyoji-replay/1" && matches(UUID, value.match) && matches(SLUG, value.game) &&
    isWhole(value.version, 1, Number.MAX_SAFE_INTEGER) && isHex(value.rules_digest, 32) && typeof value.origin === "string" &&
    isAudience(value.audience)
  );
}

const SLUG = /^[a-z][a-z0-9-]{0,63}$/;

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

// The formats: what is hashed, derived and signed. Secrets, salts, hashes and entropies come and go as hex.

/** The hash of an event, given its canonical line without the LF: SHA-256(0x00 ‖ line). */
export function leafHash(line) {
  return sha256(joined([new Uint8Array([0]), typeof line === "string" ? encoder.encode(line) : line]));
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
    block = await expand(joined([block, info, new Uint8Array([count])]));
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

// The verdict

/**
 * The verdict on a replay file, given as bytes or text; of the shape that `POST /v1/audits` answers with.
 *
 * `trust` is the document of `GET /v1/keys`, from a source other than the file; `receipts` a list of receipts and heads
 * that players kept (or one); `beacons` `{"beacons":[{"beacon","reference","value"}…]}`; `language` "en" or "ja".
 * Whatever the file holds, and whatever happens while it is read, there is a verdict. Unusable is for a `trust` or
 * `beacons` that are no such document, Unable for a machine that lacks the cryptography.
 */
export async function verify(source, { trust = null, receipts = null, beacons = null, language = "en" } = {}) {
  await mustBeAble(trust !== null, language);
  const bytes = typeof source === "string" ? encoder.encode(source) : new Uint8Array(source);
  const keys = trust === null ? null : await trustedKeys(trust, language);
  const values = beacons === null ? null : knownValues(beacons, language);
  const findings = new Findings();
  const audit = new Audit(bytes, { keys, values, receipts }, findings);
  try {
    await audit.run();
  } catch (failure) {
    // A fault of this program is no excuse for having no verdict on a file that somebody made for it.
    if (failure instanceof Beyond) findings.breakOff("over-the-limits");
    else findings.breakOff("broke-the-reader", { failure: String(failure?.name) });
  }
  return findings.verdict(audit.header?.match ?? null, language);
}

/** A signature of RFC 8032 (7.1, test 1), of no bytes at all. */
const SPECIMEN = {
  key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  signature:
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
};

/** That this machine can do what every verdict needs is found out before a file is looked at. */
async function mustBeAble(withSignatures, language) {
  if (typeof globalThis.crypto?.subtle?.digest !== "function") throw new Unable(sentence("no-crypto", {}, language));
  if (!withSignatures) return;
  const isRight = await isSigned(SPECIMEN.key, SPECIMEN.signature, new Uint8Array(0)).catch(() => null);
  if (isRight !== true) throw new Unable(sentence("no-ed25519", {}, language));
}

/** What has been found so far: of every check the first thing, of all things the first event. */
class Findings {
  rulings = [];
  #results = new Map();
  #words = new Set(["verified_partial"]); // the rules of play are always unchecked
  #first = null;
  #isOver = false;

  /** A check that failed, with the verdict that follows; the earliest event that a failure names is told. */
  fail(check, word, seq, why, facts = {}, expected = null, found = null) {
    if (!this.hasFailed(check)) this.#results.set(check, { result: "fail", why, facts });
    this.part(check, word, seq, expected, found);
  }

  /** A check that cannot be made, unless something has been said of it already. */
  leave(check, why, facts = {}) {
    if (!this.#results.has(check)) this.#results.set(check, { result: "not_checkable", why, facts });
  }

  /** An event at which log and truth part. Of several verdicts on one event the severest tells of it. */
  part(check, word, seq, expected = null, found = null) {
    this.#words.add(word);
    const place = [seq ?? Infinity, WORST_FIRST.indexOf(word)];
    const before = this.#first?.place ?? [Infinity, Infinity];
    if (place[0] < before[0] || (place[0] === before[0] && place[1] < before[1])) {
      this.#first = { place, told: { seq, check, expected: clipped(expected), found: clipped(found), rule: null } };
    }
  }

  hasFailed(check) {
    return this.#results.get(check)?.result === "fail";
  }

  /** Nothing more is read. */
  breakOff(why, facts = {}) {
    this.fail("bytes", "malformed", null, why, facts, why === "no-header" ? "gyoji-replay/1" : null);
    this.#isOver = true;
  }

  verdict(match, language) {
    const unsaid = this.#isOver ? { result: "not_checkable", why: "ended-before" } : { result: "pass" };
    const checks = CHECKS.map((check) => {
      const { result, why = null, facts = {} } = this.#results.get(check) ?? unsaid;
      return { check, result, why: why && sentence(why, facts, language) };
    });
    const word = WORST_FIRST.find((candidate) => this.#words.has(candidate));
    return { verdict: word, match, first_divergence: this.#first?.told ?? null, checks, rulings: this.rulings };
  }
}

/** A value that a verdict may repeat; a long one gives way to its length. */
function clipped(value) {
  const bytes = encoder.encode(canonical(value)).length;
  return bytes <= 600 ? value : { bytes };
}

// A file: bytes, chain, openings, the digest

const ZERO = "0".repeat(64);

/** The lines of a file one after another; `next` is the one to come, null at the end. */
class Lines {
  next = null;
  #bytes;
  #at = 0;
  #number = 0;

  constructor(bytes) {
    this.#bytes = bytes;
    this.#advance();
  }

  take() {
    const line = this.next;
    this.#advance();
    return line;
  }

  #advance() {
    const from = this.#at;
    const end = this.#bytes.indexOf(10, from);
    const [isWhole, to] = end < 0 ? [false, this.#bytes.length] : [true, end + 1];
    this.#at = to;
    this.#number += 1;
    const body = () => this.#bytes.subarray(from, to - 1);
    this.next = from === to ? null : { from, number: this.#number, size: to - from, isWhole, body };
  }
}

/** A line that is not longer than is read, nor one of more lines than are read. */
function within(line) {
  if (line.size > LIMITS.line || line.number > LIMITS.lines) throw new Beyond();
  return line;
}

/** How lines begin that are not those of events. */
const [OPENING, HEAD] = ['{"opening":', '{"file":'].map((text) => encoder.encode(text));

function begins(line, text) {
  const body = line.body();
  return line.isWhole && text.every((byte, at) => body[at] === byte);
}

/** A line and the openings that follow it, counted and measured before anything in them is looked at. */
function gathered(lines) {
  const [line, openings] = [lines.take(), []];
  let room = LIMITS.openings;
  while (lines.next !== null && begins(within(lines.next), OPENING)) {
    openings.push(lines.next);
    room -= lines.take().size;
    if (room < 0 || openings.length > MOST_SECRETS + 1) throw new Beyond();
  }
  return { line, openings };
}

/** Bytes that no event is shorter than, nor whatever nests too deeply to be read. */
const SHORTEST = 96;

/** One file under way. */
class Audit {
  header = null;
  #bytes;
  #given;
  #findings;
  #course;
  #kept;
  #seq = -1; // of the last event
  #hash = ZERO; // of the last event; null where it is not known, as the line before could not be read
  #tied = 0; // from there on every event names the hash of the one before it
  #head = null; // what a trusted key has signed under it
  #hasHead = false;

  constructor(bytes, given, findings) {
    this.#bytes = bytes;
    this.#given = given;
    this.#findings = findings;
  }

  async run() {
    const lines = new Lines(this.#bytes);
    this.header = headerOf(lines.take());
    if (this.header === null) return this.#findings.breakOff("no-header");
    if (this.#bytes.length > LIMITS.file) throw new Beyond();
    this.#kept = await Kept.of(this.#given.receipts, this.#given.keys, this.header);
    this.#course = new Course(await foreseen(this.#bytes), this.#given.values, this.#findings);
    while (lines.next !== null && (await this.#isGoingOn(lines)));
    this.#end();
    return undefined;
  }

  /** The next line, with those that belong to it; false if that is the last that is read. */
  async #isGoingOn(lines) {
    const line = within(lines.next);
    if (this.#hasHead) {
      this.#findings.fail("file", "tampered", null, "after-the-head", { line: line.number });
      return false;
    }
    if (!line.isWhole) this.#endWithin(lines.take());
    else if (begins(line, OPENING)) this.#misplaced(lines.take());
    else if (begins(line, HEAD)) await this.#takeHead(lines.take());
    else await this.#takeEvent(gathered(lines));
    return true;
  }

  #end() {
    this.#course.end();
    this.#kept.end({ last: this.#seq, tip: this.#hash, tied: this.#tied, head: this.#head }, this.#findings);
    if (this.#hasHead) return;
    this.#findings.part("head", "incomplete", this.#seq + 1, "head", null);
    for (const check of ["head", "file"]) this.#findings.leave(check, "no-head");
  }

  /** A last line without its LF: the file ends within it, unless it is whole and something else follows. */
  #endWithin(line) {
    if (read(line.body()).document !== undefined) this.#unreadable("no-line-feed", line.number);
  }

  /** A line that is none: what it was is not known, nor what follows from it. */
  #unreadable(fault, number) {
    this.#findings.fail("bytes", "tampered", this.#seq + 1, fault, { line: number });
    this.#hash = null;
    this.#course.stop("unreadable");
  }

  /** An opening before any event. */
  #misplaced() {
    this.#findings.fail("openings", "tampered", null, "opening-out-of-place");
  }

  async #takeEvent({ line, openings }) {
    if (this.#hash === null && line.size < SHORTEST) return undefined; // said of the one before already
    const { document, fault } = read(line.body());
    if (document === undefined || !isEvent(document)) return this.#unreadable(fault ?? "not-an-event", line.number);
    if (document.secret.length > MOST_SECRETS) throw new Beyond();
    this.#chain(document);
    await this.#course.hear(await opened(document, openings, this.#findings));
    this.#seq = document.seq;
    this.#hash = await leafHash(line.body());
    this.#kept.see(this.#seq, this.#hash);
    return undefined;
  }

  /** Whether the event follows the one before it. */
  #chain({ match, seq, prev, data }) {
    const [findings, expected] = [this.#findings, this.#seq + 1];
    if (match !== this.header.match) {
      findings.fail("chain", "tampered", seq, "another-match", {}, this.header.match, match);
    }
    if (seq === 0) this.#announced(data);
    if (seq === expected && prev === this.#hash) return;
    this.#tied = seq;
    if (seq < expected) {
      findings.fail("chain", "tampered", seq, "wrong-place", {}, expected, seq);
      this.#course.stop("unreadable");
    } else if (this.#hash === null) findings.leave("chain", "unreadable");
    else if (seq > expected) {
      findings.part("chain", "incomplete", expected, expected, seq);
      findings.leave("chain", "gap", { expected, found: seq });
      this.#course.stop("gap", { expected, found: seq });
    } else findings.fail("chain", "tampered", seq, "not-the-hash-before", {}, this.#hash, prev);
  }

  /** Whether the first line tells of the match that follows. */
  #announced(data) {
    for (const name of ["game", "version", "rules_digest"]) {
      if (data[name] === this.header[name]) continue;
      this.#findings.fail("file", "tampered", 0, "header-disagrees", { name }, data[name] ?? null, this.header[name]);
    }
  }

  async #takeHead(line) {
    this.#hasHead = true;
    const { document, fault } = read(line.body());
    const isEnding = hasExactly(document, "head", "file") && isHead(document.head) && isHex(document.file, 32);
    if (!isEnding) {
      this.#findings.fail("bytes", "tampered", this.#seq + 1, fault ?? "not-the-head-line", { line: line.number });
      for (const check of ["head", "file"]) this.#findings.leave(check, "unreadable");
      return;
    }
    this.#weighHead(document.head);
    await this.#weighSignature(document.head);
    const found = await sha256(this.#bytes.subarray(0, line.from));
    if (found !== document.file) this.#findings.fail("file", "tampered", null, "other-digest", {}, found, document.file);
  }

  /** Whether the head is that of the last event. */
  #weighHead({ match, seq, hash }) {
    const [findings, last] = [this.#findings, this.#seq];
    if (match !== this.header.match) {
      findings.fail("head", "tampered", seq, "another-match", {}, this.header.match, match);
    }
    if (this.#hash === null) findings.leave("head", "unreadable");
    else if (seq > last) findings.fail("head", "incomplete", last + 1, "end-missing", {}, seq, last);
    else if (seq < last) findings.fail("head", "tampered", last, "log-goes-on", {}, seq, last);
    else if (hash !== this.#hash) findings.fail("head", "tampered", last, "other-hash", {}, hash, this.#hash);
  }

  /** By whom the head is signed. */
  async #weighSignature(head) {
    const [{ keys }, { origin }] = [this.#given, this.header];
    if (keys === null) return this.#findings.leave("head", "no-keys");
    const message = headMessage(origin, head.match, head.seq, head.hash);
    const came = await signature(keys, origin, message, head);
    if (came === "good") this.#head = head;
    else if (came === "wrong") this.#findings.fail("head", "tampered", head.seq, "signature-wrong");
    else {
      const trusted = keys.map(({ key }) => key);
      this.#findings.fail("head", "key_untrusted", head.seq, `key-${came}`, { key: head.key }, trusted, head.key);
    }
    return undefined;
  }
}

function headerOf(line) {
  if (line === null || !line.isWhole || line.size > LIMITS.line) return null;
  try {
    const { document } = read(line.body());
    return isHeader(document) ? document : null;
  } catch (failure) {
    if (failure instanceof Beyond) return null;
    throw failure;
  }
}

// A file: what the openings put into the data of an event

/** `{document, data, openings, isOpen}` of an event: its data with what is opened in it, the openings that fit, whether those are all. */
async function opened(document, lines, findings) {
  const openings = new Map();
  const places = new Set();
  const told = { document, data: document.data, openings, salt: null };
  for (const line of lines) {
    const { document: found, fault } = read(line.body());
    if (!hasExactly(found, "opening") || !isOpening(found.opening)) {
      findings.fail("bytes", "tampered", document.seq, fault ?? "not-an-opening", { line: line.number });
    } else await open(told, found.opening, places, findings);
  }
  if (openings.size < document.secret.length) findings.leave("openings", "openings-missing");
  if (openings.size > 0) told.data = merged(document.data, openings);
  return { ...told, isOpen: openings.size === document.secret.length };
}

/** One more opening, well-formed; what does not fit is said and left out. */
async function open(told, opening, places, findings) {
  const { document, openings } = told;
  const { seq, index, payload } = opening;
  if (payload !== undefined && Object.keys(payload).length > MOST_PLACES) throw new Beyond();
  const wrong = (why, ...rest) => findings.fail("openings", "tampered", document.seq, why, ...rest);
  if (seq !== document.seq || told.salt !== null) return wrong("opening-out-of-place");
  if (Object.hasOwn(opening, "position")) {
    if (document.position === null) return wrong("opening-out-of-place");
    told.salt = opening.position;
    return undefined;
  }
  const secret = document.secret[index];
  if (secret === undefined || index <= ([...openings.keys()].at(-1) ?? -1)) return wrong("opening-out-of-place");
  const found = await secretCommitment(opening.salt, payload);
  if (found !== secret.commit) return wrong("other-opening", { index }, secret.commit, found);
  const isFresh = Object.keys(payload).every((place) => !places.has(place));
  if (!isFresh || !isFilling(document.data, payload)) return wrong("opening-out-of-place");
  for (const place of Object.keys(payload)) places.add(place);
  openings.set(index, payload);
  return undefined;
}

/** Whether a payload replaces only what is hidden in the data as it was logged, each at a place that is there. */
function isFilling(data, payload) {
  const places = Object.entries(payload);
  return places.length > 0 && places.every(([pointer, value]) => {
    const place = placeOf(data, pointer);
    return place !== null && isInPlaceOf(place.node[place.name], value);
  });
}

/** The data with all that is opened: one copy, however many places there are. */
function merged(data, openings) {
  const whole = JSON.parse(JSON.stringify(data));
  for (const payload of openings.values()) {
    for (const [pointer, value] of Object.entries(payload)) {
      const { node, name } = placeOf(whole, pointer);
      node[name] = value;
    }
  }
  return whole;
}

/** Where a JSON Pointer (RFC 6901) leads to: the list or object, and the name in it; null if nowhere. */
function placeOf(data, pointer) {
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  const names = pointer.slice(1).split("/").map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  let node = null;
  let inner = data;
  for (const name of names) {
    node = inner;
    if (Array.isArray(node) && !/^(0|[1-9]\d{0,6})$/.test(name)) return null;
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return null;
    inner = node[name];
  }
  return { node, name: names.at(-1) };
}

/** A list is hidden as `{"count":n}`, anything else as null. */
function isInPlaceOf(shown, value) {
  return Array.isArray(value) ? hasExactly(shown, "count") && shown.count === value.length : shown === null;
}

// A file: keys, which come from the trust document and never from the file

async function trustedKeys(trust, language) {
  if (!isObject(trust) || !Array.isArray(trust.keys)) throw new Unusable(sentence("not-a-trust", {}, language));
  const sound = [];
  for (const key of trust.keys) {
    const isKey = isObject(key) && isHex(key.public, 32) && typeof key.origin === "string";
    if (isKey && key.key === (await keyId(key.public))) sound.push({ ...key, ended: null });
  }
  for (const told of await restorations(trust.restorations, sound)) {
    for (const key of sound) {
      const isEnded = key.origin === told.origin && told.keys.has(key.key);
      if (isEnded && (key.ended === null || told.generation < key.ended.generation)) key.ended = told;
    }
  }
  return sound;
}

/**
 * What a service has signed when its store had gone back: which of its keys have ended, and with which event each log
 * was known. Believed is what one of those keys has signed, and the one that follows them.
 */
async function restorations(documents, keys) {
  const believed = [];
  for (const found of Array.isArray(documents) ? documents : []) {
    const said = await restorationOf(found);
    if (said === null) continue;
    const message = lp("restoration/1", said.origin, bytesOf(await leafHash(encoder.encode(found.statement))));
    const by = new Set();
    for (const signed of found.signatures) {
      const came = await signature(keys, said.origin, message, signed);
      if (came === "wrong") by.add(null);
      if (came === "good") by.add(signed.key);
    }
    if (!by.has(null) && by.has(said.key) && said.ended.some((key) => by.has(key))) {
      const [keys, open] = [new Set(said.ended), new Map(found.open.map(({ log, seq }) => [log, seq]))];
      believed.push({ origin: said.origin, generation: said.generation, at: said.at, keys, open });
    }
  }
  return believed;
}

/** What a document says, or null for what is none. */
async function restorationOf(found) {
  if (!hasExactly(found, "format", "statement", "signatures", "open")) return null;
  if (found.format !== "gyoji-restoration/1" || typeof found.statement !== "string") return null;
  const areSigned = (list) => list.every((each) => hasExactly(each, "key", "sig") && isHex(each.key, 8) && isHex(each.sig, 64));
  const areEnds = (list) => list.every((each) => hasExactly(each, "log", "seq") && matches(UUID, each.log) && isSeq(each.seq));
  if (!Array.isArray(found.signatures) || !areSigned(found.signatures)) return null;
  if (!Array.isArray(found.open) || !areEnds(found.open)) return null;
  if (found.open.some(({ log }, at) => at > 0 && found.open[at - 1].log >= log)) return null;
  const { document } = read(encoder.encode(found.statement));
  if (document === undefined || !isRestored(document)) return null;
  const digest = await sha256(encoder.encode(canonical(found.open)));
  return document.open.count === found.open.length && document.open.digest === digest ? document : null;
}

const VKEY = /^[^ +\x00-\x1f]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;

function isRestored(said) {
  const areKeys = (list) => Array.isArray(list) && list.every((key) => isHex(key, 8));
  const { log, open } = said;
  return (
    hasExactly(said, "v", "type", "origin", "generation", "at", "until", "ended", "key", "log", "open") &&
    said.v === 1 && said.type === "restored" && typeof said.origin === "string" &&
    isAnyWhole(said.generation) && said.generation > 0 && matches(TIME, said.at) &&
    (said.until === null || matches(TIME, said.until)) && areKeys(said.ended) && isHex(said.key, 8) &&
    hasExactly(log, "origin", "size", "root", "ended", "next") && typeof log.origin === "string" && isAnyWhole(log.size) &&
    isHex(log.root, 32) && areKeys(log.ended) && matches(VKEY, log.next) &&
    hasExactly(open, "count", "digest") && isAnyWhole(open.count) && isHex(open.digest, 32)
  );
}

/** "good", "wrong", "unknown", "elsewhere" (a key of another origin), or "revoked". */
async function signature(keys, origin, message, signed) {
  const named = keys.filter((key) => key.key === signed.key);
  if (named.length === 0) return "unknown";
  const here = named.filter((key) => key.origin === origin);
  if (here.length === 0) return "elsewhere";
  if (here.some((key) => (key.revoked ?? null) !== null)) return "revoked";
  return (await isSigned(here[0].public, signed.sig, message)) ? "good" : "wrong";
}

// A file: receipts and heads that players kept, held against the log and against each other

class Kept {
  #told = new Map(); // by event: hash -> statement, of those that a trusted key has signed
  #seen = new Map(); // what the log has in these places
  #doubtful = 0;
  #match;
  #keys; // of the log's origin
  #isAsked;

  static async of(receipts, keys, { origin, match }) {
    const kept = new Kept();
    const given = receipts === null ? [] : [receipts].flat();
    kept.#match = match;
    kept.#keys = (keys ?? []).filter((key) => key.origin === origin);
    kept.#isAsked = given.length > 0 && keys === null ? "no-keys" : "no-receipts";
    for (const item of keys === null ? [] : given) {
      const statement = await statementOf(item, origin, keys);
      if (statement === null) kept.#doubtful += 1;
      else if (statement.match === match) kept.#keep(statement);
    }
    return kept;
  }

  #keep(statement) {
    const told = this.#told.get(statement.seq) ?? new Map();
    const known = told.get(statement.hash);
    if (known === undefined || this.#end(statement) > this.#end(known)) told.set(statement.hash, statement);
    this.#told.set(statement.seq, told);
  }

  /** The generation that the key of a statement has ended with. */
  #end({ key }) {
    return Math.max(0, ...this.#keys.filter((each) => each.key === key).map(({ ended }) => ended?.generation ?? Infinity));
  }

  /** Why two that contradict each other about an event are no lie: it was lost, and one is of before, the other of after. */
  #excuse(one, other, seq) {
    for (const [lost, kept] of [[one, other], [other, one]]) {
      for (const { key, ended } of this.#keys) {
        if (key !== lost.key || ended === null || ended.keys.has(kept.key)) continue;
        if (seq > (ended.open.get(this.#match) ?? Infinity)) return ended;
      }
    }
    return null;
  }

  /** Why there is a receipt of what comes after the end, where the event was lost. */
  #loss(seq) {
    const ends = [...this.#told.get(seq).values()].flatMap(({ key }) => this.#keys.filter((each) => each.key === key));
    return ends.map(({ ended }) => ended).find((ended) => seq > (ended?.open.get(this.#match) ?? Infinity)) ?? null;
  }

  /** An event of the log, which has that hash. Of two in one place the one counts that nobody has vouched for. */
  see(seq, hash) {
    const told = this.#told.get(seq);
    if (told !== undefined && !(this.#seen.has(seq) && told.has(hash))) this.#seen.set(seq, hash);
  }

  /** The log has been read. */
  end(log, findings) {
    const places = [...this.#told.keys()].sort((one, other) => one - other);
    for (const seq of places) this.#weigh(seq, log, findings);
    const longest = places.at(-1) ?? -1;
    if (longest > log.last) {
      const lost = this.#loss(longest);
      const [why, at] = lost === null ? ["receipt-of-nothing", ""] : ["lost-in-restore", lost.at];
      findings.fail("receipts", "incomplete", log.last + 1, why, { seq: longest, at }, longest, log.last);
    }
    if (this.#doubtful > 0) findings.leave("receipts", "receipts-unsigned", { count: this.#doubtful });
    else if (places.length === 0) findings.leave("receipts", this.#isAsked);
  }

  /** What has been told of one event: by itself, against the head, and against the log. */
  #weigh(seq, log, findings) {
    const [told, logged] = [this.#told.get(seq), this.#seen.get(seq)];
    const isHeaded = log.head !== null && log.head.match === this.#match && log.head.seq === seq;
    const statements = [...told.values(), ...(isHeaded ? [log.head] : [])];
    const pairs = statements.flatMap((one, at) => statements.slice(at + 1).map((other) => [one, other]));
    const apart = pairs.filter(([one, other]) => one.hash !== other.hash);
    const fail = (word, why, expected, found, at = "") =>
      findings.fail("receipts", word, seq, why, { seq, at }, expected, found);
    const contradict = (one, other, found) => {
      const lost = this.#excuse(one, other, seq);
      if (lost === null) fail("equivocation", "two-statements", one.hash, found);
      else fail("incomplete", "lost-in-restore", one.hash, found, lost.at);
    };
    if (apart.length > 0) {
      const [one, other] = apart.find(([one, other]) => this.#excuse(one, other, seq) === null) ?? apart[0];
      contradict(one, other, other.hash);
    } else if (logged === undefined && seq < log.last) {
      fail("incomplete", "receipt-of-nothing", statements[0].hash, null);
    } else if (logged !== undefined && !told.has(logged)) {
      const anchor = this.#anchor(log);
      if (anchor !== null && log.tied <= seq && seq < anchor.seq) contradict(statements[0], anchor, logged);
      else fail("tampered", "receipt-contradicts", statements[0].hash, logged);
    }
  }

  /** The last event of the log that somebody has signed: by the chain that speaks for those before it. */
  #anchor({ head, last, tip }) {
    if (head !== null && head.match === this.#match && head.seq === last && head.hash === tip) return head;
    const agreed = [...this.#seen].filter(([seq, hash]) => this.#told.get(seq).has(hash));
    const most = agreed.reduce((most, [seq]) => Math.max(most, seq), -1);
    return most < 0 ? null : this.#told.get(most).get(this.#seen.get(most));
  }
}

/** `{match, seq, hash, key}` that a trusted key of this origin has signed, or null: what nobody signed proves nothing. */
async function statementOf(item, origin, keys) {
  const inner = isObject(item) ? (item.receipt ?? item.head ?? item) : item;
  const isTold = isHead(inner);
  const told = isTold ? inner : await receiptOf(inner);
  if (told === null) return null;
  const message = (isTold ? headMessage : receiptMessage)(origin, told.match, told.seq, told.hash);
  if ((await signature(keys, origin, message, inner)) !== "good") return null;
  return { match: told.match, seq: told.seq, hash: told.hash, key: inner.key };
}

/** What a receipt tells of, or null for what is none. */
async function receiptOf(item) {
  if (!isObject(item) || !isText(item.event, LIMITS.line) || !isHex(item.hash, 32)) return null;
  if (!isHex(item.key, 8) || !isHex(item.sig, 64)) return null;
  const line = encoder.encode(item.event);
  try {
    const { document } = read(line);
    if (!isEvent(document) || (await leafHash(line)) !== item.hash) return null;
    return { match: document.match, seq: document.seq, hash: item.hash };
  } catch (failure) {
    if (failure instanceof Beyond) return null;
    throw failure;
  }
}

// A file: what is coming, looked for beforehand and believed only later

const MOST_KEPT = 1_000;

/** How a ruling begins, an opening of the secret, and how the event ends that tells it. */
const [KEYED, TOLD, DISCLOSED] = [
  '{"actor":{"key":"', '{"opening":{"index":0,"payload":{"/server_secret":"', '"type":"seed_disclosed","v":1}',
].map((text) => encoder.encode(text));

const TAKE_BACK = '"ruling":{"kind":"take_back","to":';

/**
 * `{secret, goals}`: the promised secret, if the file tells it, with which every shuffle can be made again as it comes;
 * and the events that the first thousand take-backs go back to, so that no other position need be kept.
 */
async function foreseen(bytes) {
  const lines = new Lines(bytes);
  lines.take();
  const promise = promiseOf(dataIn(lines.next));
  const goals = [];
  for (let line = lines.take(); line !== null && line.size <= LIMITS.line; line = lines.take()) {
    if (begins(line, KEYED)) {
      if (goals.length < MOST_KEPT) goals.push(...goalIn(textOf(line)));
    } else if (begins(line, TOLD) || ends(line, DISCLOSED)) {
      const secret = /server_secret":"([0-9a-f]{128})"/.exec(textOf(line))?.[1] ?? null;
      if (secret !== null && (await isKept(promise, secret))) return { secret, goals: new Set(goals) };
    }
  }
  return { secret: null, goals: new Set(goals) };
}

function ends(line, text) {
  const body = line.body();
  return line.isWhole && text.every((byte, at) => body[body.length - text.length + at] === byte);
}

function textOf(line) {
  return new TextDecoder().decode(line.body());
}

/** What the first event says, if the line is one. */
function dataIn(line) {
  if (line === null || line.size > LIMITS.line) return null;
  try {
    return JSON.parse(textOf(line))?.data;
  } catch {
    return null; // the line will be read again, and then it is said that it is none
  }
}

/** The event that a take-back goes back to. */
function goalIn(text) {
  const told = /^(\d{1,10})\}\},.*,"seq":\d{1,10},"type":"ruling_made","v":1\}$/s;
  const at = text.lastIndexOf(TAKE_BACK);
  const found = at < 0 ? null : told.exec(text.slice(at + TAKE_BACK.length));
  return found === null ? [] : [Number(found[1])];
}

/** What the service promises in the first event about its secret; null where that is no promise. */
function promiseOf(data) {
  if (!isObject(data)) return null;
  const { game, version, deal_id: dealId, seed_commitment: commit } = data;
  const isPromise = matches(SLUG, game) && isWhole(version, 1, 2 ** 31) && matches(UUID, dealId) && isHex(commit, 32);
  return isPromise ? { game, version, dealId, commit } : null;
}

async function isKept(promise, secret) {
  if (promise === null) return false;
  return (await commitment(promise.dealId, promise.game, promise.version, secret)) === promise.commit;
}

// Whose chance it is: what a match is set up with, and what others add to the secret of the service

/** Something that cannot be so, whatever the rules of play: the check that it fails and why. */
class Parting extends Error {
  constructor(check, why, facts = {}, expected = null, found = null) {
    super(why);
    Object.assign(this, { check, why, facts, expected, found });
  }
}

const WORD_OF = { positions: "tampered", commitment: "deal_divergence", shuffles: "deal_divergence" };

const SETUP = [
  "game", "version", "rules_digest", "seats", "options", "first", "randomness", "disclosure", "visibility", "if_match",
  "deal_id", "seed_commitment", "names", "metadata", "tags",
];
const OPTIONAL = ["from", "withheld_until", "clock"];

/** By member of `match_created`, in the order in which they are looked at: whether that can stand there. */
const SET_UP = {
  disclosure: ({ disclosure }) => ["public_on_close", "auditors_only"].includes(disclosure),
  visibility: ({ visibility }) => ["private", "public"].includes(visibility),
  if_match: ({ if_match: match }) => ["optional", "required"].includes(match),
  seed_commitment: (data) => promiseOf(data) !== null,
  from: (data) => !Object.hasOwn(data, "from") || isSource(data.from),
  randomness: ({ from, randomness }) =>
    isObject(randomness) && POLICIES.get(randomness.policy)?.(randomness) === true &&
    (from === undefined || randomness.policy === "server"),
  withheld_until: ({ withheld_until: until = "group" }) => until === "group" || matches(TIME, until),
  seats: ({ game, seats }) => isWhole(seats, ...GAMES[game].seats),
  first: ({ seats, first }) => isWhole(first, 0, seats - 1),
  clock: (data) => !Object.hasOwn(data, "clock") || isControl(data.clock, GAMES[data.game]),
  options: ({ game, seats, options }) => isObject(options) && GAMES[game].accepts(options, seats),
  names: ({ names, seats }) => names === null || (hasExactly(names, "count") && names.count === seats),
  metadata: ({ metadata }) => metadata === null,
  tags: ({ tags }) => hasExactly(tags, "count") && isAnyWhole(tags.count),
};

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

/** The member of a setup that cannot be right, or null. A fork has deals of its own, which no group shares. */
function faultOfSetup(data, match) {
  const wrong = Object.keys(SET_UP).find((name) => !SET_UP[name](data));
  if (wrong !== undefined || data.from === undefined) return wrong ?? null;
  if (data.withheld_until === "group") return "withheld_until";
  return data.from.match === match ? "from" : null;
}

function isSource(from) {
  if (!hasExactly(from, "match", "seq", "hash")) return false;
  return matches(UUID, from.match) && isWhole(from.seq, 1, Number.MAX_SAFE_INTEGER) && isHex(from.hash, 32);
}

const EXPIRIES = ["referee", "forfeit", "default", "pass"];
const LONGEST = 366 * 86_400_000;

/** How the time of a match is kept. */
function isControl(clock, { passes }) {
  if (!hasExactly(clock, "move_ms", "bank_ms", "increment_ms", "on_expiry")) return false;
  const { move_ms: move, bank_ms: bank, increment_ms: increment, on_expiry: then } = clock;
  const isTimed = [move, bank ?? 0, increment].every((ms) => isWhole(ms, 0, LONGEST)) && move + (bank ?? 0) > 0;
  return isTimed && (bank !== null || increment === 0) && EXPIRIES.includes(then) && (then !== "pass" || passes === true);
}

/** Whether an opening of the first event tells what is kept apart there so that it can be erased, and nothing else. */
function isPersonal(payload, seats) {
  if (!hasExactly(payload, "/names", "/metadata", "/tags")) return false;
  const { "/names": names, "/metadata": metadata, "/tags": tags } = payload;
  return (names === null || areTexts(names, seats)) && isObject(metadata) && areTexts(tags);
}

/** That nobody else acts than has to. */
function mustAct(actor, expected) {
  if (canonical(actor) !== canonical(expected)) throw new Parting("moves", "wrong-actor", {}, expected, actor);
}

/** What the entropies of others add to the secret, and whether they came in the order that binds them. */
class Seeding {
  constructor(setup) {
    this.setup = setup;
    this.policy = setup.randomness;
    this.commits = Array(setup.seats).fill(null);
    this.entropies = Array(setup.seats).fill("");
    this.shared = "";
    this.isClosed = false;
  }

  wrong(why, facts = {}, expected = null, found = null) {
    return new Parting("commitment", why, facts, expected, found);
  }

  get isComplete() {
    if (this.policy.policy === "server") return true;
    return this.policy.policy === "players" ? this.owing.length === 0 : this.shared !== "";
  }

  /** The seats that owe entropy. */
  get owing() {
    if (this.policy.policy !== "players") return [];
    return this.entropies.flatMap((entropy, seat) => (entropy === "" ? [seat] : []));
  }

  async take({ type, actor }, data) {
    const isOfSeat = type === "entropy_committed" || this.policy.policy === "players";
    const name = type === "entropy_committed" ? "commit" : "entropy";
    const isShaped = hasExactly(data, name) && (isOfSeat ? isHex(data[name], 32) : isHex(data[name], 16, 64));
    if (!isShaped) throw new Parting("moves", "entropy-shape");
    if (isOfSeat && !isWhole(actor.seat, 0, this.commits.length - 1)) throw new Parting("moves", "entropy-of-nobody");
    if (!isOfSeat) this.share(data.entropy);
    else if (name === "commit") this.commit(actor.seat, data.commit);
    else await this.reveal(actor.seat, data.entropy);
    const by = isOfSeat ? "seat" : this.policy.policy === "director" ? "director" : "operator";
    mustAct(actor, { role: by, ...(isOfSeat ? { seat: actor.seat } : {}) });
  }

  commit(seat, commit) {
    this.mustBeAsked(this.policy.policy === "players");
    if (this.commits[seat] !== null) throw this.wrong("committed-twice", { seat });
    this.commits[seat] = commit;
  }

  async reveal(seat, entropy) {
    this.mustBeAsked(true);
    if (this.entropies[seat] !== "") throw this.wrong("revealed-twice", { seat });
    if (this.commits.includes(null)) throw this.wrong("revealed-early", { seat });
    const found = await playerCommitment(this.setup.deal_id, seat, entropy);
    if (found !== this.commits[seat]) throw this.wrong("other-entropy", { seat }, this.commits[seat], found);
    this.entropies[seat] = entropy;
  }

  share(entropy) {
    this.mustBeAsked(["director", "external"].includes(this.policy.policy));
    if (this.shared !== "") throw this.wrong("entropy-complete");
    this.shared = entropy;
  }

  mustBeAsked(isAsked) {
    if (!isAsked) throw this.wrong("entropy-not-asked");
    if (this.isClosed) throw this.wrong("entropy-complete");
  }

  /** Whether the deal may be made now: all have contributed, or the policy does without and the time was over. */
  deal({ at }, data, created) {
    const { owing } = this;
    if (!this.isComplete) {
      if (owing.length === 0 || this.policy.missing !== "empty") throw this.wrong("dealt-early", {}, owing);
      this.mustBeOver(at, created);
    }
    const told = Object.hasOwn(data, "missing") ? data.missing : [];
    if (canonical(told) !== canonical(owing)) throw this.wrong("missing-wrong", {}, owing);
    if (owing.length === 0 && Object.hasOwn(data, "missing")) throw this.wrong("missing-wrong"); // then it is left out
    this.isClosed = true;
  }

  /** Whether the match may be given up for want of entropy: seats owe it after their time, and the policy says so. */
  void({ at }, created) {
    const isOwed = !this.isClosed && this.owing.length > 0 && this.policy.missing === "void";
    if (!isOwed) throw this.wrong("void-by-no-policy");
    this.mustBeOver(at, created);
  }

  /** The seats have had the time that they were promised. */
  mustBeOver(at, created) {
    const until = instant(created) + 1000 * this.policy.within;
    if (instant(at) < until) throw this.wrong("closed-early", {}, written(until), at);
  }

  root(secret) {
    const { deal_id: dealId, game, version } = this.setup;
    return seed(dealId, game, version, secret, this.entropies, this.shared);
  }

  branch(secret, { match, seq }) {
    const { deal_id: dealId, game, version } = this.setup;
    return branchSeed(dealId, game, version, secret, this.entropies, this.shared, match, seq);
  }
}

function knownValues(beacons, language) {
  const isKnown = isObject(beacons) && Array.isArray(beacons.beacons);
  if (!isKnown) throw new Unusable(sentence("not-beacons", {}, language));
  return beacons.beacons.filter(isObject);
}

// The course of a match: its times, one event after the other

/** Times never run backwards, and what is written together has one time; all of it follows from two neighbouring events. */
class Timeline {
  #at = "";
  #type = "";
  #then = null; // what the event before, if somebody's time was up, did about it
  #until = "group"; // what the secret is withheld until

  begin(data) {
    this.#until = data.withheld_until ?? null;
  }

  /** What is wrong with the time of the next event, or null. */
  flawOf(document) {
    const { at, type, data } = document;
    const [before, isEnd] = [this.#at, this.#isToldAtOnce()];
    const isTogether = before !== "" && this.#isTogether(document, isEnd);
    [this.#at, this.#type, this.#then] = [at, type, data.then ?? null];
    if (at < before) return new Parting("moves", "runs-back", {}, before, at);
    if (isEnd && type !== "seed_disclosed") return new Parting("moves", "type-not-due", { type }, "seed_disclosed", type);
    return isTogether && at !== before ? new Parting("moves", "other-time", { type }, before, at) : null;
  }

  /** Whether the event before is an end at which nothing withholds the secret. */
  #isToldAtOnce() {
    if (this.#type !== "match_finished" && this.#type !== "match_voided") return false;
    return this.#until === null || (matches(TIME, this.#until) && this.#until <= this.#at);
  }

  /** Whether an event is written down together with the one before it. */
  #isTogether({ type, data }, isEnd) {
    if (type === "dealt") return !Object.hasOwn(data, "missing");
    if (type === "match_voided") return data.reason === "ruling";
    if (type === "seed_disclosed") return isEnd;
    if (type === "clock_expired") return this.#type === type && this.#isClaimed(data.deadlines);
    return ["match_finished", "match_paused", "match_resumed"].includes(type);
  }

  /** Whether one of these deadlines had passed when the expiry before was claimed, which made a move: all are claimed at once. */
  #isClaimed(deadlines) {
    const isMove = this.#then === "default" || this.#then === "pass";
    return isMove && Array.isArray(deadlines) && deadlines.some((last) => matches(TIME, last) && last < this.#at);
  }
}

// The course of a match: what follows what, and who acts

/** Where the match stands, event by event; what cannot stand there is said, and then it is followed no further. */
class Course {
  stage = "new"; // new, seeding, dealing, playing, paused, due (what an event leads to at once), over, void, closed
  setup = null;
  seeding = null;
  table = null;
  clock = null;
  created = null; // when the match was set up
  endedAt = null; // when it was over, or void
  dealtAt = null; // the event that dealt
  isPaused = false;
  isFork = false;
  isBlind = false; // whether cards are hidden without which the table and the clock cannot be followed
  due = null; // {type, then, flawOf}
  isClaimed = false; // others have lost their time as well, and have it said at once
  stopped = null;
  #kept = new Map(); // where the match stood after the events that rulings go back to
  #line = [{ from: 0, to: Infinity }]; // the events in force, as stretches in their order
  #promise = null;
  #isKept = false;
  #isSettled = false;
  #wasServer = true;
  #until = null; // when the secret may be told, where that is a time
  #timeline = new Timeline();
  #values;
  #goals;

  constructor({ secret, goals }, values, findings) {
    this.secret = secret;
    this.findings = findings;
    this.#goals = goals;
    this.#values = values;
  }

  /** From here on cards and course are not followed: something is missing, or has parted. */
  stop(why, facts = {}) {
    this.stopped ??= { why, facts };
  }

  /** One more event. Its time, and that the promised secret is told, is judged whether or not the course is followed. */
  async hear(event) {
    const { document, data } = event;
    if (document.type === "match_created" && document.seq === 0) this.#promised(document);
    if (document.type === "seed_disclosed") await this.#weighSecret(document, data);
    if (document.type === "ruling_made") this.#list(document);
    try {
      if (this.stopped === null) await this.#take(event);
      const isFollowed = this.stopped === null;
      if (isFollowed && this.#isPositionDue(document) !== (document.position !== null)) {
        throw new Parting("positions", "position-not-due");
      }
    } catch (parting) {
      this.#part(document, parting);
    }
    const flaw = this.#timeline.flawOf(document);
    if (flaw !== null) this.#part(document, flaw);
  }

  #part({ seq }, parting) {
    if (!(parting instanceof Parting)) throw parting;
    const { check, why, facts, expected, found } = parting;
    this.findings.fail(check, WORD_OF[check] ?? "rules_divergence", seq, why, facts, expected, found);
    this.stop("parted");
  }

  /** A position is committed to at the deal, at every 16th event after it, and at an end after it. */
  #isPositionDue({ type, seq }) {
    if (type === "dealt") return true;
    if (this.dealtAt === null) return false;
    return type === "match_finished" || type === "match_voided" || seq % 16 === 0;
  }

  async #take(event) {
    const { document } = event;
    const { type, seq } = document;
    if (this.setup !== null) this.#mustBeForSeats(document);
    const taken = TAKEN.get(type);
    const isAwaited = !this.isClaimed || type === "clock_expired";
    if (this.stage === "due") this.#follow(event);
    else if (taken === undefined || !isAwaited || !taken.after.includes(this.stage)) {
      throw new Parting("moves", "type-not-due", { type }, null, type);
    } else await taken.take(this, event);
    if (this.#goals.has(seq) && this.table !== null && this.#kept.size < MOST_KEPT) this.#kept.set(seq, this.#standing());
  }

  /** Whoever may read what is hidden sits at the table; seats stand there by number. */
  #mustBeForSeats({ secret, type }) {
    const isRight = secret.every(({ for: seats }) => seats === "all" || isSeats(seats, this.setup.seats, 0));
    if (!isRight || (NOTHING_HIDDEN.includes(type) && secret.length > 0)) throw new Parting("moves", "event-wrong", { type });
  }

  #standing() {
    return { table: this.table.copy(), credited: this.clock && [...this.clock.credited] };
  }

  /** What has to follow in the same breath; `flawOf` tells which check what it holds fails, or null. */
  lead(type, then, flawOf) {
    this.due = { type, then, flawOf };
    this.stage = "due";
  }

  #follow({ document: { type, actor, at }, data }) {
    const { due } = this;
    if (type !== due.type) throw new Parting("moves", "type-not-due", { type }, due.type, type);
    mustAct(actor, { role: "service" });
    const check = due.flawOf(data);
    if (check !== null) throw new Parting(check, "not-what-was-ruled", { type });
    if (["over", "void"].includes(due.then)) this.finish(at, due.then);
    else this.pause(at, due.then);
  }

  finish(at, stage) {
    this.stage = stage;
    this.isPaused = false;
    this.endedAt = at;
    this.clock?.stop(at);
    if (stage === "void") this.#settle();
  }

  pause(at, stage) {
    this.stage = stage;
    this.isPaused = stage === "paused";
    if (this.isPaused) this.clock?.pause(at);
    else this.clock?.resume(at);
  }

  // The promise

  /** Of a group the deals have an id of their own; deals of another match may have been seen before. */
  #promised({ match, data }) {
    this.#promise = promiseOf(data);
    this.#wasServer = isObject(data.randomness) && canonical(data.randomness) === '{"policy":"server"}';
    this.#until = matches(TIME, data.withheld_until) ? data.withheld_until : null;
    this.#timeline.begin(data);
    if (this.#promise !== null && data.deal_id !== match && data.withheld_until !== "group") {
      this.findings.fail("commitment", "deal_divergence", 0, "other-deals", {}, match, data.deal_id);
    }
  }

  /** Whether the secret is the promised one, and not told before its time. When a group is over its members do not say. */
  async #weighSecret({ seq, at, secret }, { server_secret: told = null }) {
    const [promise, until] = [this.#promise, this.#until];
    const fail = (why, ...rest) => this.findings.fail("commitment", "deal_divergence", seq, why, {}, ...rest);
    if (promise === null) this.findings.leave("commitment", "no-setup");
    else if (told === null && secret.length > 0) this.findings.leave("commitment", "not-disclosed");
    else if (isHex(told, 64) && (await isKept(promise, told))) this.#isKept = true;
    else fail("other-secret", promise.commit);
    if (until !== null && at < until) fail("told-early", until, at);
  }

  /** Of the contributions all have been heard, and each is as it should be. */
  #settle() {
    this.#isSettled = true;
    if (this.seeding !== null) this.seeding.isClosed = true;
  }

  /** A beacon's value is held against the values that the reader knows of. */
  #weighValue(seq) {
    const { beacon, reference } = this.seeding.policy;
    const known = this.#values?.find((value) => value.beacon === beacon && value.reference === reference)?.value;
    const facts = { beacon, reference };
    if (known === undefined) this.findings.leave("commitment", "no-beacon", facts);
    else if (known !== this.seeding.shared) {
      this.findings.fail("commitment", "deal_divergence", seq, "other-value", facts, known, this.seeding.shared);
    }
  }

  // Before the first move

  create({ document, openings }) {
    const { data, match, actor, at, secret, position } = document;
    const members = Object.keys(data).filter((name) => !OPTIONAL.includes(name));
    if (!hasExactly(Object.fromEntries(members.map((name) => [name, 0])), ...SETUP)) throw new Parting("moves", "not-a-setup");
    if (!isKnown(data)) {
      this.findings.part("moves", "rules_unknown", 0);
      return this.stop("rules-unknown");
    }
    const wrong = faultOfSetup(data, match);
    if (wrong !== null) throw new Parting("moves", "setup-wrong", { name: wrong }, null, data[wrong] ?? null);
    mustAct(actor, { role: "operator" });
    const isApart = secret.length === 1 && secret[0].for === "all"; // names, so that they can go
    const isSaid = !openings.has(0) || isPersonal(openings.get(0), data.seats);
    if (!isApart || !isSaid || position !== null) throw new Parting("moves", "not-a-setup");
    this.setup = { ...data, isPublic: data.disclosure === "public_on_close" };
    this.seeding = new Seeding(data);
    this.created = at;
    this.#await();
    return undefined;
  }

  #await() {
    this.stage = this.seeding.isComplete ? "dealing" : "seeding";
    if (this.stage === "dealing") this.#settle();
  }

  async contribute({ document, data }) {
    await this.seeding.take(document, data);
    if (this.seeding.isComplete && this.seeding.policy.policy === "external") this.#weighValue(document.seq);
    this.#await();
  }

  /** The first hands, or the position that a fork begins with. */
  async begin(event) {
    const { document, data } = event;
    const forked = Object.hasOwn(this.setup, "from") ? ["position"] : [];
    this.seeding.deal(document, data, this.created);
    this.#settle();
    const { missing: _missing, ...rest } = data;
    mustAct(document.actor, { role: "service" });
    const isUntold = forked.length === 0 && this.secret === null && event.isOpen && !isOfTypes(rest.events, "hands_dealt");
    if (isUntold) throw new Parting("shuffles", "not-a-deal");
    if (!hasExactly(rest, "events", ...forked)) throw new Parting("moves", "not-a-deal");
    const root = this.secret === null ? null : await this.seeding.root(this.secret);
    this.table = new Table(this.setup, root);
    this.dealtAt = document.seq;
    this.stage = "playing";
    this.isFork = forked.length > 0;
    await this.#see(() => this.#lay(event));
  }

  async #lay({ document, data, openings, isOpen }) {
    const { events, position } = data;
    if (this.isFork) this.table.begin(position, isOpen);
    if (!isOpen && this.secret === null) throw new Unseen();
    if (!isOfTypes(events, ...(this.isFork ? [] : ["hands_dealt"]))) throw new Parting("shuffles", "not-a-deal");
    await this.table.followAll(events, document.seq, isOpen);
    if (!this.isFork) mustBeHidden(this.setup, { document, openings });
    if (!Object.hasOwn(this.setup, "clock")) return;
    this.clock = new Clock(this.setup, document.at, together(this.setup, events, position));
  }

  /** An end without a result that no ruling has brought about. */
  void({ document, data }) {
    const { reason, missing } = data;
    const owing = this.seeding.isClosed ? [] : this.seeding.owing;
    const byWhom = new Map([["cancelled", "operator"], ["entropy-missing", "service"]]).get(reason);
    if (byWhom === undefined) throw new Parting("moves", "not-a-voiding");
    if (reason !== "cancelled") this.seeding.void(document, this.created);
    if (canonical(missing ?? null) !== canonical(owing)) throw this.seeding.wrong("missing-wrong", {}, owing);
    if (!hasExactly(data, "reason", "missing")) throw new Parting("moves", "not-a-voiding");
    mustAct(document.actor, { role: byWhom });
    this.finish(document.at, "void");
  }

  // Play, and the end

  /** The move of a seat, or one that is made for it; the last one leads to the result. */
  async play(event) {
    const { document, data: { move, events }, isOpen } = event;
    if (!isObject(move) || !isWhole(move.seat, 0, this.setup.seats - 1)) throw new Parting("moves", "not-a-move");
    if (!Array.isArray(events) || !events.every(isObject)) throw new Parting("moves", "event-wrong", { type: null });
    await this.#see(async () => {
      if (move[hiddenMember(this.setup, move)] === null) throw new Unseen();
      await this.table.followAll(events, document.seq, isOpen);
      if (document.type !== "ruling_made") mustBeHidden(this.setup, event);
      this.clock?.move(move.seat, document.at, isChoice(this.setup, events, move.seat), together(this.setup, events));
    });
    const { type, ...outcome } = events.at(-1) ?? {};
    if (type === "game_finished") this.lead("match_finished", "over", unless("result", { outcome }));
  }

  /** Cards and time are followed until cards are needed that this reader may not know; the course goes on without. */
  async #see(follow) {
    if (this.isBlind) return;
    try {
      await follow();
    } catch (failure) {
      if (!(failure instanceof Unseen)) throw failure;
      this.isBlind = true;
      this.table = null;
      this.clock = null;
    }
  }

  /** Whether the secret is still kept back after the end, so that it can be ruled on. */
  get isWithheld() {
    const until = this.setup.withheld_until ?? null;
    return until === "group" || (until !== null && until > this.endedAt);
  }

  /** The secret closes the log; at once, or not before the time that the first event names. */
  disclose({ document, data }) {
    const { actor, secret } = document;
    const isForAuditors = secret.length === 1 && isSeats(secret[0].for, 0, 0) && document.data.server_secret === null;
    const isTold = this.setup.isPublic ? secret.length === 0 : isForAuditors;
    mustAct(actor, { role: "service" });
    if (!isTold || !hasExactly(data, "server_secret")) throw new Parting("moves", "not-an-end");
    this.stage = "closed";
  }

  /** The match goes on from a position before; what has been shuffled since is shuffled anew. */
  async takeBack({ document, data }) {
    const { to } = data.ruling;
    const isThere = this.dealtAt !== null && to >= this.dealtAt && to < document.seq - 1 && this.#isInForce(to);
    if (!isThere) throw new Parting("moves", "not-on-the-line", { to });
    if (!this.isBlind && !this.#kept.has(to)) return this.stop("too-many-positions");
    if (!this.isBlind) await this.#restore(document, data, this.#kept.get(to));
    this.#goBack(to, document.seq);
    this.stage = this.isPaused ? "paused" : "playing";
    return undefined;
  }

  async #restore(document, { ruling: { to }, position, banks_ms: banks, credited_ms: credited }, kept) {
    const before = this.table;
    const isUnmoved = kept.table.since === before.since && !["over", "void"].includes(this.stage);
    if (kept.table.isOver || isUnmoved) throw new Parting("moves", "not-on-the-line", { to });
    kept.table.agrees(position);
    this.table = kept.table.copy();
    this.table.unseen ||= before.unseen;
    this.table.root = before.root;
    if (before.shuffles !== kept.table.shuffles && this.secret !== null) {
      this.table.root = await this.seeding.branch(this.secret, document);
    }
    this.clock?.takeBack(document.at, kept.credited, { banks, credited }, together(this.setup, [], position));
  }

  /** Whether no take-back has taken an event back. */
  #isInForce(seq) {
    let [least, most] = [0, this.#line.length - 1];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (this.#line[middle].from <= seq) least = middle;
      else most = middle - 1;
    }
    return seq <= this.#line[least].to;
  }

  #goBack(to, seq) {
    while (this.#line.at(-1).from > to) this.#line.pop();
    this.#line.at(-1).to = to;
    this.#line.push({ from: seq, to: Infinity });
  }

  #list({ seq, data: { ruling, rule = null } }) {
    const isListed = isObject(ruling) && isKind(ruling.kind) && (rule === null || isText(rule, LONGEST_RULE));
    if (!isListed || this.findings.rulings.length >= MOST_LISTED) return;
    const overrides = RULINGS.get(ruling.kind).overrides === true;
    this.findings.rulings.push({ seq, kind: ruling.kind, rule, overrides });
  }

  /** The log ends here; what could not be checked of it is said. */
  end() {
    const { findings, stopped, table } = this;
    if (!this.#isKept) findings.leave("commitment", this.#promise === null ? "no-setup" : "not-disclosed");
    if (!this.#wasServer && !this.#isSettled) findings.leave("commitment", stopped?.why ?? "not-dealt", stopped?.facts);
    if (stopped !== null) findings.leave("shuffles", stopped.why, stopped.facts);
    else if (findings.hasFailed("commitment")) findings.leave("shuffles", "no-seed");
    else if (this.isFork) findings.leave("shuffles", "from-another-match");
    else if (this.secret === null) findings.leave("shuffles", "not-disclosed");
    else if (this.isBlind) findings.leave("shuffles", "cards-hidden");
    else if (table === null || table.shuffles === 0) findings.leave("shuffles", "nothing-dealt");
    else if (table.unseen) findings.leave("shuffles", "piles-hidden");
    for (const check of ["moves", "scores", "result"]) findings.leave(check, "no-rules");
    findings.leave("positions", "no-positions");
  }
}

/** Whether these are events of the table of just these types. */
function isOfTypes(events, ...types) {
  return Array.isArray(events) && canonical(events.map((event) => event?.type ?? null)) === canonical(types);
}

/** By type of event: at which stages it can come, and what it leads to. What rulings and clocks lead to comes as `due`. */
const TAKEN = new Map(Object.entries({
  match_created: { after: ["new"], take: (course, event) => course.create(event) },
  entropy_committed: {
    after: ["seeding", "dealing", "playing", "paused"],
    take: (course, event) => course.contribute(event),
  },
  entropy_revealed: {
    after: ["seeding", "dealing", "playing", "paused"],
    take: (course, event) => course.contribute(event),
  },
  dealt: { after: ["seeding", "dealing"], take: (course, event) => course.begin(event) },
  move_played: { after: ["playing"], take: (course, event) => moved(course, event) },
  choice_made: { after: ["playing"], take: (course, event) => moved(course, event) },
  ruling_made: {
    after: ["seeding", "playing", "paused", "over", "void"],
    take: (course, event) => ruled(course, event),
  },
  clock_expired: { after: ["playing"], take: (course, event) => expired(course, event) },
  match_voided: { after: ["seeding", "playing", "paused"], take: (course, event) => course.void(event) },
  seed_disclosed: { after: ["over", "void"], take: (course, event) => course.disclose(event) },
}));

const NOTHING_HIDDEN = [
  "entropy_committed", "entropy_revealed", "match_paused", "match_resumed", "match_finished", "match_voided",
];

/** A move, or a choice that all make together, is made by its seat, or by an operator for it. */
async function moved(course, event) {
  const { document: { actor, type }, data } = event;
  if (!hasExactly(data, "move", "events") || !isObject(data.move)) throw new Parting("moves", "not-a-move");
  mustAct(actor, { role: actor.role === "operator" ? "operator" : "seat", seat: data.move.seat ?? null });
  await course.play(event);
  const isTogether = isChoice(course.setup, data.events, actor.seat);
  if (!course.isBlind && isTogether !== (type === "choice_made")) throw new Parting("moves", "not-a-move");
}

// Rulings: what the log itself says of them, whatever the rules of play

const MOST_LISTED = 10_000;
const LONGEST_RULE = 64;
const LONGEST_WORDS = 1_000;

/** The check that an event fails unless it holds just that. */
function unless(check, expected) {
  return (data) => (canonical(data) === canonical(expected) ? null : check);
}

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
      Array.isArray(result.scores) && isScores(result.scores, seats) && isSeats(result.winners, seats, 0) &&
      isSeats(result.forfeited, seats, 0);
    const isTold = isShaped && Object.entries({ by, ...told }).every(([name, is]) => canonical(result[name]) === canonical(is));
    return isTold ? null : "result";
  });
}

function isScores(value, seats) {
  return value === null || (Array.isArray(value) && value.length === seats && value.every(Number.isSafeInteger));
}

const RUNNING = ["playing", "paused"];

/** By kind: whether it overrides the rules, its members, those of the data, at which stages it may be, what it does. */
const RULINGS = new Map(Object.entries({
  take_back: {
    overrides: true,
    members: ["to"],
    data: ["position"],
    banks: ["banks_ms", "credited_ms"],
    after: [...RUNNING, "over", "void"],
    fits: ({ to }) => isAnyWhole(to),
    take: (course, event) => course.takeBack(event),
  },
  play: { members: [], data: ["move", "events"], after: RUNNING, take: (course, event) => course.play(event) },
  accept: {
    overrides: true,
    members: [],
    data: ["move", "events"],
    after: RUNNING,
    take: (course, event) => course.play(event),
  },
  points: {
    overrides: true,
    members: ["seat", "points"],
    after: [...RUNNING, "over"],
    fits: ({ seat, points }, seats) => isSeats([seat], seats) && points !== 0 && isWhole(points, -1_000_000, 1_000_000),
  },
  time: {
    members: ["seat", "add_ms"],
    banks: ["banks_ms"],
    after: RUNNING,
    fits: ({ seat, add_ms: ms }, seats) => isSeats([seat], seats) && ms !== 0 && isWhole(ms, -LONGEST, LONGEST),
    take(course, { data: { ruling, banks_ms: banks } }) {
      if (!Object.hasOwn(course.setup, "clock")) throw new Parting("moves", "no-clock");
      course.clock?.give(ruling.seat, ruling.add_ms, banks);
    },
  },
  forfeit: {
    overrides: true,
    members: ["seats"],
    after: RUNNING,
    fits: (ruling, seats) => isSeats(ruling.seats, seats),
    take: (course, { data: { ruling } }) => endsBy(course, "forfeit", { forfeited: ruling.seats }),
  },
  substitute: {
    members: ["seat", "name"],
    after: ["seeding", ...RUNNING],
    fits: ({ seat }, seats) => isSeats([seat], seats),
  },
  void: {
    overrides: true,
    members: [],
    after: ["seeding", ...RUNNING, "over"],
    take(course) {
      const missing = course.seeding.isClosed ? [] : course.seeding.owing;
      course.lead("match_voided", "void", (data) => {
        const isOwed = canonical(data.missing ?? null) === canonical(missing);
        return isOwed ? unless("moves", { reason: "ruling", missing })(data) : "commitment";
      });
    },
  },
  result: {
    overrides: true,
    members: ["winners", "scores"],
    after: [...RUNNING, "over"],
    fits: ({ winners, scores }, seats) => isSeats(winners, seats, 0) && isScores(scores, seats),
    take(course, { data: { ruling: { winners, scores } } }) {
      const told = { winners, forfeited: [], ...(scores === null ? {} : { scores }) };
      if (course.stage !== "over") endsBy(course, "ruling", told);
    },
  },
  pause: {
    members: [],
    after: ["playing"],
    take: (course) => course.lead("match_paused", "paused", unless("moves", {})),
  },
  resume: {
    members: [],
    after: ["paused"],
    take: (course) => course.lead("match_resumed", "playing", unless("moves", {})),
  },
  note: { members: [], after: ["seeding", ...RUNNING, "over", "void"] },
}));

function isKind(kind) {
  return typeof kind === "string" && RULINGS.has(kind);
}

async function ruled(course, event) {
  const { document, data } = event;
  const { setup, stage } = course;
  const { ruling } = document.data;
  const kind = isObject(ruling) && isKind(ruling.kind) ? RULINGS.get(ruling.kind) : null;
  if (kind === null || !isRuling(document.data, data, kind, setup)) throw new Parting("moves", "not-a-ruling");
  const isReferee = ["referee", "operator"].includes(document.actor.role) && hasExactly(document.actor, "role", "key");
  if (!isReferee) throw new Parting("moves", "wrong-actor", {}, { role: "referee" }, document.actor);
  const isLate = ["over", "void"].includes(stage) && !course.isWithheld;
  if (isLate || !kind.after.includes(stage)) throw new Parting("moves", "ruling-not-due", { kind: ruling.kind });
  return kind.take?.(course, event);
}

/** Whether a ruling is whole: what was ruled and why, as it was `logged` and with what is opened, its words hidden there. */
function isRuling(logged, data, kind, { game, seats, clock = null }) {
  const { ruling, reason, rule } = logged;
  const { ruling: told, reason: said, rule: _rule, ...more } = data;
  const isShaped = hasExactly(ruling, "kind", ...kind.members) && (kind.fits?.(ruling, seats) ?? true);
  const isSaid = reason === null && isWords(said) && (rule === null || rulesOf(game).has(rule));
  const isNamed = !kind.members.includes("name") || (ruling.name === null && isWords(told.name));
  const banks = clock !== null && clock.bank_ms !== null ? (kind.banks ?? []) : [];
  const isBanked = banks.every((name) => isBanks(more[name], seats));
  return isShaped && isSaid && isNamed && hasExactly(more, ...(kind.data ?? []), ...banks) && isBanked;
}

/** What somebody has said, if it is opened. */
function isWords(text) {
  return text === null || (isText(text, LONGEST_WORDS) && text !== "" && !/[\x00-\x1f\x7f-\x9f]/.test(text));
}

function isBanks(told, seats) {
  return Array.isArray(told) && told.length === seats && told.every(isAnyWhole);
}

// Clocks: the time of the seats, reckoned from the times of the events alone

/**
 * Who is to act follows from the rules of play, which are not known here: it is whoever moves next, or loses time next.
 * Only where all choose together are those who have not yet chosen known to be to act.
 */
class Clock {
  banks; // what is left to each seat beside the free time of its decisions
  credited; // the increments that each seat has earned
  #control;
  #since = null; // since when the time of the decision runs; null while it stands still
  #used = 0; // what had been used of it before
  #given; // what a referee has given each seat for it, where there are no banks
  #together = null; // of those who choose together, the seats that have chosen; null where one seat acts
  #isPaused = false;
  #ended = null; // when the match ended

  constructor({ clock, seats }, at, together) {
    this.#control = clock;
    this.banks = Array(seats).fill(clock.bank_ms ?? 0);
    this.credited = Array(seats).fill(0);
    this.#begin(at, together);
  }

  /** A new decision, of which nothing has been used. */
  #begin(at, together) {
    this.#since = this.#isPaused ? null : instant(at);
    this.#used = 0;
    this.#given = this.banks.map(() => 0);
    this.#together = together;
  }

  #usedBy(seat, at) {
    if (this.#together?.has(seat)) return 0;
    return this.#used + (this.#since === null ? 0 : instant(at) - this.#since) - this.#given[seat];
  }

  /** What is left of a bank once the decision has been charged to it. */
  #charged(seat, at) {
    return Math.max(0, this.banks[seat] - Math.max(0, this.#usedBy(seat, at) - this.#control.move_ms));
  }

  /** A seat has moved, in time or late. The others choose on where all choose together; else a new decision begins. */
  move(seat, at, isChoice, together) {
    this.banks[seat] = this.#charged(seat, at) + this.#control.increment_ms;
    this.credited[seat] += this.#control.increment_ms;
    const isLast = this.#together === null || this.#together.size + 1 >= this.banks.length;
    if (isChoice && !isLast) this.#together.add(seat);
    else this.#begin(at, together);
  }

  pause(at) {
    this.#used += this.#since === null ? 0 : instant(at) - this.#since;
    this.#since = null;
    this.#isPaused = true;
  }

  resume(at) {
    this.#since = instant(at);
    this.#isPaused = false;
  }

  stop(at) {
    this.#ended ??= at;
    this.#isPaused = false;
  }

  /** A position is the position again: time used stays used, also that of the decision which is given up. */
  takeBack(at, credited, told, together) {
    const until = this.#ended ?? at; // time has stood still since the end
    const after = (seat, bank) => Math.max(0, bank - (this.credited[seat] - credited[seat]));
    if (this.#control.bank_ms !== null) {
      const sums = this.banks.map((bank, seat) => {
        return { free: after(seat, bank), charged: after(seat, this.#charged(seat, until)) };
      });
      this.#mustBeBanks(told, sums, credited);
      this.banks = [...told.banks];
    }
    this.credited = [...credited];
    this.#ended = null;
    this.#begin(at, together);
  }

  /** Whoever was to act has been charged: one seat, or those who had not yet chosen. */
  #mustBeBanks({ banks, credited: told }, sums, credited) {
    const isCharged = (seat) => this.#together !== null && !this.#together.has(seat);
    const expected = sums.map(({ free, charged }, seat) => (isCharged(seat) ? charged : free));
    const others = banks.flatMap((bank, seat) => (bank === expected[seat] ? [] : [seat]));
    const isOne = this.#together === null && others.length === 1 && banks[others[0]] === sums[others[0]].charged;
    const isRight = (others.length === 0 || isOne) && canonical(told) === canonical(credited);
    if (!isRight) throw new Parting("moves", "other-banks", {}, expected, banks);
  }

  /** A referee gives a seat time, or takes it. */
  give(seat, ms, told) {
    if (this.#control.bank_ms === null) {
      this.#given[seat] += ms;
      return;
    }
    const after = this.banks.map((bank, other) => (other === seat ? Math.max(0, bank + ms) : bank));
    const isChanged = after[seat] !== this.banks[seat];
    if (!isChanged || canonical(told) !== canonical(after)) throw new Parting("moves", "other-banks", {}, after, told);
    this.banks = after;
  }

  /** The last moment at which a seat that is to act is in time; null where no time runs. */
  deadline(seat) {
    if (this.#since === null || this.#together?.has(seat)) return null;
    const free = this.#control.move_ms + this.banks[seat] + this.#given[seat] - this.#used;
    return written(this.#since + free);
  }

  /** Of those who are known to be to act, the seats whose time was up; null where that is not known. */
  expired(at) {
    if (this.#together === null) return null;
    return this.banks.flatMap((_bank, seat) => ((this.deadline(seat) ?? at) < at ? [seat] : []));
  }
}

/** Somebody's time was up; what that leads to was said when the match was set up. */
async function expired(course, event) {
  const { document, data } = event;
  const { setup } = course;
  const { seats, deadlines, then, ...more } = data;
  if (!Object.hasOwn(setup, "clock")) throw new Parting("moves", "no-clock");
  const isMoved = then === "default" || then === "pass";
  const agreed = setup.clock.on_expiry;
  const isDue = then === agreed || (then === "default" && agreed === "pass");
  const isTimed =
    isSeats(seats, setup.seats) && Array.isArray(deadlines) && deadlines.length === seats.length &&
    deadlines.every((deadline) => matches(TIME, deadline));
  const isShaped = isDue && isTimed && hasExactly(more, ...(isMoved ? ["move", "events"] : []));
  if (!isShaped) throw new Parting("moves", "not-an-expiry");
  mustAct(document.actor, { role: "service" });
  mustBeLate(course, document, seats, deadlines, isMoved);
  if (then === "referee") return course.lead("match_paused", "paused", unless("moves", {}));
  if (then === "forfeit") return endsBy(course, "clock", { forfeited: seats });
  if (data.move?.seat !== seats[0]) throw new Parting("moves", "not-an-expiry");
  await course.play(event);
  course.isClaimed = (course.clock?.expired(document.at) ?? []).length > 0;
  return undefined;
}

/** Whose time was up, since when; of several for whom a move is made each has an event of its own, at one time. */
function mustBeLate({ clock }, { at }, seats, deadlines, isMoved) {
  const early = deadlines.find((deadline) => at <= deadline);
  if (early !== undefined) throw new Parting("moves", "expired-early", {}, early, at);
  if (isMoved && seats.length > 1) throw new Parting("moves", "not-an-expiry");
  if (clock === null) return;
  const expected = seats.map((seat) => clock.deadline(seat));
  if (canonical(deadlines) !== canonical(expected)) throw new Parting("moves", "other-deadlines", {}, expected, deadlines);
  const all = clock.expired(at) ?? seats.slice(0, 1);
  if (canonical(seats) !== canonical(isMoved ? all.slice(0, 1) : all)) throw new Parting("moves", "not-an-expiry");
}

// The deals: what is known of a game (nothing else of its rules)

/**
 * By the game's name. What is known of it stands in the `verifier.mjs` of the game's folder; that of every game follows
 * in the file that a service hands out. Without them no rules are known.
 *
 * - `digests`: by version the SHA-256 of its `rules.json`; `rules`: the letters of its rules, the numbers of rules in its
 *   sections, and of rulings; `seats`: the fewest and the most; `passes`: whether a seat can pass
 * - `accepts(options, seats)`: whether a match can have these options
 * - `boxes(options)`: all cards in hand order, kinds that lie together apart; the one that hands are dealt from is `deck`
 * - `piles(table)`: by box where its cards lie on the table of a position, or in a deal
 * - `rows(dealt)`: by box the rows of a deal that lie in hand order, beside the hands
 * - `lies(table)`: piles that cards come from or go to, with their names; `open`: those that nobody hides
 * - `deal(table)`: a deal, with the members that `hands_dealt` has
 * - `hides(options)`: by type of a move the member that is hidden
 * - `hidden(options)`: by type of an event who knows its hidden members: `each` seat its own item, its `own` seat,
 *   `both` of `from` and `to`, `nobody`, nobody of several piles `apart`
 * - `together(options)`: the choice that all make together: the event that it is `made` with, the one that `opens` it, its
 *   `phase`; null where there is none
 * - `follow`: by type of an event what it does with cards, beside `hands_dealt` and `card_played`
 */
const GAMES = {};

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

/** What should be a list; anything else is found out where its cards are counted. */
function listOf(value) {
  return Array.isArray(value) ? value : [value];
}

/** The cards of a trick. */
function laid(trick) {
  return Array.isArray(trick) ? trick.map((play) => play?.card ?? false) : trick;
}

/** The ids of a game's rules: sections by number, and the rulings on what the print leaves open. */
function rulesOf(game) {
  const [prefix, ...counts] = GAMES[game].rules;
  const sections = [...counts.slice(0, -1).keys()];
  const numbered = sections.flatMap((at) => run(1, counts[at]).map((number) => `${prefix}-${at + 1}.${number}`));
  return new Set([...numbered, ...run(1, counts.at(-1)).map((number) => `${prefix}-R${number}`)]);
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

// The deals: where every card lies

/** Cards are needed that this reader of the log may not know. */
class Unseen extends Error {}

/**
 * The table of one match. With the seed (`root`) it deals every pile again and holds it against what was recorded;
 * without, it goes by what was recorded where all of that is open, and tells cards that the game does not have, or that
 * are not where they should be.
 */
class Table {
  shuffles = 0;
  round = 0;
  since = 0; // the event that it comes from
  isOver = false;
  isOpen = true; // whether all of the event is open that is followed
  unseen = false; // whether some of what was dealt is hidden in this file
  hands = [];
  lying = new Map(); // the piles that cards come from or go to, by their names

  constructor({ game, seats, options, isPublic }, root) {
    Object.assign(this, { seats, options, isPublic, root });
    this.game = GAMES[game];
    this.boxes = this.game.boxes(options);
    this.hidden = this.game.hidden(options);
    this.follows = { card_played: (table, event) => table.plays(event), ...this.game.follow };
    this.codes = new Set(this.boxes.deck);
  }

  /** Take over the table that a fork begins with, which is another match's doing. Unseen where some of it is hidden. */
  begin(position, isOpen) {
    this.mustFit(position);
    if ((position?.outcome ?? null) !== null) throw new Parting("moves", "not-a-deal"); // what is over is not played on
    if (!isOpen) throw new Unseen();
    const piles = this.game.piles(isObject(position?.table) ? position.table : {});
    for (const name of Object.keys(piles)) {
      const cards = piles[name].flatMap((pile) => this.asPile(pile, "position"));
      const box = this.boxes[name];
      if (cards.length < box.length || !isWithin(cards, box)) throw new Parting("moves", "not-a-deal");
    }
    this.take(position);
  }

  /** No more cards lie on the table of a position than the game has, seen or hidden. */
  mustFit(position) {
    const piles = this.game.piles(isObject(position?.table) ? position.table : {});
    for (const name of Object.keys(piles)) {
      const count = piles[name].reduce((sum, pile) => sum + sizeOf(pile), 0);
      if (count > this.boxes[name].length) throw new Parting("moves", "not-a-deal");
    }
  }

  /** Lay the cards as a position tells of them. */
  take(position) {
    const table = isObject(position) ? position.table : null;
    const isTable = isObject(table) && Array.isArray(table.hands) && table.hands.length === this.seats;
    if (!isTable || !isWhole(position.shuffles, 0, 0xfffffff) || !isWhole(position.round, 1, 0xfffffff)) {
      throw new Parting("moves", "not-a-deal");
    }
    this.shuffles = position.shuffles;
    this.round = position.round;
    this.hands = table.hands.map((hand) => this.asHand(this.asPile(hand, "position")));
    this.lay(table);
    const isHiding = (this.game.open ?? []).some((name) => this.lying.get(name).includes(null));
    if (isHiding) throw new Parting("moves", "not-a-deal");
  }

  /** Lay the piles that cards come from or go to. */
  lay(piles) {
    const lying = this.game.lies?.(piles) ?? [];
    this.lying = new Map(lying.map(([name, pile]) => [name, this.asPile(pile, "position")]));
  }

  /** The same table, to go back to. */
  copy() {
    const hands = this.hands.map(({ size, cards }) => ({ size, cards: cards && new Map(cards) }));
    const lying = new Map([...this.lying].map(([name, cards]) => [name, [...cards]]));
    return Object.assign(Object.create(Table.prototype), this, { hands, lying });
  }

  /** Whether a recorded position is this one, as far as both are known. */
  agrees(position) {
    const other = this.copy();
    other.mustFit(position);
    other.take(position);
    const isAlike =
      other.shuffles === this.shuffles &&
      this.hands.every((hand, seat) => hand.size === other.hands[seat].size && isSame(hand.cards, other.hands[seat].cards)) &&
      [...this.lying].every(([name, cards]) => isSame(cards, other.lying.get(name)));
    if (!isAlike) throw new Parting("moves", "other-position");
  }

  /** All that an event tells of; the last thing may be that the game is over. Unseen where cards are not known. */
  async followAll(events, seq, isOpen) {
    this.isOpen = isOpen;
    for (const event of events) await this.follow(event);
    this.since = seq;
    this.isOver = events.at(-1)?.type === "game_finished";
  }

  async follow(event) {
    const { type } = event;
    if (typeof type !== "string") return;
    if (type === "hands_dealt") await this.deal(event);
    else if (Object.hasOwn(this.follows, type)) await this.follows[type](this, event);
  }

  /** The next shuffle of a pile in its canonical order; where the seed is not known, as many cards as it has. */
  async shuffled(label, pile) {
    const k = this.shuffles;
    this.shuffles += 1;
    if (this.root === null && !this.isOpen) throw new Unseen();
    if (this.root === null) return pile.map(() => null);
    return (await shuffle(this.root, label, k, pile.length)).map((at) => pile[at]);
  }

  /** So many cards from the top to every seat, and the rest. */
  shared(pile, size, box = this.boxes.deck) {
    const hands = Array.from({ length: this.seats }, (_, seat) => pile.slice(seat * size, (seat + 1) * size));
    const ordered = hands.map((hand) => (hand.includes(null) ? hand : inHandOrder(hand, box)));
    return [ordered, pile.slice(this.seats * size)];
  }

  async deal(event) {
    this.round += 1;
    const dealt = await this.game.deal(this);
    const isShaped = hasExactly(event, "type", "round", ...Object.keys(dealt)) && event.round === this.round;
    if (!isShaped) throw new Parting("shuffles", "event-wrong", { type: event.type });
    for (const [name, pile] of Object.entries(dealt)) this.compare(event, name, pile);
    const seen = this.root === null ? event : dealt;
    this.hands = seen.hands.map((hand) => this.asHand(this.asPile(hand, event.type)));
    this.lay({ pile: [], discard: [], ...seen });
    if (this.root === null) this.count(event);
  }

  /** Without the seed: what was dealt comes out of the box, and lies in hand order. */
  count(event) {
    for (const [name, piles] of Object.entries(this.game.piles(event))) {
      if (!isWithin(textsIn(piles), this.boxes[name])) throw this.parting("/cards");
    }
    for (const [name, rows] of Object.entries({ deck: event.hands, ...this.game.rows?.(event) })) {
      for (const row of rows) {
        if (canonical(row) !== canonical(inHandOrder(row, this.boxes[name]))) throw this.parting("/hands");
      }
    }
  }

  /** A recorded pile as a list; a hidden one has as many unseen cards as it says. */
  asPile(recorded, type) {
    if (isHidden(recorded)) return Array(recorded.count).fill(null);
    const isPile = Array.isArray(recorded) && recorded.every((card) => card === null || typeof card === "string");
    if (!isPile) throw new Parting("moves", "event-wrong", { type });
    return [...recorded];
  }

  /** How many cards a seat holds, and how many of each; null if that is not known. */
  asHand(pile) {
    return { size: pile.length, cards: pile.includes(null) ? null : tally(pile) };
  }

  /** A member of an event as recorded against what was dealt again. */
  compare(event, name, dealt) {
    this.compareAt(event[name], dealt, `/${name}`, Object.hasOwn(this.hidden[event.type], name));
  }

  /** A pile that the reader does not see is passed over, and remembered. */
  compareAt(recorded, dealt, where, isHideable) {
    if (dealt === null) {
      if (typeof recorded !== "string") throw this.parting(where);
    } else if (typeof dealt !== "object") {
      if (recorded !== dealt) throw this.parting(where, dealt, typeof recorded === "string" ? recorded : null);
    } else if (Array.isArray(dealt) && this.root !== null && isHidden(recorded) && isHideable) {
      this.unseen = true;
      if (recorded.count !== dealt.length) throw this.parting(where, dealt.length, recorded.count);
    } else {
      const isAlike = Array.isArray(dealt) ? Array.isArray(recorded) : isObject(recorded);
      const names = Object.keys(dealt);
      if (!isAlike || Object.keys(recorded).length !== names.length) throw this.parting(where);
      for (const name of names) this.compareAt(recorded[name], dealt[name], `${where}/${name}`, isHideable);
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
    if (card === null) throw new Unseen();
    if (!this.codes.has(card)) throw new Parting("moves", "event-wrong", { type });
    if (!takeFrom(hand.cards, card)) throw new Parting("moves", "not-in-hand", { seat });
    hand.size -= 1;
  }

  reaches(seat, card, type) {
    const hand = this.hands[this.seat(seat, type)];
    hand.cards.set(card, (hand.cards.get(card) ?? 0) + 1);
    hand.size += 1;
  }

  /** A card is played, and lies open. */
  plays({ seat, card, type }) {
    if (card === null) throw new Parting("moves", "event-wrong", { type });
    this.leaves(seat, card, type);
  }

  /** A card is drawn from a pile. */
  draws({ seat, card, type }, name) {
    this.reaches(seat, this.top(name, card, type), type);
  }

  /** A card goes from seat to seat. */
  passes({ from, to, card, type }) {
    this.leaves(from, card, type);
    this.reaches(to, card, type);
  }

  /** The top card of a pile, held against what was recorded, if that is open. */
  top(name, recorded, type) {
    const top = (this.lying.get(name) ?? []).shift();
    if (top === undefined) throw new Parting("moves", "event-wrong", { type });
    if (recorded !== null && top !== recorded) throw new Parting("moves", "not-the-top", { type });
    return top;
  }

  /** A card is taken out of a pile, wherever it lies in it. */
  takenFrom(name, card, type) {
    const pile = this.lying.get(name);
    const at = pile.indexOf(card);
    if (at < 0) throw new Parting("moves", "event-wrong", { type });
    pile.splice(at, 1);
  }
}

/** Whether these events are a choice of the seat that all make together. */
function isChoice({ game, options }, events, seat) {
  const choice = GAMES[game].together?.(options) ?? null;
  return choice !== null && events[0]?.type === choice.made && events[0].seat === seat;
}

/** The seats that have chosen, where what is to be decided next is decided by all together; null where it is not. */
function together({ game, options, seats }, events, position = null) {
  const choice = GAMES[game].together?.(options) ?? null;
  if (choice === null) return null;
  if (position === null) return events.some(({ type }) => type === choice.opens) ? new Set() : null;
  const isToAct = (seat) => !Array.isArray(position.to_act) || position.to_act.includes(seat);
  return position.phase === choice.phase ? new Set(run(0, seats - 1).filter((seat) => !isToAct(seat))) : null;
}

/** What a move and its events hide: by those who may know it the pointers, in the order in which it is hidden. */
function hiddenIn(setup, { move, events }) {
  const hidden = new Map();
  const hide = (seats, pointer) => {
    const eyes = canonical(seats);
    if (!hidden.has(eyes)) hidden.set(eyes, new Set());
    hidden.get(eyes).add(pointer);
  };
  const secret = hiddenMember(setup, move);
  if (secret !== null) hide([move.seat], `/move/${secret}`);
  for (const [at, event] of events.entries()) {
    for (const [name, knower] of Object.entries(hiddenOf(setup, event))) {
      const place = `/events/${at}/${name}`;
      if (!Object.hasOwn(event, name)) continue;
      if (knower === "own") hide([event.seat ?? null], place);
      else if (knower === "both") hide([event.from ?? null, event.to ?? null].sort(), place);
      else if (knower === "nobody") hide([], place);
      else {
        for (const inner of Object.keys(event[name] ?? {})) {
          hide(knower === "each" ? [Number(inner)] : [], `${place}/${inner}`);
        }
      }
    }
  }
  return hidden;
}

/** The member of a move that is hidden, or null. */
function hiddenMember({ game, options }, move) {
  return GAMES[game].hides?.(options)[move?.type] ?? null;
}

/** The members of an event that are hidden, with who knows them. */
function hiddenOf({ game, options }, { type }) {
  const hidden = GAMES[game].hidden(options);
  return typeof type === "string" && Object.hasOwn(hidden, type) ? hidden[type] : {};
}

/** Nobody may know more than the game has it: each secret is for whom it has to be, and holds what it has to hold. */
function mustBeHidden(setup, { document, openings }) {
  const hidden = hiddenIn(setup, { move: document.data.move ?? null, events: document.data.events });
  const wrong = (place) => {
    const event = document.data.events[/^\/events\/(\d+)\//.exec(place)?.[1]] ?? {};
    const isDealt = Object.values(hiddenOf(setup, event)).some((knower) => !["own", "both"].includes(knower));
    return new Parting(isDealt ? "shuffles" : "moves", "other-eyes", { place });
  };
  for (const places of hidden.values()) {
    for (const place of places) {
      const { node, name } = placeOf(document.data, place) ?? { node: {}, name: "" };
      if (node[name] !== null && !isHidden(node[name])) throw wrong(place);
    }
  }
  const eyes = document.secret.map(({ for: seats }) => canonical(seats));
  if (canonical(eyes) !== canonical([...hidden.keys()])) throw new Parting("moves", "other-eyes", { place: "/secret" });
  const dues = [...hidden.values()];
  for (const [index, payload] of openings) {
    const other = Object.keys(payload).find((place) => !dues[index].has(place));
    const left = other === undefined ? [...dues[index]].find((place) => !Object.hasOwn(payload, place)) : other;
    if (left !== undefined) throw wrong(left);
  }
}

function textsIn(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Whether two hands, or two piles, are the same as far as a recorded position is open. */
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

/** How many cards a pile has, whatever stands there. */
function sizeOf(pile) {
  if (Array.isArray(pile)) return pile.length;
  return hasExactly(pile, "count") && isAnyWhole(pile.count) ? pile.count : 0;
}

/** Cards in the order in which the box has them. */
function inHandOrder(pile, box) {
  return [...pile].sort((one, other) => box.indexOf(one) - box.indexOf(other));
}

function tally(pile) {
  const counts = new Map();
  for (const card of pile) counts.set(card, (counts.get(card) ?? 0) + 1);
  return counts;
}

/** Whether cards come out of a box. */
function isWithin(cards, box) {
  const left = tally(box);
  return cards.every((card) => takeFrom(left, card));
}

function takeFrom(counts, card) {
  const left = (counts.get(card) ?? 0) - 1;
  if (left >= 0) counts.set(card, left);
  return left >= 0;
}

// Words

const SENTENCES = {
  "ended-before": ["The check ended before it came to this.", "ここに至る前に検証が終わりました。"],
  "broke-the-reader": [
    "This file broke the verifier while it was read ({failure}); what comes after that is not checked.",
    "このファイルの読み取り中に検証プログラムが異常終了しました（{failure}）。その先は検証されていません。",
  ],
  "no-crypto": [
    "Nothing can be verified here: this machine has no WebCrypto, which Node has from version 20 on, and browsers have over https or from localhost.",
    "ここでは検証できません。この環境には WebCrypto がありません（Node 20 以降、またはブラウザーの https か localhost で使えます）。",
  ],
  "no-header": ["The first line is not the header of a replay file.", "最初の行がリプレイファイルのヘッダーではありません。"],
  "over-the-limits": [
    "The file or a line is too long, nests too deeply or holds too much, or there are too many lines.",
    "ファイルまたは行が長すぎるか、入れ子が深すぎるか、内容または行数が多すぎます。",
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
  "runs-back": ["The time is before that of the event before it.", "時刻が直前のイベントより前です。"],
  "other-time": [
    "{type} follows at once, and so at the same time as the event before it.",
    "{type} は直前のイベントに直ちに続くため、同じ時刻でなければなりません。",
  ],
  "other-deadlines": ["The deadlines are others.", "期限が異なります。"],
  "other-banks": ["The seats have other time left than that.", "各席の残り時間が異なります。"],
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
  "no-ed25519": [
    "Nothing can be verified here: this machine cannot check Ed25519 signatures.",
    "ここでは検証できません。この環境では Ed25519 の署名を確認できません。",
  ],
  "not-read": ["{name}: cannot be read ({code})", "{name}：読み取れません（{code}）"],
  "not-a-trust": ['trust has to be {"keys":[…]}', 'trust は {"keys":[…]} の形でなければなりません'],
  "not-beacons": ['beacons has to be {"beacons":[…]}', 'beacons は {"beacons":[…]} の形でなければなりません'],
  "signature-wrong": ["The signature is wrong.", "署名が正しくありません。"],
  "key-unknown": ["Key {key} is not among the trusted ones.", "鍵 {key} は信頼する鍵にありません。"],
  "key-elsewhere": ["Key {key} is trusted for another origin.", "鍵 {key} は別の発行元の鍵です。"],
  "key-revoked": ["Key {key} has been revoked.", "鍵 {key} は失効しています。"],
  "no-receipts": ["No signed receipts of this match were given.", "この対局の署名された受領証が指定されていません。"],
  "receipts-unsigned": [
    "Receipts that are not signed by a key trusted for this origin: {count}.",
    "受領証のうち {count} 件は、この発行元について信頼する鍵で署名されていません。",
  ],
  "lost-in-restore": [
    "Event {seq} was lost when the store of the service was restored, as the service has signed at {at}.",
    "{seq} 番のイベントは、サービスのデータが復元されたときに失われました。サービスは {at} にそのことを署名しています。",
  ],
  "two-statements": [
    "Two signed statements about event {seq} contradict each other.",
    "{seq} 番のイベントについて、署名された二つの記述が矛盾しています。",
  ],
  "receipt-of-nothing": ["A receipt proves event {seq}, which is not there.", "受領証が示す {seq} 番のイベントがありません。"],
  "receipt-contradicts": ["A receipt proves another event {seq}.", "受領証が示す {seq} 番のイベントと一致しません。"],
  "cards-hidden": [
    "What can be seen agrees; then cards are played that are hidden in this file.",
    "見える範囲は一致しますが、その後、このファイルでは隠されているカードが使われています。",
  ],
  "other-eyes": [
    "What stands at {place} is hidden from others than it has to be.",
    "{place} の内容を見られる席が、あるべきものと異なります。",
  ],
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
  "not-dealt": ["The log ends before the deal.", "配札の前に記録が終わっています。"],
  "nothing-dealt": ["Nothing was dealt.", "何も配られていません。"],
  "piles-hidden": [
    "What can be seen agrees; some of what was dealt is hidden in this file.",
    "見える範囲は一致しますが、配られたものの一部がこのファイルでは隠されています。",
  ],
  "rules-unknown": ["The rules of this match are not known here.", "この対局のルールはここにありません。"],
  parted: ["The log has parted from what can be before.", "記録はすでにあり得ない状態です。"],
  "type-not-due": ["An event of type {type} cannot stand here.", "ここに {type} のイベントは置けません。"],
  "wrong-actor": ["Somebody acts who cannot have done this.", "行為者が正しくありません。"],
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
  "exit status: that of the worst verdict (10, 20, 21, 30, 40, 41, 42, 50, 51); 2 if something could not be read,\n" +
  "or nothing can be verified on this machine";

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
async function content(name, language) {
  const { createReadStream } = await import("node:fs");
  const pieces = [];
  try {
    for await (const piece of createReadStream(name, { end: LIMITS.file })) pieces.push(piece);
  } catch (failure) {
    throw unread(name, failure.code, language);
  }
  return joined(pieces);
}

function unread(name, code, language) {
  return new Unusable(sentence("not-read", { name, code }, language));
}

/** The documents of a file: one, a list, or one a line; of a folder those of every .json and .jsonl file in it. */
async function documents(name, language) {
  const names = await namesIn(name, language);
  if (names !== null) return (await Promise.all(names.map((inner) => documents(inner, language)))).flat();
  const text = new TextDecoder().decode(await content(name, language));
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return linesOfJson(text, name, language);
  }
}

/** The files of a folder that may hold receipts; null for what is no folder. */
async function namesIn(name, language) {
  const { readdirSync, statSync } = await import("node:fs");
  try {
    if (!statSync(name).isDirectory()) return null;
    return readdirSync(name).filter((inner) => /\.jsonl?$/.test(inner)).map((inner) => `${name}/${inner}`);
  } catch (failure) {
    throw unread(name, failure.code, language);
  }
}

function linesOfJson(text, name, language) {
  try {
    return text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
  } catch {
    throw unread(name, "JSON", language);
  }
}

/** What the options name, as `verify` takes it. */
async function toldBy({ trust, beacons, receipts, lang }) {
  const one = async (name) => (name === null ? null : ((await documents(name, lang))[0] ?? {}));
  const kept = (await Promise.all(receipts.map((name) => documents(name, lang)))).flat();
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
      const verdict = await verify(await content(file, options.lang), told);
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

/** Say what cannot be read, or that nothing can be verified here; any other failure is one of this program. */
function complain(failure) {
  if (!(failure instanceof Unusable || failure instanceof Unable)) throw failure;
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

async function command() {
  if (!(await isCommand())) return;
  process.stdout.on("error", () => process.exit(2)); // nobody is there to be told
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (failure) {
    complain(failure);
    process.exitCode = 2;
  }
}

command(); // goes on when what is known of the games has been read, which follows
