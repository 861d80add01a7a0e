// The controls of a viewer: buttons, a scrubber, keys and swipes that step through a match, and its playing by itself.

import { draw, make } from "./cards.mjs";

/** Milliseconds that a step is shown while the match plays by itself. */
const PACE = 1100;

const ICONS = {
  first: "M5 5h2.6v14H5zM19 5v14L9 12z",
  back: "M17 5v14L7 12z",
  play: "M7 4.5v15L19.5 12z",
  pause: "M6 5h4.2v14H6zM13.8 5H18v14h-4.2z",
  on: "M7 5v14l10-7z",
  last: "M16.4 5H19v14h-2.6zM5 5v14l10-7z",
};

function icon(name) {
  return draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: ICONS[name] }));
}

function iconButton(name, label, onclick) {
  return make("button", { type: "button", "aria-label": label, title: label, onclick }, icon(name));
}

/**
 * The row of controls. `say(key, facts)` gives the words; `steps` is what they act on: `go(index)`, `index()`, `last()`,
 * and `landmark(index, way)`, which finds the next trick or round.
 */
export function controls(say, steps) {
  const step = (by) => act(() => steps.go(steps.index() + by));
  const scrubber = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": say("scrub"), oninput: () => act(() => steps.go(Number(scrubber.value))) });
  const first = iconButton("first", say("first"), () => act(() => steps.go(0)));
  const back = iconButton("back", say("back"), () => step(-1));
  const toggle = iconButton("play", say("play"), () => (timer ? stop() : start()));
  const on = iconButton("on", say("on"), () => step(1));
  const last = iconButton("last", say("last"), () => act(() => steps.go(steps.last())));
  const place = make("span", { className: "place" });
  const live = make("button", { type: "button", className: "live first", hidden: true, onclick: () => act(() => steps.go(steps.last())) }, say("live"));
  const keys = keysDialog(say);
  const help = make("button", { type: "button", className: "help", "aria-label": say("keys"), title: say("keys"), onclick: () => keys.showModal() }, "?");
  const element = make("div", { className: "steps", role: "group", "aria-label": say("steps") },
    make("div", { className: "buttons" }, first, back, toggle, on, last), scrubber, place, live, help, keys);
  let timer = null;

  /** Whatever a person does stops the playing; it is not a person's doing when the match itself goes on. */
  function act(go) {
    stop();
    go();
  }

  function start() {
    if (steps.index() >= steps.last()) steps.go(0);
    timer = setInterval(() => {
      steps.go(steps.index() + 1);
      if (steps.index() >= steps.last()) stop();
    }, PACE);
    face("pause");
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    face("play");
  }

  function face(name) {
    toggle.replaceChildren(icon(name));
    toggle.setAttribute("aria-label", say(name));
    toggle.title = say(name);
  }

  /** Where the viewer stands; `stale` says that a running match is shown elsewhere than where it is now. */
  function show({ seq, lastSeq, told, stale }) {
    const index = steps.index();
    scrubber.max = String(steps.last());
    scrubber.value = String(index);
    scrubber.setAttribute("aria-valuetext", say("at_event", { seq, told }));
    place.textContent = say("place", { seq, last: lastSeq });
    // A button that goes off under the finger would lose the focus, so that none is ever disabled.
    for (const [button, ends] of [[first, index === 0], [back, index === 0], [on, index === steps.last()], [last, index === steps.last()]]) {
      button.setAttribute("aria-disabled", String(ends));
    }
    live.hidden = !stale;
  }

  const KEYS = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => act(() => steps.go(steps.landmark(steps.index(), -1))),
    ArrowDown: () => act(() => steps.go(steps.landmark(steps.index(), 1))),
    Home: () => act(() => steps.go(0)),
    End: () => act(() => steps.go(steps.last())),
    " ": () => toggle.click(),
    "?": () => keys.showModal(),
  };

  return { element, show, stop, key: (name) => KEYS[name] };
}

function keysDialog(say) {
  const rows = [["← →", "step"], ["↑ ↓", "landmark"], ["Home End", "ends"], ["Space", "space"], ["?", "help"]];
  const dialog = make("dialog", { "aria-label": say("keys") },
    make("h2", {}, say("keys")),
    make("dl", {}, rows.flatMap(([keys, what]) => [
      make("dt", {}, keys.split(" ").map((key) => make("kbd", {}, key))), make("dd", {}, say(`keys_${what}`))])),
    make("p", { className: "soft" }, say("keys_swipe")),
    make("button", { type: "button", className: "first", onclick: () => dialog.close() }, say("close")));
  return dialog;
}

/**
 * Listens for keys: wherever the focus is inside `host`, and where it is nowhere. Unless it is inside, the arrows up and
 * down are left to whoever scrolls the page, and characters to whoever dictates. `signal` ends it.
 */
export function listenForKeys(host, key, signal) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || host.querySelector("dialog[open]")) return;
    const inside = host.contains(document.activeElement);
    if (!inside && document.activeElement !== document.body && document.activeElement?.id !== "main") return;
    const action = key(event.key);
    if (!action || !belongsHere(event, inside)) return;
    event.preventDefault();
    action();
  }, { signal });
}

function belongsHere({ key, target }, inside) {
  if (target.closest("select, textarea, input:not([type=range])")) return false;
  if (key === " ") return !target.closest("button, a, summary");
  return inside || !["ArrowUp", "ArrowDown", "?"].includes(key);
}

/** A swipe over `element` steps: to the left goes on. */
export function listenForSwipes(element, step) {
  let begun = null;
  element.addEventListener("touchstart", ({ touches, target }) => {
    begun = touches.length === 1 && !scrollsSideways(target, element) ? touches[0] : null;
  }, { passive: true });
  element.addEventListener("touchend", ({ changedTouches }) => {
    if (!begun) return;
    const across = changedTouches[0].clientX - begun.clientX;
    const down = changedTouches[0].clientY - begun.clientY;
    begun = null;
    if (Math.abs(across) > 45 && Math.abs(across) > 2 * Math.abs(down)) step(across < 0 ? 1 : -1);
  }, { passive: true });
}

function scrollsSideways(target, within) {
  for (let element = target; element && element !== within; element = element.parentElement) {
    if (element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)) return true;
  }
  return false;
}
