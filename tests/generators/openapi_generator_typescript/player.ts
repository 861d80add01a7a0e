// Plays with the client that openapi-generator makes of the contract for TypeScript.
//
// usage: node player.js URL KEY SEED
import * as gyoji from "./client/index.js";

type Slug = gyoji.Match["game"];
type Position<State, Move, Outcome> = { state: State; legalMoves: Move[]; outcome: Outcome | null };

const [url = "", key = "", seed = ""] = process.argv.slice(2);

/** What asks the service, with a key or a token or none. */
function asking(accessToken?: string): gyoji.Configuration {
  return new gyoji.Configuration({ basePath: url, accessToken });
}

/** A position that was answered in the open, and not in a capsule. */
async function open<Answer extends object>(asked: Promise<Answer>): Promise<Extract<Answer, { state: unknown }>> {
  const answer = await asked;
  if (!("state" in answer)) throw new Error("the position is in a capsule");
  return answer as Extract<Answer, { state: unknown }>;
}

/** Chooses a move as every player does: another place of the list each time. */
function choose<Move>(moves: Move[], made: number): Move {
  const move = moves[made % moves.length];
  if (move === undefined) throw new Error("there is no legal move");
  return move;
}

/** Plays one game to its end; what came of it is written as it was on the wire. */
async function play<State, Move, Outcome>(
  game: Slug,
  position: Position<State, Move, Outcome>,
  adjudicate: (body: { state: State; move: Move }) => Promise<Position<State, Move, Outcome>>,
  written: { state: (state: State) => unknown; outcome: (outcome: Outcome) => unknown },
): Promise<void> {
  let moves = 0;
  for (; position.outcome === null; moves++) {
    position = await adjudicate({ state: position.state, move: choose(position.legalMoves, moves) });
  }
  const final = { state: written.state(position.state), outcome: written.outcome(position.outcome) };
  console.log(JSON.stringify({ game, moves, ...final }));
}

function writtenOutcome(match: gyoji.Match): unknown {
  switch (match.game) {
    case "catte":
      return gyoji.CatteOutcomeToJSON(match.outcome);
    case "towai":
      return gyoji.TowaiOutcomeToJSON(match.outcome);
    case "tomorrow-never-meows":
      return gyoji.TomorrowNeverMeowsOutcomeToJSON(match.outcome);
    case "familiars-trouble":
      return gyoji.FamiliarsTroubleOutcomeToJSON(match.outcome);
  }
}

async function playStored(game: Slug, seats: number): Promise<void> {
  const made = await new gyoji.MatchesApi(asking(key)).createMatch({ matchRequest: { game, seats } });
  const as = (seat: number) => new gyoji.MatchesApi(asking(made.seats[seat]?.token));
  let match = await as(0).readMatch(made);
  let moves = 0;
  for (; match.status === "playing"; moves++) {
    const acting = as(match.view?.toAct[0] ?? 0);
    const seen = await acting.readMatch(made);
    const moveRequest = { move: choose<gyoji.AnyMove>(seen.legalMoves, moves) };
    await acting.playMove({ match: made.match, moveRequest });
    match = await as(0).readMatch(made);
  }
  console.log(JSON.stringify({ match: match.match, game, moves, outcome: writtenOutcome(match) }));
}

const { games } = await new gyoji.CatalogueApi(asking()).listGames();
const fewest = (game: Slug) => games.find((each) => each.game === game)?.seats.min ?? 0;
const dealt = (game: Slug) => ({ seats: fewest(game), seed });

const catte = new gyoji.CatteApi(asking());
await play(
  "catte",
  await open(catte.startCatte({ startCatteRequest: dealt("catte") })),
  (adjudicateCatteRequest) => open(catte.adjudicateCatte({ adjudicateCatteRequest })),
  { state: gyoji.CatteStateToJSON, outcome: gyoji.CatteOutcomeToJSON },
);

const towai = new gyoji.TowaiApi(asking());
await play(
  "towai",
  await open(towai.startTowai({ startTowaiRequest: dealt("towai") })),
  (adjudicateTowaiRequest) => open(towai.adjudicateTowai({ adjudicateTowaiRequest })),
  { state: gyoji.TowaiStateToJSON, outcome: gyoji.TowaiOutcomeToJSON },
);

const tomorrow = new gyoji.TomorrowNeverMeowsApi(asking());
await play(
  "tomorrow-never-meows",
  await open(tomorrow.startTomorrowNeverMeows({ startTomorrowNeverMeowsRequest: dealt("tomorrow-never-meows") })),
  (adjudicateTomorrowNeverMeowsRequest) =>
    open(tomorrow.adjudicateTomorrowNeverMeows({ adjudicateTomorrowNeverMeowsRequest })),
  { state: gyoji.TomorrowNeverMeowsStateToJSON, outcome: gyoji.TomorrowNeverMeowsOutcomeToJSON },
);

const familiars = new gyoji.FamiliarsTroubleApi(asking());
await play(
  "familiars-trouble",
  await open(familiars.startFamiliarsTrouble({ startFamiliarsTroubleRequest: dealt("familiars-trouble") })),
  (adjudicateFamiliarsTroubleRequest) =>
    open(familiars.adjudicateFamiliarsTrouble({ adjudicateFamiliarsTroubleRequest })),
  { state: gyoji.FamiliarsTroubleStateToJSON, outcome: gyoji.FamiliarsTroubleOutcomeToJSON },
);

for (const game of ["catte", "towai", "tomorrow-never-meows", "familiars-trouble"] as const) {
  await playStored(game, fewest(game));
}
