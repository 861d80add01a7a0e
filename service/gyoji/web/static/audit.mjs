// The audit page: a replay file, or a match of this service, is judged by the service, and in a worker by the second
// verifier. Their answers stand side by side; where the log breaks, the viewer opens at the position before.
// Whatever a file holds is data: it becomes text, never markup.

import { compared, verdictsApart } from "./audit-agreement.mjs";
import { checksTable, headerOf, kindOf, language, noteOf, plain, say, sentenceOf, sizeOf, subjectOf, verdictOf, wordOf } from "./audit-parts.mjs";
import { make } from "./cards.mjs";

const at = (id) => document.getElementById(id);
const most = Number(at("ask").dataset.most);

/** What is being looked at. An answer that comes when something else is, is dropped. */
let current = null;
/** The trust file that was chosen: {name, document}. */
let trust = null;
let worker = null;

// Asking the service

/** Problems of the service that this page knows better words for. */
const REFUSALS = { "not-found": "no_match", unauthenticated: "no_token" };

/** Something that the person at the page is told in a sentence. */
class Told extends Error {}

/** What the service answers: a document, or with `as` "bytes" its bytes. A body is one of a replay file. */
async function ask(method, path, { body = null, token = null, as = "json" } = {}) {
  const headers = { "Accept-Language": language };
  if (body !== null) headers["Content-Type"] = "application/jsonl";
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  let response, answer;
  try {
    response = await fetch(path, { method, headers, body, cache: "no-store" });
    answer = response.ok && as === "bytes" ? new Uint8Array(await response.arrayBuffer()) : await response.json();
  } catch {
    throw new Told(say("unreachable"));
  }
  if (response.ok) return answer;
  throw new Told(Object.hasOwn(REFUSALS, answer.code) ? say(REFUSALS[answer.code]) : answer.detail);
}

// What is audited

/** The bytes of a file that was chosen or dropped. */
async function bytesOf(file) {
  const name = plain(file.name);
  if (file.size > most) throw new Told(say("too_large", { name, size: sizeOf(file.size), most: most / 1048576 }));
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Told(say("unreadable", { name }));
  }
}

/** Bring bytes, have them judged by both, and say so. */
async function audit(name, bring) {
  const run = { name, bytes: null, header: null, service: null, second: null };
  current = run;
  at("result").hidden = true;
  progress(1, say(name === null ? "fetching" : "reading", { name }));
  try {
    run.bytes = await bring();
    if (run !== current) return;
    run.header = headerOf(run.bytes);
    begin(run);
    await Promise.all([byService(run), bySecond(run)]);
    if (run === current) await judged(run);
  } catch (failure) {
    if (!(failure instanceof Told)) throw failure;
    if (run !== current) return;
    progress(0, failure.message);
    at("agreement").hidden = true;
    if (run.bytes !== null) showNote(run.service === null ? "service" : "second", failure.message);
  }
}

async function byService(run) {
  const verdict = await ask("POST", "/audit/verdict", { body: run.bytes });
  if (run !== current) return;
  run.service = verdict;
  showVerdict("service", verdict, say("service_keys"));
  at("progress").value += 1;
}

/** The second verifier's verdict into the run, or why there is none. */
async function bySecond(run) {
  if (!isSecureContext || !crypto.subtle) {
    run.second = null;
    showNote("second", say("no_crypto"));
    return;
  }
  const keys = trust ? trust.document : await ask("GET", "/v1/keys");
  const answer = await verified(run.bytes, { trust: keys, language });
  if (run !== current) return;
  run.second = answer.verdict ?? null;
  if (run.second !== null) showVerdict("second", run.second, keysUsed(keys));
  else if (answer.broken) showNote("second", say("broke_second"), "bad");
  else showNote("second", trust && answer.unusable ? say("no_trust", { name: trust.name }) : say("no_second", { why: answer.unable ?? "" }));
  at("progress").value += 1;
}

function keysUsed({ keys }) {
  const count = say(keys.length === 1 ? "key_one" : "key_many", { count: keys.length });
  return trust ? say("second_trust", { count, name: trust.name }) : say("second_keys", { count });
}

/**
 * What the worker says; one that is still at the file before is ended. One that fails before it is ready cannot run here;
 * one that fails later, at the file, was `broken` by it.
 */
function verified(bytes, options) {
  worker?.terminate();
  worker = new Worker("/static/audit-worker.mjs", { type: "module" });
  let isReady = false;
  return new Promise((resolve) => {
    worker.onmessage = ({ data }) => {
      if (!data.ready) return resolve(data);
      isReady = true;
      return worker.postMessage({ bytes, options });
    };
    worker.onerror = (event) => {
      event.preventDefault(); // the page tells of it
      resolve({ broken: isReady });
    };
  });
}

// What is shown

