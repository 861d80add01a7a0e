// The parts of the audit page: its words, and what it shows of a file and of verdicts.

import { filled, make } from "./cards.mjs";

const read = (id) => JSON.parse(document.getElementById(id).textContent);

export const words = read("words");
export const language = document.documentElement.lang;
const said = read("said");

const CHECKS = ["bytes", "chain", "head", "file", "openings", "commitment", "shuffles", "moves", "positions", "scores", "result", "receipts"];
const SEALS = { good: "可", part: "半", bad: "否" };
const MARKS = { pass: "✓", fail: "✕", not_checkable: "–" };

/** A sentence of this page with its facts put in. */
export function say(key, facts = {}) {
  return filled(words[key], facts);
}

/** A name as one may show it: control characters and overrides of direction would change what stands around it. */
export function plain(name, most = 90) {
  const shown = [...name.replace(/\p{C}/gu, "\ufffd")];
  return shown.length > most ? `${shown.slice(0, most - 20).join("")}…${shown.slice(-19).join("")}` : shown.join("");
}

/** A number of bytes as one says it. */
export function sizeOf(bytes) {
  const [unit, divisor] = bytes < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: 1 }).format(bytes / divisor);
}

// A file

/** The header of a replay file, or null. What it says is the file's word. */
export function headerOf(bytes) {
  const end = bytes.subarray(0, 4096).indexOf(10);
  try {
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(0, Math.max(end, 0))));
    return header?.format === "gyoji-replay/1" ? header : null;
  } catch {
    return null;
  }
}

/** What is audited: the file's name and size, and what its header says that it is. */
export function subjectOf({ name, bytes, header }) {
  const facts = [make("bdi", {}, name ?? header?.match ?? ""), sizeOf(bytes.length)];
  const game = Object.hasOwn(words.table.games, header?.game) ? words.table.games[header.game].title : null;
  if (game !== null) facts.push(game);
  if (header !== null) facts.push(audienceOf(header.audience));
  return facts.filter((fact) => fact !== null).flatMap((fact, place) => (place === 0 ? [fact] : [" · ", fact]));
}

function audienceOf(audience) {
  if (Number.isInteger(audience?.seat)) return say("for_seat", { seat: audience.seat });
  if (audience === "full") return say("whole");
  return audience === "public" ? say("public") : null;
}

// A verdict

/** Whether a verdict is good, good as far as it goes ("part"), or bad. */
export function kindOf(verdict) {
  if (["verified", "verified_with_rulings"].includes(verdict)) return "good";
  return ["verified_partial", "rules_unknown"].includes(verdict) ? "part" : "bad";
}

/** What a verdict says, in one sentence. */
export function sentenceOf(verdict) {
  return said[verdict][language];
}

/** What stands in the box of a verifier that has not answered, or cannot. */
export function noteOf(id, sentence) {
  return [make("h2", { id: `${id}-says` }, say(id)), make("p", {}, sentence)];
}

/** A seal of that kind, and a sentence beside it. */
export function wordOf(kind, sentence) {
  const seal = make("span", { className: "audit-seal", lang: "ja", "aria-hidden": "true" }, SEALS[kind]);
  return make("p", { className: "audit-word" }, seal, make("strong", {}, sentence));
}

/** What stands in the box of a verifier that has: its sentence, what that means, and the keys that it was given. */
export function verdictOf(id, verdict, keys) {
  return [
    make("h2", { id: `${id}-says` }, say(id)),
    wordOf(kindOf(verdict), sentenceOf(verdict)),
    make("p", { className: "audit-means" }, make("code", {}, verdict), " ", say(`${verdict}_means`)),
    make("p", { className: "soft" }, keys)];
}

/** Every check with what both say of it; the second may be missing. */
export function checksTable(service, second) {
  const heads = ["check", "by_service", "by_second"].map((key) => make("th", { scope: "col", role: "columnheader" }, say(key)));
  const rows = CHECKS.map((check) => make("tr", { role: "row" },
    make("th", { scope: "row", role: "rowheader" }, say(check), make("span", { className: "soft" }, say(`${check}_what`))),
    [["by_service", service], ["by_second", second]].map(([key, verdict]) => checkedCell(say(key), verdict?.checks.find((one) => one.check === check)))));
  return make("table", { className: "audit-checks", role: "table", "aria-labelledby": "every" },
    make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, heads)), make("tbody", { role: "rowgroup" }, rows));
}

function checkedCell(by, checked) {
  if (checked === undefined) return make("td", { role: "cell" }, "");
  return make("td", { role: "cell" },
    make("span", { className: "audit-by soft", "aria-hidden": "true" }, by),
    make("span", { className: `audit-mark audit-${checked.result}` }, make("span", { "aria-hidden": "true" }, MARKS[checked.result]), " ", say(checked.result)),
    checked.why === null ? null : make("span", { className: "soft" }, checked.why));
}
