// The scores over a match: a chart of steps, one line a seat, and the same as a table.

import { draw as drawn, make } from "./cards.mjs";

const HEIGHT = 190;
const MARGIN = { left: 40, right: 26, top: 18, bottom: 26 };
/** What the word for a round takes up. */
const ROOM = 70;
/** How far apart the lines of seats with the same score run. */
const APART = 2;
/** Scores with a minus that is as wide as a plus. */
const shown = (score) => String(score).replace("-", "−");
const DASHES = ["", "9 4", "2 4", "12 4 2 4", "5 3", "1 3 6 3"];

/**
 * The chart of a viewer. `names` of the seats; `say(key, facts)` gives its words; `jump(index)` goes to a step.
 * Seats that have the same scores all along, as where all play together, are one line.
 */
export function scoreChart(names, say, jump) {
  const picture = drawn("svg", { class: "chart", role: "img" });
  const legend = make("ul", { className: "by-seat" });
  const table = make("table", {});
  const element = make("div", { className: "scores" }, legend, picture,
    make("details", {}, make("summary", {}, say("scores_table")), table));
  let changes = [];
  let rounds = [];
  let given = [];
  let count = 0;
  let index = 0;
  let scale = null;
  let marker = null;
  let seen = 0;

  function add(frames) {
    for (const { view, seq } of frames) {
      if (Array.isArray(view?.scores)) note(view, seq);
      count += 1;
    }
    draw();
    list();
  }

  function note({ scores, round }, seq) {
    const last = changes.at(-1);
    if (!last || scores.some((score, seat) => score !== last.scores[seat])) changes.push({ at: count, seq, scores });
    if (rounds.at(-1)?.round !== round) rounds.push({ at: count, round });
  }

  function lines() {
    const shared = changes.some(({ scores }) => scores[0] !== 0)
      && changes.every(({ scores }) => scores.every((score) => score === scores[0]));
    if (shared) return [{ seat: 0, name: say("all_seats"), tag: "", beside: 0 }];
    return names.map((name, seat) => ({ seat, name, tag: String(seat + 1), beside: ((names.length - 1) / 2 - seat) * APART }));
  }

  function draw() {
    seen = picture.clientWidth;
    const width = Math.max(seen || 320, 200);
    picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    picture.setAttribute("aria-label", summary());
    scale = scaleOf(changes, count, width);
    marker = drawn("g", { class: "marker" });
    picture.replaceChildren(...grid(scale), ...roundLines(rounds, scale, say), ...lines().map((line) => scoreLine(line, changes, scale, count)),
      ...tags(lines(), changes, scale), marker);
    show(index);
  }

  function summary() {
    const last = changes.at(-1);
    return last ? say("chart", { scores: lines().map(({ seat, name }) => `${name} ${shown(last.scores[seat])}`).join(", ") }) : say("chart_empty");
  }

  function clear() {
    changes = [];
    rounds = [];
    count = 0;
    index = 0;
  }

  /** Goes to a step; `points` are what rulings have given and taken by then, by seat. */
  function show(step, points = given) {
    index = step;
    given = points;
    const scores = scoresAt(changes, index);
    const x = scale ? scale.x(index) : 0;
    marker?.replaceChildren(drawn("line", { x1: x, x2: x, y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }),
      ...(scores ? lines().map(({ seat }) => drawn("circle", { class: `seat-${seat}`, cx: x, cy: scale.y(scores[seat]), r: 4.5 })) : []));
    const listed = given.some(Boolean) ? names.map((name, seat) => ({ seat, name })) : lines();
    legend.replaceChildren(...listed.map(({ seat, name }) => make("li", {}, sample(seat), make("span", {}, name),
      make("b", {}, scores ? shown(scores[seat]) : "–"), given[seat] ? make("small", {}, adjusted(scores?.[seat] ?? 0, given[seat])) : null)));
  }

  function adjusted(score, points) {
    return say("adjusted", { points: `${points > 0 ? "+" : "−"} ${Math.abs(points)}`, total: shown(score + points) });
  }

  function list() {
    table.replaceChildren(
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, say("event_number")), lines().map(({ name }) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, changes.map(({ seq, scores }) => make("tr", {}, make("th", { scope: "row" }, String(seq)),
        lines().map(({ seat }) => make("td", {}, shown(scores[seat])))))));
  }

  const pressed = (event) => {
    if (!scale || (event.type === "pointermove" && event.buttons !== 1)) return;
    const box = picture.getBoundingClientRect();
    jump(scale.index(((event.clientX - box.left) * scale.width) / box.width));
  };
  picture.addEventListener("pointerdown", pressed);
  picture.addEventListener("pointermove", pressed);
  new ResizeObserver(() => picture.clientWidth !== seen && draw()).observe(picture);

  return { element, add, show, clear };
}

