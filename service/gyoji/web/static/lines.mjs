// The two lines of a log where a referee has taken something back: all that was played, and what is in force.

import { make } from "./cards.mjs";

/** Notes in `played` which of its frames the take-backs among `added` have taken back. */
export function takeBack(played, added) {
  for (const { seq, ruling } of added.filter(goesBack)) {
    for (const frame of played) if (frame.seq > ruling.to && frame.seq < seq) frame.takenBackBy ??= seq;
  }
}

/** Whether the event of a frame takes others back. */
export const goesBack = ({ ruling }) => ruling?.kind === "take_back";

/** The frames of a line: `played`, or `ruled`. */
export const lineOf = (played, line) => (line === "ruled" ? played.filter(({ takenBackBy }) => takenBackBy === null) : [...played]);

/** What rulings of these kinds give stays when the play around them is taken back. */
const STAYS = ["points", "time", "substitute"];

/** Whether nothing is left of an event, since a ruling has taken it back. */
export const isOut = ({ takenBackBy, ruling }) => takenBackBy !== null && !STAYS.includes(ruling?.kind);

/** Says which ruling has taken an event back; null where none has. */
export function takenNote(frame, say) {
  if (frame.takenBackBy === null) return null;
  return make("p", { className: "taken-note" }, say(isOut(frame) ? "taken_back" : "taken_stays", { seq: frame.takenBackBy }));
}

/** Points that rulings have given and taken up to an event, by seat. What is taken back of the play takes none of them back. */
export function adjustments(played, last, seats) {
  const given = Array(seats).fill(0);
  for (const { seq, ruling } of played) {
    if (seq > last) break;
    if (ruling?.kind === "points" && ruling.seat in given && Number.isInteger(ruling.points)) given[ruling.seat] += ruling.points;
  }
  return given;
}

/** The choice of the line that is stepped through, as soon as there are two. `chosen(line)` is told of it. */
export function lineChoice(say, chosen) {
  const about = make("p", {});
  const buttons = ["played", "ruled"].map((line) => [line, make("button", { type: "button", onclick: () => chosen(line) }, say(`line_${line}`))]);
  const element = make("div", { className: "lines", role: "group", "aria-label": say("line"), hidden: true }, buttons.map(([, button]) => button), about);

  function show(line, played) {
    const count = played.filter(({ takenBackBy }) => takenBackBy !== null).length;
    element.hidden = count === 0;
    about.textContent = say(`line_${line}_about`, { count });
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === line));
  }

  return { element, show };
}
