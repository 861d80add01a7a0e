// What happened in a match, told event by event: a list to read, and to jump from.

import { make } from "./cards.mjs";
import { isOut } from "./lines.mjs";
import { ruleLink } from "./rule-links.mjs";

/** One thing that was told as a line: its sentence, and the rule that made it happen. */
function toldLine(game, { text, rule, detail }) {
  return make("p", { className: `${detail ? "detail" : ""} ${rule ? "ruled" : ""}` }, make("span", {}, text), rule ? ruleLink(game, rule) : null);
}

/**
 * The list of events of a viewer. Only the current one takes part in the order of the Tab key: with some hundreds of
 * events the rest of the page would be out of reach. `note(frame)` says what a ruling has made of an event, where it has.
 */
export function story(game, label, jump, note = null) {
  const list = make("ol", { className: "events", "aria-label": label });
  let items = [];
  let current = null;

  list.addEventListener("click", (event) => {
    const item = event.target.closest("li");
    if (item && !event.target.closest("a")) jump(Number(item.dataset.index));
  });

  function add(frames) {
    list.append(...frames.map((frame) => {
      const item = eventItem(game, frame, items.length, note);
      items.push(item);
      return item;
    }));
  }

  function show(index) {
    if (current) mark(current, false);
    current = items[index];
    mark(current, true);
    scrollWithin(list, current);
  }

  function clear() {
    list.replaceChildren();
    items = [];
    current = null;
  }

  return { element: list, add, show, clear, flag: (index) => items[index]?.classList.add("broken") };
}

/** What the desk adds to a match: these stand out among the moves. */
const OF_THE_DESK = ["ruling_made", "clock_expired", "match_paused", "match_resumed"];

function eventItem(game, frame, index, note) {
  const { seq, told, type } = frame;
  const [first, ...more] = told.length > 0 ? told : [{ text: type }];
  const button = make("button", { type: "button", tabIndex: -1 }, make("b", {}, String(seq)), make("span", {}, first.text));
  const item = make("li", { "data-index": index, className: `${OF_THE_DESK.includes(type) ? "of-desk" : ""} ${note !== null && isOut(frame) ? "taken" : ""}` },
    make("div", {}, button, first.rule ? ruleLink(game, first.rule) : null),
    more.map((one) => toldLine(game, one)),
    note?.(frame));
  for (const link of item.querySelectorAll("a")) link.tabIndex = -1;
  return item;
}

function mark(item, is) {
  item.classList.toggle("current", is);
  const button = item.querySelector("button");
  if (is) button.setAttribute("aria-current", "step");
  else button.removeAttribute("aria-current");
  for (const stop of item.querySelectorAll("button, a")) stop.tabIndex = is ? 0 : -1;
}

/** Scrolls the list and nothing around it, and only where the item is not in sight. */
function scrollWithin(list, item) {
  const top = item.offsetTop;
  const bottom = top + item.offsetHeight;
  if (top >= list.scrollTop && bottom <= list.scrollTop + list.clientHeight) return;
  list.scrollTop = top - Math.max(0, (list.clientHeight - item.offsetHeight) / 3);
}
