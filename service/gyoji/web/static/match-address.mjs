// What the address of a match's page says. The fragment, which is sent to no server, holds who looks and where they stand; the
// query, which goes along to whoever gets a link, holds the line.

/** Milliseconds for which a viewer stands still before its place is written down: browsers take few changes a second. */
const PAUSE = 250;

/** What the fragment says: a token or a key, the letters of a player's settings, an event, and the seat whose eyes are looked with. */
export function fragment() {
  const said = new URLSearchParams(location.hash.slice(1));
  const whole = (name) => (/^\d{1,9}$/.test(said.get(name) ?? "") ? Number(said.get(name)) : null);
  return { token: said.get("token"), key: said.get("key"), set: said.get("set"), at: whole("at"), as: whole("as") };
}

function fragmentOf(facts) {
  const said = new URLSearchParams(Object.entries(facts).filter(([, value]) => value !== null));
  return said.size > 0 ? `#${said}` : "";
}

/** The token or key that a fragment holds, or null. */
export const heldBy = ({ token, key }) => key ?? token;

/** The line that the query asks for. */
export const lineAsked = () => (new URLSearchParams(location.search).get("line") === "ruled" ? "ruled" : "played");

let writing = null;

/** Writes facts down in the fragment. */
export function write(facts) {
  clearTimeout(writing);
  history.replaceState(history.state, "", `${location.pathname}${location.search}${fragmentOf({ ...fragment(), ...facts })}`);
}

/** Writes them down in a moment, unless others come before. */
export function writeSoon(facts) {
  clearTimeout(writing);
  writing = setTimeout(() => write(facts), PAUSE);
}

/** Writes the line down in the query. */
export function rememberLine(line) {
  const asked = new URLSearchParams(location.search);
  if (line === "ruled") asked.set("line", line);
  else asked.delete("line");
  history.replaceState(history.state, "", `${location.pathname}${asked.size > 0 ? `?${asked}` : ""}${location.hash}`);
}

/** The address of the page at an event, for whoever gets a link: without a token. */
export const addressOf = (seq) => `${location.origin}${location.pathname}${location.search}${fragmentOf({ at: seq })}`;