function scoresAt(changes, index) {
  return changes.findLast(({ at }) => at <= index)?.scores ?? null;
}

/** From steps and scores to places in the picture, and back. */
function scaleOf(changes, count, width) {
  const all = changes.flatMap(({ scores }) => scores);
  const step = stepOf(Math.max(1, ...all) - Math.min(0, ...all));
  const low = Math.floor(Math.min(0, ...all) / step) * step;
  const high = Math.max(Math.ceil(Math.max(1, ...all) / step) * step, low + step);
  const inner = width - MARGIN.left - MARGIN.right;
  const last = Math.max(count - 1, 1);
  return {
    width, low, high, step,
    x: (index) => MARGIN.left + (inner * index) / last,
    y: (score) => MARGIN.top + ((HEIGHT - MARGIN.top - MARGIN.bottom) * (high - score)) / (high - low),
    index: (x) => Math.round(Math.min(Math.max((x - MARGIN.left) / inner, 0), 1) * last),
  };
}

/** The distance of the lines of the grid: 1, 2 or 5 times a power of ten, for four lines or so. */
function stepOf(span) {
  const power = 10 ** Math.floor(Math.log10(span / 4 || 1));
  return Math.max(1, [1, 2, 5, 10].map((times) => times * power).find((step) => span / step <= 4.5));
}

function grid({ low, high, step, width, y }) {
  const scores = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, place) => low + place * step);
  return scores.map((score) => drawn("g", { class: score === 0 ? "grid zero" : "grid" },
    drawn("line", { x1: MARGIN.left, x2: width - MARGIN.right, y1: y(score), y2: y(score) }),
    drawn("text", { x: MARGIN.left - 8, y: y(score) + 4, "text-anchor": "end" }, shown(score))));
}

function roundLines(rounds, { x, width }, say) {
  if (rounds.length < 2) return [];
  return rounds.map(({ at, round }, place) => {
    const room = (rounds[place + 1] ? x(rounds[place + 1].at) : width - MARGIN.right) - x(at);
    return drawn("g", { class: "round" },
      drawn("line", { x1: x(at), x2: x(at), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }),
      drawn("text", { x: x(at) + 4, y: HEIGHT - 8 }, room > ROOM ? say("round", { round }) : String(round)));
  });
}

function scoreLine({ seat, beside }, changes, { x, y }, count) {
  const path = changes.map(({ at, scores }, place) => `${place === 0 ? `M${x(at)} ` : `H${x(at) + beside}V`}${y(scores[seat]) - beside}`).join("");
  return drawn("path", { class: `line seat-${seat}`, "stroke-dasharray": DASHES[seat % DASHES.length], d: changes.length > 0 ? `${path}H${x(count - 1)}` : "" });
}

/** The numbers of the seats where their lines end, moved apart. */
function tags(lines, changes, { width, y }) {
  const last = changes.at(-1);
  if (!last) return [];
  const sorted = lines.map((line) => ({ ...line, at: y(last.scores[line.seat]) + 4 })).sort((one, other) => one.at - other.at);
  let free = -Infinity;
  for (const tag of sorted) free = tag.at = Math.max(tag.at, free + 13);
  free = HEIGHT - MARGIN.bottom + 8 + 13;
  for (const tag of sorted.reverse()) free = tag.at = Math.min(tag.at, free - 13);
  return sorted.map(({ seat, tag, at }) => drawn("text", { class: `tag seat-${seat}`, x: width - MARGIN.right + 9, y: at }, tag));
}

function sample(seat) {
  return drawn("svg", { class: "sample", viewBox: "0 0 34 8", "aria-hidden": "true" },
    drawn("path", { class: `line seat-${seat}`, "stroke-dasharray": DASHES[seat % DASHES.length], d: "M1 4H33" }));
}
