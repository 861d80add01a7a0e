/** A service, with the key of an operator, a referee or an auditor, or without one. */

import { Service, type Settings } from "./service.ts";
import { Tournaments } from "./tournaments.ts";
import type { Adjudication, Appended, ClaimAnswer, CreatedMatch, FeedEvent, Game, GameDescription, MatchDocument, Move, NewSeat, Played, Position, RulingAnswer, RulingRequest, Rule, SigningKey, State, Verdict, View } from "./types.ts";

const REPLAY = { "Content-Type": "application/jsonl" };

/** One seat of a new match, and the token by which its player acts. */
export type SeatToken = {
  readonly seat: number;
  readonly name: string | null;
  readonly token: string;
  /** The page of the match with the token behind `#`: what a player opens in a browser, and `Seat` takes. */
  readonly address: string;
};

export class Gyoji {
  readonly service: Service;
  readonly games: Games;
  readonly matches: Matches;
  readonly tournaments: Tournaments;

  constructor(url: string, { key = null, ...settings }: Settings & { readonly key?: string | null } = {}) {
    this.service = new Service(url, key, settings);
    this.games = new Games(this.service);
    this.matches = new Matches(this.service);
    this.tournaments = new Tournaments(this.service);
  }

  /** Reads the public keys that the service signs receipts and logs with. */
  async keys(): Promise<readonly SigningKey[]> {
    return (await this.service.ask<{ keys: SigningKey[] }>("/v1/keys")).keys;
  }

  /** Audits a replay file; returns the verdict. */
  async audit(replay: string | Uint8Array<ArrayBuffer>): Promise<Verdict> {
    return JSON.parse(await this.service.text("POST", "/v1/audits", REPLAY, replay)) as Verdict;
  }

  /** Stores a full replay file of a finished match; returns the verdict. `ReplayRefused` where it fails. */
  async storeReplay(replay: string | Uint8Array<ArrayBuffer>): Promise<Verdict> {
    return JSON.parse(await this.service.text("POST", "/v1/replays", REPLAY, replay)) as Verdict;
  }
}

