// What stands over the table of a match: which it is, how it stands and how it came out, and who looks.

import { make, text } from "./cards.mjs";
import { isolated } from "./names.mjs";

const LOOKING_AS = ["operator", "referee", "auditor"];

const part = (name) => document.getElementById(name);

/** Shows it. `last` is the last frame; `names` are those of the seats; `sentences` those of `cameOut`. */
export function showHead(answer, names, last, sentences, say) {
  const title = `${answer.title} · ${names.map((name) => text(name, 24)).join(" – ")}`;
  const mine = answer.status === "playing" && answer.viewer.seat !== null && answer.as === null && last?.view?.to_act?.includes(answer.viewer.seat);
  document.title = `${mine ? `${say("your_turn")} · ` : ""}${title} · gyoji`;
  part("title").textContent = answer.title;
  part("players").textContent = answer.seats.some(({ name }) => name !== null) ? names.join(" · ") : "";
  part("role").textContent = role(answer, say);
  const how = standing(answer);
  part("standing").textContent = say(mine ? "your_turn" : `status_${how}`);
  part("standing").className = `standing ${mine ? "mine" : how}`;
  part("about").textContent = sentences.join(" ");
}

/** Nothing stands around the table any more of whom it was shown to before. */
export function forgetHead(say) {
  document.title = `${say("title")} · gyoji`;
  part("title").textContent = say("title");
  for (const name of ["standing", "players", "role", "about", "network"]) part(name).textContent = "";
  part("standing").className = "standing";
  part("looking-as").hidden = true;
}

/**
 * How the match came out, in sentences: the result first, and behind it what else there is to say of how the match stands.
 * `rating` is what the game calls the score of a team, or null.
 */
export function cameOut(answer, names, last, rating, say) {
  const how = standing(answer);
  const about = ["voided", "withheld", "seeding", "paused"].includes(how) ? [say(`about_${how}`)] : [];
  const { result, adjustments } = answer.desk;
  if (!result) return { result: [], about };
  const { by, winners, scores, forfeited } = result;
  const list = (seats) => seats.map((seat) => names[seat]).join(say("comma"));
  const isTeam = answer.cooperative && scores.every((score) => score === scores[0]);
  const head = isTeam ? say(rating === null ? "result_team" : "result_team_rated", { points: minus(scores[0]), rating }) : say(winners.length > 0 ? "result_won" : "result_nobody", { winners: list(winners) });
  const figure = (seat) => {
    const points = adjustments[seat];
    const isSum = points !== 0 && last?.view?.scores?.[seat] + points === scores[seat];
    return isSum ? say("score_sum", { total: minus(scores[seat]), score: minus(last.view.scores[seat]), points: `${points > 0 ? "+" : "−"} ${Math.abs(points)}` }) : minus(scores[seat]);
  };
  const figures = isTeam ? [] : [say("result_scores", { scores: names.map((name, seat) => `${name} ${figure(seat)}`).join(say("comma")) })];
  return { result: [head, ...figures, ...(by === "play" ? [] : [say(`result_by_${by}`, { seats: list(forfeited) })])], about };
}

/** A score with a minus that is as wide as a plus. */
const minus = (score) => String(score).replace("-", "−");

function standing({ status, closed }) {
  return status === "finished" && !closed ? "withheld" : status;
}

function role({ viewer: { role: who, seat }, as, seats }, say) {
  const called = (one) => (seats[one].name === null ? say("seat_number", { seat: one + 1 }) : say("seat_name", { seat: one + 1, name: text(seats[one].name, 40) }));
  const looks = who === "seat" ? say("role_seat", { seat: called(seat) }) : say(`role_${who}`);
  return as === null ? looks : `${looks} ${say("role_as", { seat: called(as) })}`;
}

/** The choice of a seat's eyes, for those whom everything is open to. `chosen(as)` is told of it: a seat, or null. */
export function askWhoseEyes({ viewer: { role: who }, seats, frames: found }, as, say, chosen) {
  const choice = part("as");
  const view = found.find((frame) => frame.view)?.view;
  part("looking-as").hidden = !LOOKING_AS.includes(who) || (as === null && !view?.table.hands.every(Array.isArray));
  choice.replaceChildren(make("option", { value: "" }, say("everybody")),
    ...seats.map(({ seat, name }) => make("option", { value: String(seat) }, name === null ? say("seat", { seat: seat + 1 }) : `${say("seat", { seat: seat + 1 })}: ${isolated(text(name, 40))}`)));
  choice.value = as === null ? "" : String(as);
  choice.onchange = () => chosen(choice.value || null);
}
