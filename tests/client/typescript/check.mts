/** What the tests ask of the client for JavaScript: `node check.mts WHAT URL KEY [TIMES]`; the answer is one line of JSON. */

import { BadReceipt, checkReceipt, ClaimRefused, Gyoji, IllegalMove, MatchNotRunning, ReplayRefused, RulingRefused, Seat, StalePosition, Unauthenticated, Unreachable, type Game } from "../../../clients/typescript/src/index.ts";
import { EventParser } from "../../../clients/typescript/src/event-parser.ts";

const [what = "", url = "", key = "", times = "1"] = process.argv.slice(2);
const QUICK = { most: 40, first: 10, longest: 50 };
const GAMES: readonly Game[] = ["catte", "familiars-trouble", "tomorrow-never-meows", "towai"];

/** Plays a seat to the end of its match, always the first move. */
async function play<G extends Game>(address: string): Promise<Seat<G>> {
  const seat = new Seat<G>(address, { retries: QUICK });
  for await (const turn of seat.turns()) {
    try {
      await turn.play(turn.legalMoves[0]!);
    } catch (failure) {
      if (!(failure instanceof StalePosition)) throw failure;
    }
  }
  return seat;
}

/** What makes matches of a game short. */
const SHORT: { readonly [game in Game]?: object } = { towai: { finishes_to_win: 1 } };

/** Plays whole matches, each by a client for each seat: how each ended, and how many receipts there are. */
async function matches(games: readonly Game[]): Promise<unknown> {
  const gyoji = new Gyoji(url, { key, retries: QUICK });
  return Promise.all(
    games.map(async (game) => {
      const match = await gyoji.matches.create(game, [{ name: "Aiko" }, { name: "Ben" }, { name: "Chidi" }], { options: SHORT[game] ?? {} });
      const seats = await Promise.all(match.seats.map((seat) => play(seat.address)));
      const receipts = seats.map((seat) => seat.receipts.length);
      const { status, result } = await match.read();
      const verdicts = [(await match.audit()).verdict, (await gyoji.audit(await match.replay())).verdict];
      return { match: match.id, game, status, result, results: seats.map((seat) => seat.result), receipts, verdicts };
    }),
  );
}

/** What the one feed of all matches tells of a match that is played while it goes on. */
async function oneFeed(): Promise<unknown> {
  const gyoji = new Gyoji(url, { key, retries: QUICK });
  const feed = gyoji.matches.feed();
  let hasBegun = false;
  const first = feed.next().then(() => (hasBegun = true));
  while (!hasBegun) await gyoji.matches.create("catte", 3); // what happens before the stream is there is not in it
  await first;
  const match = await gyoji.matches.create("catte", 3);
  await Promise.all(match.seats.map((seat) => play(seat.address)));
  const last = await gyoji.matches.create("catte", 3);
  const told: number[] = [];
  for await (const event of feed) {
    if (event.match === last.id) break;
    if (event.match === match.id) told.push(event.seq);
  }
  return { match: match.id, told };
}

async function refusals(): Promise<unknown> {
  const gyoji = new Gyoji(url, { key });
  const match = await gyoji.matches.create("catte", 3);
  const seats = match.seats.map((seat) => new Seat<"catte">(seat.address));
  const standing = await Promise.all(seats.map((seat) => seat.read()));
  const acting = standing.findIndex((each) => each.legal_moves.length > 0);
  const seat = seats[acting]!;
  const legal = standing[acting]!.legal_moves[0]!;
  const failed = async (work: Promise<unknown>) => work.then(() => null, (failure: unknown) => failure);
  const held = new Set(standing[acting]!.legal_moves.flatMap((move) => (move.type === "play" ? [move.card] : [])));
  const illegal = await failed(seat.play({ ...legal, card: (["W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8"] as const).find((card) => !held.has(card))! } as typeof legal));
  const stale = await failed(seat.play(legal, standing[acting]!.seq - 1));
  const played = await seat.play(legal, standing[acting]!.seq);
  const { sig } = played.receipt;
  const forged = await failed(checkReceipt({ ...played.receipt, sig: (sig.startsWith("00") ? "01" : "00") + sig.slice(2) }, await gyoji.keys(), match.id, played.seq));
  return {
    illegal: illegal instanceof IllegalMove && [illegal.code, illegal.reason, illegal.because !== "", illegal.legalMoves.length > 0],
    stale: stale instanceof StalePosition,
    forged: forged instanceof BadReceipt && forged.message,
    stranger: (await failed(new Gyoji(url).matches.create("catte", 3))) instanceof Unauthenticated,
    nobody: (await failed(new Gyoji("http://127.0.0.1:9", { retries: { most: 1, first: 1 } }).games.list())) instanceof Unreachable,
    stopped: (await failed(new Gyoji(url, { signal: AbortSignal.abort(new Error("stopped")) }).games.list()) as Error).message,
    address: String(await failed((async () => new Seat(`${url}/matches/x`))())),
  };
}

