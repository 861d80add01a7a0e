// Calls for the referee on the page of a match: a seat calls and takes it back, whoever may rule attends to it. It is asked for
// when somebody calls, or is about to.

import { make } from "./cards.mjs";
import { clockTime } from "./time.mjs";

const MOST = 200;

/**
 * Shows calls in `host`. `seat` is that of whoever looks, or null; `names` are those of the seats; `isPlaying()` tells whether the
 * match could be paused. `send(path, body, seq)` asks the service for a change and tells whether it was taken; `seq()` is where
 * the match stands.
 */
export function refereeCalls(host, { seat, names, say, isPlaying, send, seq }) {
  const spoken = make("p", { className: "unseen", role: "status" });
  const listed = make("ul", {});
  host.replaceChildren(spoken, listed);
  let told = null;
  let ahead = 0;
  let times = [];
  const ticking = setInterval(tick, 1000);

  const isMine = (call) => call.seat === seat;
  const close = (call) => send(`/calls/${call.seat}/close`, {});

  /** Shows the calls as the service has told them; the focus stays within them while there are any. */
  function show({ calls, now }) {
    if (now) ahead = Date.parse(now) - Date.now();
    const wanted = seat === null ? calls.filter(({ attended }) => attended === null) : calls;
    const written = JSON.stringify([wanted, isPlaying(), names]);
    if (written === told) return;
    told = written;
    const isFocused = host.contains(document.activeElement);
    times = [];
    listed.replaceChildren(...wanted.map(lineOf));
    host.hidden = wanted.length === 0;
    spoken.textContent = wanted.map((call) => sentence(call)).join(" ");
    tick();
    if (isFocused) (listed.querySelector("button") ?? document.querySelector(".referee") ?? document.getElementById("match").querySelector("button"))?.focus();
  }

  function sentence({ seat: by, attended }) {
    const who = by === seat ? "own" : seat === null ? "of" : "other";
    return say(`${who}_${attended === null ? "open" : "attended"}`, { name: names[by] });
  }

  function lineOf(call) {
    const time = make("span", { className: "ago", "aria-hidden": "true" });
    if (call.attended === null) times.push([time, Date.parse(call.at)]);
    return make("li", {}, make("p", {}, make("b", {}, sentence(call)), " ", time, call.text === null ? null : [" ", make("q", {}, make("bdi", {}, call.text))]), buttons(call));
  }

  function buttons(call) {
    const named = (key) => [say(key), make("span", { className: "unseen" }, ` ${names[call.seat]}`)];
    if (isMine(call)) return make("button", { type: "button", onclick: () => close(call) }, say(call.attended === null ? "take_back" : "thanks"));
    if (seat !== null) return null;
    const pause = make("button", { type: "button", onclick: () => send("/rulings", { ruling: { kind: "pause" }, reason: say("pause_reason", { name: names[call.seat] }) }, seq()) }, named("pause"));
    return make("span", { className: "row" }, make("button", { type: "button", className: "first", onclick: () => close(call) }, named("attend")), isPlaying() ? pause : null);
  }

  function tick() {
    for (const [time, at] of times) time.textContent = say("ago", { time: clockTime(Math.max(0, Date.now() + ahead - at)) });
  }

  /** Asks what the referee is to know, and calls. */
  function ask() {
    if (document.querySelector(".call-dialog")) return;
    const end = () => {
      dialog.close();
      dialog.remove();
    };
    const field = make("input", { type: "text", maxLength: MOST, autocomplete: "off", id: "call-text" });
    const dialog = make("dialog", { className: "player-dialog call-dialog", "aria-label": say("call"), onclose: () => dialog.remove() },
      make("h2", {}, say("call")),
      make("form", { onsubmit: async (event) => {
        event.preventDefault();
        const text = field.value.trim();
        end();
        await send("/calls", text ? { text } : {});
      } },
      make("label", { htmlFor: "call-text" }, say("what")), field, make("p", { className: "soft" }, say("runs_on")),
      make("div", { className: "row" }, make("button", { className: "first" }, say("call")), make("button", { type: "button", onclick: end }, say("leave")))));
    document.querySelector("main").append(dialog);
    dialog.showModal();
  }

  return { show, ask, end: () => { clearInterval(ticking); host.hidden = true; host.replaceChildren(); } };
}
