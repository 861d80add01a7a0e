// The forms that set up a tournament or a match: fields that are named by pointers into the body of the request, presets
// that fill them in, and faults that are told beside them.

import { keyInAddress, newKey, say, service } from "./calls.mjs";
import { make } from "./cards.mjs";

const { games, presets, most } = JSON.parse(document.getElementById("setup").textContent);

export { most };
export const form = document.getElementById("form");
const said = document.getElementById("said");
const keyField = document.getElementById("key-field");

/** The field of that name, or the one of several that is chosen. */
export const field = (name) => [...form.elements].find((one) => one.name === name && (one.type !== "radio" || one.checked));
export const game = () => games[field("/game").value];
export const spread = (least, most) => Array.from({ length: most - least + 1 }, (_, at) => least + at);

/** Those whose values are part of the body. A fieldset that is not wanted is disabled, and all that is in it. */
const sent = () => [...form.elements].filter((one) => one.name.startsWith("/") && !one.matches(":disabled"));

const wholeOf = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);

/** What a field says: a value of the body, or undefined where it says nothing. A number that is none is sent as typed, and refused. */
function valueOf(one) {
  if (one.dataset.kind === "tick") return one.checked;
  if (["radio", "checkbox"].includes(one.type) && !one.checked) return undefined;
  const text = one.value.normalize("NFKC").trim();
  if (one.dataset.kind === "text") return one.value.trim();
  if (text === "") return undefined;
  if (one.dataset.kind === "list") return text.split(/[\s,、]+/).filter(Boolean).map(wholeOf);
  const number = wholeOf(text);
  return one.dataset.kind === "minutes" && typeof number === "number" ? 60 * number : number;
}

/** The body of the request. */
export function bodyOf() {
  const body = {};
  for (const one of sent()) {
    const value = valueOf(one);
    if (value !== undefined) put(body, one.name.slice(1).split("/"), value, one.dataset.kind === "listed");
  }
  return body;
}

/** Puts a value where the pointer says; several fields of one list add to it. */
function put(within, [step, ...more], value, isListed) {
  if (more.length > 0) put((within[step] ??= /^\d+$/.test(more[0]) ? [] : {}), more, value, isListed);
  else if (isListed) (within[step] ??= []).push(value);
  else within[step] = value;
}

/** Shows what is wanted by what has been chosen (`data-if="name=value"`), and disables the rest. */
function arrange() {
  for (const part of form.querySelectorAll("[data-if]")) {
    const [name, value] = part.dataset.if.split("=");
    part.disabled = part.hidden = field(name)?.value !== value;
  }
  const pass = form.querySelector("#expiry [value=pass]");
  pass.hidden = pass.disabled = !game().passes;
  if (pass.disabled && pass.selected) form.querySelector("#expiry").value = "referee";
}

/** Fills in what a preset says, and marks its button. */
function begin(key) {
  for (const [name, value] of Object.entries(presets[key])) for (const one of form.elements) {
    if (one.name !== name) continue;
    if (one.type === "radio") one.checked = one.value === value;
    else if (one.type === "checkbox") one.checked = value;
    else one.value = String(value);
  }
  mark(key);
}

function mark(key) {
  for (const button of form.querySelectorAll("[data-preset]")) button.setAttribute("aria-pressed", String(button.dataset.preset === key));
}

/** Takes away what was said of the fields. */
function forget() {
  said.replaceChildren();
  said.classList.remove("wrong");
  for (const fault of form.querySelectorAll(".fault")) fault.remove();
  for (const one of form.querySelectorAll("[aria-invalid]")) {
    one.removeAttribute("aria-invalid");
    one.setAttribute("aria-describedby", (one.getAttribute("aria-describedby") ?? "").split(" ").filter((id) => !id.endsWith("-fault")).join(" "));
  }
}

/** The field that a pointer of the answer is about, or the nearest one. */
function fieldAt(pointer) {
  const near = (one) => pointer === one.name || pointer.startsWith(`${one.name}/`) || one.name.startsWith(`${pointer}/`);
  return sent().find((one) => one.name === pointer) ?? sent().find(near);
}

/** Says beside a field what is wrong with it. */
function blame(one, message) {
  const id = `${one.id || one.name.slice(1).replaceAll("/", "-")}-fault`;
  (one.closest(".field") ?? one.closest("fieldset")).append(make("p", { className: "fault", id }, message));
  one.setAttribute("aria-invalid", "true");
  one.setAttribute("aria-describedby", `${one.getAttribute("aria-describedby") ?? ""} ${id}`.trim());
}

/** Tells why nothing was set up; the first field that is wrong gets the focus. */
function tell({ status, document: answer }) {
  const wrong = [];
  const elsewhere = [];
  for (const { pointer, message } of answer.errors ?? []) {
    const one = fieldAt(pointer);
    if (one) blame(one, message);
    (one ? wrong : elsewhere).push(one ?? `${pointer} ${message}`);
  }
  if (status === 401 || status === 403) {
    document.getElementById("key").hidden = false;
    blame(keyField, say(status === 401 ? "key_unknown" : "key_forbidden"));
    wrong.push(keyField);
  }
  said.classList.add("wrong");
  said.replaceChildren(make("p", {}, status === 0 ? say("unsent") : wrong.length > 0 ? say("look_beside") : answer.detail ?? say("failed", { status })), ...elsewhere.map((text) => make("p", {}, text)));
  wrong[0]?.focus();
}

/** A request that got no answer is sent again under its own key, so that it is done once. */
let attempt = { what: null, once: null };

async function send(made) {
  const key = keyField.value.trim() || keyInAddress() || "";
  forget();
  if (key === "") return tell({ status: 401, document: {} });
  const body = bodyOf();
  const what = JSON.stringify([body, key]);
  if (attempt.what !== what) attempt = { what, once: newKey() };
  said.replaceChildren(make("p", {}, say("sending")));
  const answer = await service(key)(form.dataset.path, { body, once: attempt.once });
  if (answer.status !== 201) return tell(answer);
  said.replaceChildren();
  return made(answer.document, key);
}

/** Starts the form: `changed` is called after every change, `made` with what was set up and the key. */
export function start({ changed, made }) {
  const follow = () => {
    changed();
    arrange();
  };
  form.addEventListener("input", (event) => {
    if (!["/name", "/game"].includes(event.target.name) && event.target !== keyField) mark(null);
    follow();
  });
  for (const button of form.querySelectorAll("[data-preset]")) button.onclick = () => {
    begin(button.dataset.preset);
    follow();
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    send(made);
  };
  const ask = () => (document.getElementById("key").hidden = keyInAddress() !== null);
  addEventListener("hashchange", ask);
  ask();
  begin(form.querySelector("[data-preset]").dataset.preset);
  follow();
}