/** How far the audit is, of four steps; 0 for not under way. */
function progress(step, sentence) {
  at("progress").hidden = step === 0 || step === 4;
  at("progress").value = step;
  // At the end the sentence is for those who listen: the verdict itself stands below.
  at("status").className = step === 4 ? "unseen" : `audit-status${step === 0 ? " bad" : ""}`;
  at("status").textContent = sentence;
}

function begin(run) {
  progress(2, say("working"));
  at("subject").replaceChildren(...subjectOf(run));
  for (const id of ["service", "second"]) showNote(id, say("busy"));
  for (const id of ["breaks", "replay"]) at(id).replaceChildren();
  at("checks").replaceChildren();
  at("agreement").hidden = false;
  at("agreement").className = "audit-agreement soft";
  at("agreement").textContent = say("agree_waiting");
  at("result").hidden = false;
  at("what").hidden = true;
}

function showNote(id, sentence, kind = null) {
  at(id).className = kind === null ? "panel" : `panel audit-${kind}`;
  at(id).replaceChildren(...noteOf(id, sentence));
}

function showVerdict(id, { verdict }, keys) {
  at(id).className = `panel audit-${kindOf(verdict)}`;
  at(id).replaceChildren(...verdictOf(id, verdict, keys));
}

/** The second verifier's box where both find the file right: there is one verdict, and it agrees with it. */
function showAgreeing() {
  at("second").className = "panel audit-good";
  at("second").querySelector(".audit-word").replaceWith(wordOf("good", say("second_agrees")));
  at("second").querySelector(".audit-means").textContent = say("second_agrees_means");
}

/** All that both have answered. */
async function judged(run) {
  const { service, second } = run;
  const agreement = compared(service, second);
  const checks = agreement?.checks.map((check) => say(check)).join(language === "ja" ? "、" : ", ");
  if (agreement?.word === "alike") showAgreeing();
  at("agreement").hidden = agreement === null;
  at("agreement").className = `audit-agreement audit-${agreement?.kind}`;
  at("agreement").textContent = agreement === null ? "" : say(`agree_${agreement.word}`, { checks });
  at("checks").replaceChildren(make("h2", { id: "every" }, say("checks")), checksTable(service, second));
  progress(4, say("done", { sentence: `${sentenceOf(service.verdict)} ${at("agreement").textContent}` }));
  at("result").scrollIntoView({ block: "start" });
  try {
    await shown(run, verdictsApart(service, second));
  } catch (failure) {
    if (!(failure instanceof Told)) throw failure;
    at("replay").replaceChildren(make("p", { className: "soft" }, failure.message));
  }
}

/** Where it breaks, and the match. The viewer is loaded here: whoever only looks in does not need it. */
async function shown(run, parted) {
  const { breaksOf, replayOf } = await import("./audit-breaks.mjs");
  await breaksOf(at("breaks"), run, parted, ask);
  await replayOf(at("replay"), run, parted, ask, () => run === current);
}

// What people do

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const TOKEN = /[#&]token=([^&\s]+)/;

/** A match by its id, or by the address of its page with a token behind the #. */
function auditMatch(text) {
  const match = UUID.exec(text)?.[0].toLowerCase();
  const token = TOKEN.exec(text)?.[1] ?? null;
  at("match").value = match ?? text;
  if (match === undefined) {
    current = null;
    progress(0, say("no_id"));
    at("match").focus();
    return;
  }
  audit(null, () => ask("GET", `/v1/matches/${match}/replay`, { token, as: "bytes" }));
}

function auditFile(file) {
  audit(plain(file.name), () => bytesOf(file));
}

/** Another choice of keys; what is looked at is judged anew. A file that is no trust file, the verifier refuses. */
async function trustFile(file) {
  trust = file && { name: plain(file.name), document: (await file.text().then(JSON.parse).catch(() => null)) ?? {} };
  at("back").hidden = !trust;
  const held = current;
  if (held?.bytes) audit(held.name, () => held.bytes);
}

at("file").addEventListener("change", ({ target }) => {
  if (target.files.length > 0) auditFile(target.files[0]);
  target.value = ""; // the same file, changed, may be chosen again
});
at("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  auditMatch(at("match").value);
});
at("trust").addEventListener("change", ({ target }) => trustFile(target.files[0] ?? null));
at("back").addEventListener("click", () => {
  at("trust").value = "";
  at("trust").focus();
  trustFile(null);
});

/** A file that is dropped anywhere on the page is audited, and never opened by the browser in place of the page. */
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("audit-over");
});
document.addEventListener("dragleave", ({ relatedTarget }) => {
  if (relatedTarget === null) document.body.classList.remove("audit-over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("audit-over");
  if (event.dataTransfer.files.length > 0) auditFile(event.dataTransfer.files[0]);
});

// The address may name a match: /audit#match=…&token=…
if (UUID.test(location.hash)) auditMatch(location.hash);
