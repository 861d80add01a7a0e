// Times of seats: as clocks show them, in words, and what is left of them.

/** A time as clocks show it: 0:07, 12:00, 1:00:00. What has begun of a second counts as one. */
export function clockTime(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}:${two(seconds % 60)}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

/** The same time in words, as it is read out: 4 minutes 35 seconds. */
export function timeInWords(milliseconds) {
  const language = document.documentElement.lang || "en";
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const parts = [["hour", Math.floor(seconds / 3600)], ["minute", Math.floor(seconds / 60) % 60], ["second", seconds % 60]];
  const said = parts.filter(([unit, count]) => count > 0 || (unit === "second" && seconds === 0))
    .map(([unit, count]) => new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count)).join(" ");
  return language === "ja" ? said.replace(/\s/g, "") : said;
}

/** Milliseconds that a seat has left at the time `now` of the service; those of a seat whose time stands still. */
export function left(control, { running, deadline, bank_ms: bank, spent_ms: spent }, now) {
  return running ? Date.parse(deadline) - now : control.move * 1000 + (bank ?? 0) - spent;
}
