// The time of each seat as it stands beside its name at a player's table.

import { filled, make } from "./cards.mjs";
import { clockTime, left, timeInWords } from "./time.mjs";

/** Clocks by seat, for those whose match keeps time: `face(seat)` is an element in which it runs, or null. */
export function seatClocks(words, names) {
  let clock = null;
  let began = 0;
  const faces = new Map();
  const say = (key, facts) => filled(words[key] ?? key, facts);
  const timeOf = (seat) => clock?.seats.find((one) => one.seat === seat);
  const rest = (seat) => left(clock.control, timeOf(seat), began + performance.now());
  const isLate = (seat) => timeOf(seat).running && rest(seat) < 0;

  return {
    set(desk) {
      ({ clock } = desk);
      if (clock) began = Date.parse(clock.now) - performance.now();
    },
    face(seat) {
      if (!clock) return null;
      if (!faces.has(seat)) faces.set(seat, make("span", { className: "seat-clock", role: "timer" }));
      return faces.get(seat);
    },
    text: (seat) => (timeOf(seat) ? clockTime(rest(seat)) : ""),
    late: () => (clock ? clock.seats.map(({ seat }) => seat).filter(isLate) : []),
    tick() {
      for (const [seat, face] of faces) {
        const said = clockTime(rest(seat));
        if (face.textContent !== said) face.textContent = said;
        face.setAttribute("aria-label", say(isLate(seat) ? "time_gone" : "time_left", { name: names[seat], time: timeInWords(rest(seat)) }));
        face.classList.toggle("running", timeOf(seat).running);
        face.classList.toggle("flag", isLate(seat));
      }
    },
  };
}
