// Plays with the client that @hey-api/openapi-ts makes of the contract.
//
// usage: node player.js URL KEY SEED
import { client } from "./client/client.gen.js";
import * as gyoji from "./client/index.js";

type Slug = gyoji.Match["game"];
type Position<State, Move> = { state: State; legal_moves: Move[]; outcome: unknown };

const [url = "", key = "", seed = ""] = process.argv.slice(2);
client.setConfig({ baseUrl: url, throwOnError: true });

/** A position that was answered in the open, and not in a capsule. */
async function open<Data extends object>(asked: Promise<{ data: Data }>): Promise<Extract<Data, { state: unknown }>> {
  const { data } = await asked;
  if (!("state" in data)) throw new Error("the position is in a capsule");
  return data as Extract<Data, { state: unknown }>;
}

/** Chooses a move as every player does: another place of the list each time. */
function choose<Move>(moves: Move[], made: number): Move {
  const move = moves[made % moves.length];
  if (move === undefined) throw new Error("there is no legal move");
  return move;
}

async function play<State, Move>(
  game: Slug,
  position: Position<State, Move>,
  adjudicate: (body: { state: State; move: Move }) => Promise<Position<State, Move>>,
): Promise<void> {
  let moves = 0;
  for (; position.outcome === null; moves++) {
    position = await adjudicate({ state: position.state, move: choose(position.legal_moves, moves) });
  }
  console.log(JSON.stringify({ game, moves, state: position.state, outcome: position.outcome }));
}

async function playStored(game: Slug, seats: number): Promise<void> {
  const { data: made } = await gyoji.createMatch({ auth: key, body: { game, seats }, throwOnError: true });
  const as = (seat: number) => ({
    path: { match: made.match },
    auth: made.seats[seat]?.token ?? "",
    throwOnError: true as const,
  });
  let { data: match } = await gyoji.readMatch(as(0));
  let moves = 0;
  for (; match.status === "playing"; moves++) {
    const acting = as(match.view?.to_act[0] ?? 0);
    const { data: seen } = await gyoji.readMatch(acting);
    const body = { move: choose<gyoji.MoveRequest["move"]>(seen.legal_moves, moves) };
    await gyoji.playMove({ ...acting, body });
    ({ data: match } = await gyoji.readMatch(as(0)));
  }
  console.log(JSON.stringify({ match: match.match, game, moves, outcome: match.outcome }));
}

const throwOnError = true;
const { data } = await gyoji.listGames({ throwOnError });
const fewest = (game: Slug) => data.games.find((each) => each.game === game)?.seats.min ?? 0;
const dealt = (game: Slug) => ({ body: { seats: fewest(game), seed }, throwOnError: true as const });

await play("catte", await open(gyoji.startCatte(dealt("catte"))), (body) =>
  open(gyoji.adjudicateCatte({ body, throwOnError })),
);
await play("towai", await open(gyoji.startTowai(dealt("towai"))), (body) =>
  open(gyoji.adjudicateTowai({ body, throwOnError })),
);
await play("tomorrow-never-meows", await open(gyoji.startTomorrowNeverMeows(dealt("tomorrow-never-meows"))), (body) =>
  open(gyoji.adjudicateTomorrowNeverMeows({ body, throwOnError })),
);
await play("familiars-trouble", await open(gyoji.startFamiliarsTrouble(dealt("familiars-trouble"))), (body) =>
  open(gyoji.adjudicateFamiliarsTrouble({ body, throwOnError })),
);
for (const game of ["catte", "towai", "tomorrow-never-meows", "familiars-trouble"] as const) {
  await playStored(game, fewest(game));
}
