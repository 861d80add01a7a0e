// Plays with openapi-fetch and the types that openapi-typescript makes of the contract.
//
// usage: node player.js URL KEY SEED
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

type Schemas = components["schemas"];
type Slug = Schemas["Match"]["game"];
type Answer<Data> = { data?: Data; error?: unknown; response: Response };
type Position<State, Move> = { state: State; legal_moves: Move[]; outcome: unknown };

const [url = "", key = "", seed = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: url });
const bearer = (token = "") => ({ Authorization: `Bearer ${token}` });

async function told<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asked;
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

/** A position that was answered in the open, and not in a capsule. */
async function open<Data extends object>(asked: Promise<Answer<Data>>): Promise<Extract<Data, { state: unknown }>> {
  const answer = await told(asked);
  if (!("state" in answer)) throw new Error("the position is in a capsule");
  return answer as Extract<Data, { state: unknown }>;
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
  const made = await told(client.POST("/v1/matches", { headers: bearer(key), body: { game, seats } }));
  const params = { path: { match: made.match } };
  const as = (seat: number) => ({ params, headers: bearer(made.seats[seat]?.token) });
  let match = await told(client.GET("/v1/matches/{match}", as(0)));
  let moves = 0;
  for (; match.status === "playing"; moves++) {
    const acting = as(match.view?.to_act[0] ?? 0);
    const { legal_moves } = await told(client.GET("/v1/matches/{match}", acting));
    const body = { move: choose<Schemas["MoveRequest"]["move"]>(legal_moves, moves) };
    await told(client.POST("/v1/matches/{match}/moves", { ...acting, body }));
    match = await told(client.GET("/v1/matches/{match}", as(0)));
  }
  console.log(JSON.stringify({ match: match.match, game, moves, outcome: match.outcome }));
}

const { games } = await told(client.GET("/v1/games"));
const fewest = (game: Slug) => games.find((each) => each.game === game)?.seats.min ?? 0;
const dealt = (game: Slug) => ({ seats: fewest(game), seed });

await play("catte", await open(client.POST("/v1/games/catte/states", { body: dealt("catte") })), (body) =>
  open(client.POST("/v1/games/catte/adjudications", { body })),
);
await play("towai", await open(client.POST("/v1/games/towai/states", { body: dealt("towai") })), (body) =>
  open(client.POST("/v1/games/towai/adjudications", { body })),
);
await play(
  "tomorrow-never-meows",
  await open(client.POST("/v1/games/tomorrow-never-meows/states", { body: dealt("tomorrow-never-meows") })),
  (body) => open(client.POST("/v1/games/tomorrow-never-meows/adjudications", { body })),
);
await play(
  "familiars-trouble",
  await open(client.POST("/v1/games/familiars-trouble/states", { body: dealt("familiars-trouble") })),
  (body) => open(client.POST("/v1/games/familiars-trouble/adjudications", { body })),
);
for (const game of ["catte", "towai", "tomorrow-never-meows", "familiars-trouble"] as const) {
  await playStored(game, fewest(game));
}