async function stateless(): Promise<unknown> {
  const { games } = new Gyoji(url);
  const position = await games.start("towai", 3, { seed: "ab".repeat(64) });
  const after = await games.adjudicate("towai", position.state, position.legal_moves[0]!);
  return {
    games: (await games.list()).length,
    plies: after.state.ply - position.state.ply,
    same: JSON.stringify(await games.legalMoves("towai", position.state)) === JSON.stringify(position.legal_moves),
    seed: (await games.view("towai", position.state, 0)).seed,
    rule: (await games.rule("catte", "CAT-3.1")).rule,
  };
}

/** What a director and a referee ask for, and what they are answered. */
async function directed(): Promise<unknown> {
  const gyoji = new Gyoji(url, { key });
  const cup = await gyoji.tournaments.create("Autumn cup", "catte", { seats: [3], rounds: 1, pairing: "draw" });
  await cup.enter({ name: "Aiko" }, { name: "Ben" }, { name: "Chidi" });
  const paired = await cup.pair();
  const { match: id, seats } = paired.tables[0]!;
  await Promise.all(seats.map((seat) => play(`${url}/matches/${id}#token=${seat.token}`)));
  const match = gyoji.matches.get<"catte">(id!);
  await cup.closeRound(1);
  const tables = (await cup.round(1)).tables.map((table) => table.match);
  await cup.correct("e1", "1", "Fair play");
  await cup.withdraw("e2");
  const rows = (await cup.standings()).rows.length;
  await cup.close();
  const fork = await match.fork(1);
  return { match: id, tables, rows, status: (await gyoji.tournaments.get(cup.id).read()).status, log: (await cup.log()).split("\n")[0], forked: (await fork.read()).status };
}

async function refereed(): Promise<unknown> {
  const gyoji = new Gyoji(url, { key });
  const match = await gyoji.matches.create("towai", 3);
  const seq = (await match.read()).seq;
  const tried = await match.rule({ ruling: { kind: "pause" }, reason: "A fire alarm" }, seq, { dryRun: true });
  const ruled = await match.rule({ ruling: { kind: "pause" }, reason: "A fire alarm" }, seq);
  const failed = async (work: Promise<unknown>) => work.then(() => null, (failure: unknown) => failure);
  const again = await failed(match.rule({ ruling: { kind: "pause" }, reason: "A fire alarm" }, (await match.read()).seq));
  const early = await failed(match.claim());
  const unfinished = await failed(gyoji.storeReplay(await match.replay()));
  await match.void();
  const position = await gyoji.games.start("catte", 3);
  return {
    tried: tried.status,
    ruled: (await match.position(ruled.seq)).seq === ruled.seq,
    refused: again instanceof RulingRefused && again.reason,
    early: early instanceof ClaimRefused || early instanceof MatchNotRunning,
    unfinished: unfinished instanceof ReplayRefused && unfinished.verdict,
    voided: (await match.read()).status,
    scores: (await gyoji.games.scores("catte", position.state)).scores.length,
    rules: (await gyoji.games.rules("catte")).length > 10,
    described: (await gyoji.games.describe("catte")).game,
  };
}

/** What the recorded service answers. */
async function faked(): Promise<unknown> {
  const match = await new Gyoji(url, { key: "any" }).matches.create("catte", 3);
  const seat = new Seat<"catte">(match.seats[0]!.address);
  for await (const turn of seat.turns()) {
    await turn.play(turn.legalMoves[0]!);
    break;
  }
  const refused = await new Gyoji(url, { key: "illegal-move" }).matches.get("m").read().catch((failure: unknown) => failure);
  return { receipts: seat.receipts.length, refused: refused instanceof IllegalMove && refused.code, games: (await new Gyoji(url).games.list()).length > 0 };
}

/** The events of a stream, however it is cut into pieces. */
function parsed(): unknown {
  const stream = 'id: 3\nevent: dealt\ndata: {"a":\ndata: 1}\n\n: beat\n\nid: 4\r\ndata: x\r\n\r\nevent: reset\nid\ndata: \n\n';
  return [1, 2, 7, 1000].map((size) => {
    const parser = new EventParser();
    const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) => stream.slice(at * size, (at + 1) * size));
    return pieces.flatMap((piece) => [...parser.feed(piece)]);
  });
}

const asked: { readonly [what: string]: () => unknown } = {
  matches: () => matches(Array.from({ length: Number(times) }, () => GAMES).flat()),
  "one feed": oneFeed,
  refusals,
  stateless,
  directed,
  faked,
  refereed,
  parsed,
};
console.log(JSON.stringify(await asked[what]!()));