/** The games, their rules, and the stateless calls: a position goes in, one comes out, and nothing is kept. */
export class Games {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Lists the games that the service referees. */
  async list(): Promise<readonly { readonly game: string }[]> {
    return (await this.#service.ask<{ games: { game: string }[] }>("/v1/games")).games;
  }

  /** Reads what there is to know of a game: options, phases, moves, cards and rulings. */
  async describe(game: Game): Promise<GameDescription> {
    return this.#service.ask(`/v1/games/${game}`);
  }

  /** Reads the rulebook of a game, rule by rule. */
  async rules(game: Game): Promise<readonly Rule[]> {
    return (await this.#service.ask<{ rules: Rule[] }>(`/v1/games/${game}/rules`)).rules;
  }

  /** Reads one rule, such as `CAT-3.1`, in English and Japanese. */
  async rule(game: Game, rule: string): Promise<Rule> {
    return this.#service.ask(`/v1/games/${game}/rules/${encodeURIComponent(rule)}`);
  }

  /** Deals a first position. */
  async start<G extends Game>(game: G, seats: number, settings: { seed?: string; first?: number; options?: object } = {}): Promise<Position<G>> {
    return this.#service.send(`/v1/games/${game}/states`, { seats, ...settings }, { once: false });
  }

  /** Rules on moves in order; `IllegalMove` for the first that is refused. */
  async adjudicate<G extends Game>(game: G, state: State<G>, ...moves: Move<G>[]): Promise<Adjudication<G>> {
    return this.#service.send(`/v1/games/${game}/adjudications`, { state, moves }, { once: false });
  }

  /** Lists the moves that a position allows, of all seats that may act. */
  async legalMoves<G extends Game>(game: G, state: State<G>): Promise<readonly Move<G>[]> {
    return (await this.#service.send<{ legal_moves: Move<G>[] }>(`/v1/games/${game}/legal-moves`, { state }, { once: false })).legal_moves;
  }

  /** Counts the scores of a position, with the rule of every figure. */
  async scores<G extends Game>(game: G, state: State<G>): Promise<{ readonly scores: readonly number[] }> {
    return this.#service.send(`/v1/games/${game}/scores`, { state }, { once: false });
  }

  /** Shows what a seat may know of a position; null: a spectator. */
  async view<G extends Game>(game: G, state: State<G>, seat: number | null): Promise<View<G>> {
    return (await this.#service.send<{ view: View<G> }>(`/v1/games/${game}/views`, { state, seat }, { once: false })).view;
  }
}

/** The stored matches of a caller. */
export class Matches {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Creates a match for so many seats, or for `{name}` or `{bot}` each; `settings` are those of `POST /v1/matches`. */
  async create<G extends Game>(game: G, seats: number | readonly NewSeat[], settings: object = {}): Promise<Match<G>> {
    const created = await this.#service.send<CreatedMatch>("/v1/matches", { game, seats, ...settings });
    return new Match<G>(this.#service, created.match, created.seats);
  }

  /** Returns a match by its id; nothing is asked for yet. */
  get<G extends Game = Game>(match: string): Match<G> {
    return new Match<G>(this.#service, match);
  }

  /** Lists the caller's matches, newest first. */
  async *list(filters: { game?: Game; status?: string; tag?: string; tournament?: string } = {}): AsyncGenerator<{ match: string; game: Game; status: string }, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: { matches: { match: string; game: Game; status: string }[]; next: string | null } = await this.#service.ask("/v1/matches", { ...filters, cursor });
      yield* page.matches;
      cursor = page.next;
    } while (cursor !== null);
  }

  /**
   * Follows what happens from now on in all matches of the caller, new ones too: each event once, those of a match in order,
   * without an end. `to_act` in each says who may move in its `match`.
   */
  async *feed(): AsyncGenerator<FeedEvent, void, undefined> {
    const last = new Map<string, number>();
    for await (const event of this.#service.stream<FeedEvent>("/v1/stream")) {
      if (event.seq <= (last.get(event.match) ?? -1)) continue;
      last.set(event.match, event.seq);
      yield event;
    }
  }
}

/** One stored match, as whoever created, referees or audits it. */
export class Match<G extends Game = Game> {
  readonly id: string;
  /** The seats with their tokens, of a match that was just created: a token is told once. */
  readonly seats: readonly SeatToken[];
  readonly #service: Service;
  readonly #path: string;

  constructor(service: Service, match: string, seats: CreatedMatch["seats"] = []) {
    this.id = match;
    this.#service = service;
    this.#path = `/v1/matches/${match}`;
    this.seats = seats.map(({ seat, name, token }) => ({ seat, name, token, address: `${service.url}/matches/${match}#token=${token}` }));
  }

  /** Reads how the match stands. */
  async read(): Promise<MatchDocument<G>> {
    return this.#service.ask(this.#path);
  }

  /** Reads the position after an event; with `seat` what that seat could know then. */
  async position(seq: number, seat: number | null = null): Promise<{ seq: number; view: View<G> }> {
    return this.#service.ask(`${this.#path}/positions/${seq}`, { as: seat });
  }

  /** Follows the events behind that number, until none are left to come. */
  feed(after: number | null = null): AsyncGenerator<FeedEvent, void, undefined> {
    return this.#service.stream(`${this.#path}/stream`, after === null ? null : String(after));
  }

  /** Makes a move for a seat, which takes the scope `matches:play`. */
  async play(move: Move<G>, seq?: number): Promise<Played<G>> {
    return this.#service.send(`${this.#path}/moves`, { move }, { seq });
  }

  /** Rules in the match, as it stands after event `seq`; `dryRun`: only says what would come of it. */
  async rule(ruling: RulingRequest, seq: number, { dryRun = false }: { readonly dryRun?: boolean } = {}): Promise<RulingAnswer> {
    return this.#service.send(`${this.#path}/rulings`, dryRun ? { ...ruling, dry_run: true } : ruling, { seq });
  }

  /** Claims that the time of a seat is up; `ClaimRefused` where it is not. */
  async claim(): Promise<ClaimAnswer> {
    return this.#service.send(`${this.#path}/claims`);
  }

  /** Cancels the match. */
  async void(): Promise<Appended> {
    return this.#service.send(`${this.#path}/void`, undefined, { once: false });
  }

  /** Begins a new match from the position after an event; of a match whose secret is told. */
  async fork(seq: number): Promise<Match<G>> {
    const created = await this.#service.send<CreatedMatch>(`${this.#path}/fork`, { seq });
    return new Match<G>(this.#service, created.match, created.seats);
  }

  /** Exports the replay file: full where everything may be seen, else redacted. */
  async replay(): Promise<string> {
    return this.#service.text("GET", `${this.#path}/replay`);
  }

  /** Audits what may be seen of the match; returns the verdict. */
  async audit(): Promise<Verdict> {
    return this.#service.send("/v1/audits", { match: this.id }, { once: false });
  }
}
