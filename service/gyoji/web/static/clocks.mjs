// The time of the seats: it runs here as it runs at the service, whose own clock alone decides.

import { filled, make } from "./cards.mjs";
import { clockTime, left, timeInWords } from "./time.mjs";

const TICK = 250;

/**
 * Shows clocks in `host`. `claim()` claims that somebody's time is up; what it throws has a `document` that says why not.
 *
 * @returns {{show: (desk: object, names: string[]) => void, stop: () => void}} `desk` is that of an answer of frames
 */
export function clocks(host, words, claim) {
  const say = (key, facts = {}) => filled(words[key] ?? key, facts);
  const status = make("p", { role: "status" });
  const button = make("button", { type: "button", className: "first", hidden: true, onclick: claimed }, say("claim"));
  const list = make("ul", {});
  const about = make("p", { className: "soft" });
  host.replaceChildren(make("h2", {}, say("clocks")), list, about, make("div", { className: "row" }, button, status));
  let timer = null;
  let faces = [];
  let began = 0;
  let may = false;
  let up = "";

  const now = () => began + performance.now();

  function show({ clock, may: allowed, paused }, names) {
    host.hidden = !clock;
    clearInterval(timer);
    if (!clock) return;
    began = Date.parse(clock.now) - performance.now();
    may = allowed.claim;
    about.textContent = rulesOf(clock.control);
    faces = clock.seats.map((seat) => face(clock.control, seat, names[seat.seat], paused));
    list.replaceChildren(...faces.map(({ element }) => element));
    tick();
    if (faces.some(({ seat }) => seat.running)) timer = setInterval(tick, TICK);
  }

  function face(control, seat, name, paused) {
    // A timer is no live region: nobody is told every second, and whoever asks hears what is left.
    const time = make("span", { className: "time", role: "timer" });
    const note = make("span", { className: "soft" });
    const element = make("li", { className: seat.running ? "running" : "" }, make("span", {}, name), time, note);
    return { seat, name, control, time, note, element, paused };
  }

  function tick() {
    const here = now();
    for (const one of faces) {
      const rest = left(one.control, one.seat, here);
      write(one.time, clockTime(rest));
      one.time.setAttribute("aria-label", say(isUp(one, rest) ? "time_gone" : "time_left", { name: one.name, time: timeInWords(rest) }));
      write(one.note, say(stateOf(one, rest)));
      one.element.classList.toggle("flag", isUp(one, rest));
    }
    const late = faces.filter((one) => isUp(one, left(one.control, one.seat, here)));
    button.hidden = !may || late.length === 0;
    const told = late.map(({ name }) => say("time_up", { name })).join(" ");
    if (told !== up) status.textContent = up = told;
  }

  async function claimed() {
    button.disabled = true;
    try {
      await claim();
    } catch (trouble) {
      const { because, detail } = trouble.document ?? {};
      status.textContent = because ?? detail ?? say("unsent");
    } finally {
      button.disabled = false;
    }
  }

  /** How time is kept in this match, in a sentence or two. */
  function rulesOf({ move, bank, increment, on_expiry: then }) {
    const parts = [move > 0 && say("clock_move", { time: timeInWords(move * 1000) }), bank !== null && say("clock_bank", { time: timeInWords(bank * 1000) }),
      increment > 0 && say("clock_increment", { increment }), say(`clock_${then}`)];
    return parts.filter(Boolean).join(" ");
  }

  return { show, stop: () => { clearInterval(timer); host.hidden = true; } };
}

/** A claim at the very deadline comes too early. */
const isUp = ({ seat }, rest) => seat.running && rest < 0;

function stateOf(one, rest) {
  if (isUp(one, rest)) return "clock_flag";
  if (one.seat.running) return "clock_runs";
  return one.paused ? "clock_paused" : "clock_still";
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
