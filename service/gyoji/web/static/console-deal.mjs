// The form for a first position: game, seats, who begins, options.

import { block, gameOf, make, say } from "./console-parts.mjs";

const seatings = block("seatings");
const byId = (id) => document.getElementById(id);
const spread = (least, most) => Array.from({ length: most - least + 1 }, (_, at) => least + at);

/** Whether it is one of the games. */
export const isGame = (game) => typeof game === "string" && Object.hasOwn(seatings, game);

/** Offers the seats and the options of a game, and chooses so many seats, or the most. */
export function offer(game, seats) {
  const [least, most] = seatings[game];
  const count = Math.min(Math.max(Number(seats) || most, least), most);
  const choose = (id, numbers, value) => {
    byId(id).replaceChildren(...numbers.map((number) => make("option", {}, String(number))));
    byId(id).value = String(value);
  };
  byId("game").value = game;
  choose("seats", spread(least, most), count);
  choose("first", spread(0, count - 1), 0);
  offerOptions(game);
}

/** An option that is left alone is as in the rulebook. */
async function offerOptions(game) {
  const holder = byId("options");
  const described = await gameOf(game);
  if (described === null || holder.dataset.game === game || byId("game").value !== game) return;
  holder.dataset.game = game;
  holder.replaceChildren(...Object.entries(described.options.properties).map(([name, schema]) => make("div", { className: "field" },
    make("label", { for: `option-${name}` }, say(`option_${name}`)), optionControl(name, schema))));
}

function optionControl(name, schema) {
  const values = schema.enum ?? { boolean: [true, false], integer: spread(schema.minimum, schema.maximum) }[schema.type];
  const properties = { id: `option-${name}`, "data-option": name };
  if (values === undefined) return make("input", { ...properties, placeholder: say("option_default"), autocomplete: "off" });
  const text = (value) => (typeof value === "boolean" ? say(value ? "yes" : "no") : typeof value === "string" ? say(`value_${value}`) : String(value));
  return make("select", properties, make("option", { value: "" }, say("option_default")), values.map((value) => make("option", { value: JSON.stringify(value) }, text(value))));
}

/** The body of the call that the form asks for. Options are JSON, or codes with spaces between them. Throws a SyntaxError. */
export function wanted() {
  const chosen = [...byId("options").querySelectorAll("[data-option]")].filter(({ value }) => value.trim() !== "");
  const options = chosen.map(({ dataset, value }) => [dataset.option, /^([[{"]|true|false|\d+$)/.test(value) ? JSON.parse(value) : value.toUpperCase().match(/[^\s,]+/g).map((part) => (/^\d+$/.test(part) ? Number(part) : part))]);
  return { seats: Number(byId("seats").value), first: Number(byId("first").value), options: Object.fromEntries(options) };
}
