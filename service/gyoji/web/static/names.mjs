// Names, and whatever else somebody has written, as they stand on a page: the same as gyoji/names.py does for the rest.

const UNSHOWN = "\ufffd";
const OPENS = "\u2068";
const CLOSES = "\u2069";

/** What turns the direction of writing, commands devices, breaks lines, or is half a character. */
const UNSAFE = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\0-\u001f\u007f-\u009f\u2028\u2029]|[\ud800-\udfff]/u;

/** The blocks of what is written from right to left, Arabic digits among them. */
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A text without what would turn the direction of what stands around it; isolates that open and close within it stay.
 * Lines may break in it where `lines` says so.
 */
export function shown(text, lines = false) {
  if (!UNSAFE.test(text)) return text;
  const characters = [...text];
  const pairs = pairsIn(characters);
  return characters.map((one, at) => (pairs.has(at) || !UNSAFE.test(one) || (lines && one === "\n") ? one : UNSHOWN)).join("");
}

/** Where isolates stand that open and close. */
function pairsIn(characters) {
  const opened = [];
  const pairs = new Set();
  characters.forEach((one, at) => {
    if (one === OPENS) opened.push(at);
    else if (one === CLOSES && opened.length > 0) pairs.add(at).add(opened.pop());
  });
  return pairs;
}

/** A text as it stands in a sentence: isolated if it is written from right to left. What is isolated already stays as it is. */
export function isolated(text) {
  const safe = shown(text);
  return LEFTWARD.test(around(safe)) ? OPENS + safe + CLOSES : safe;
}

/** The text without what is isolated in it. */
function around(text) {
  if (!text.includes(OPENS)) return text;
  let depth = 0;
  return [...text].filter((one) => {
    if (one === CLOSES) depth -= 1;
    const isOutside = depth === 0;
    if (one === OPENS) depth += 1;
    return isOutside;
  }).join("");
}

/** A text cut to so many characters, with an ellipsis; what is isolated in it stays so. */
export function cut(text, most) {
  const characters = [...text];
  if (characters.length <= most) return text;
  const kept = characters.slice(0, most - 1);
  const open = kept.filter((one) => one === OPENS).length - kept.filter((one) => one === CLOSES).length;
  return `${kept.join("")}…${CLOSES.repeat(Math.max(0, open))}`;
}
