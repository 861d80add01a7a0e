/** Tournaments, as those who direct or watch them. */

import type { Service } from "./service.ts";
import type { Game, NewEntrant, NewRound, NewTournament, Round, Standings, TournamentDocument } from "./types.ts";

/** The tournaments of a caller. */
export class Tournaments {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Creates a tournament; `settings` are those of `POST /v1/tournaments`. */
  async create<G extends Game>(name: string, game: G, settings: Omit<NewTournament<G>, "name" | "game">): Promise<Tournament> {
    const created = await this.#service.send<TournamentDocument>("/v1/tournaments", { name, game, ...settings });
    return new Tournament(this.#service, created.tournament);
  }

  /** Returns a tournament by its id; nothing is asked for yet. */
  get(tournament: string): Tournament {
    return new Tournament(this.#service, tournament);
  }
}

/** One tournament, as whoever directs or watches it. */
export class Tournament {
  readonly id: string;
  readonly #service: Service;
  readonly #path: string;

  constructor(service: Service, tournament: string) {
    this.id = tournament;
    this.#service = service;
    this.#path = `/v1/tournaments/${tournament}`;
  }

  /** Reads the tournament. */
  async read(): Promise<TournamentDocument> {
    return this.#service.ask(this.#path);
  }

  /** Reads the standings. */
  async standings(): Promise<Standings> {
    return this.#service.ask(`${this.#path}/standings`);
  }

  /** Reads a round with its tables. */
  async round(number: number): Promise<Round> {
    return this.#service.ask(`${this.#path}/rounds/${number}`);
  }

  /** Adds entrants, each `{name}`. */
  async enter(...entrants: readonly NewEntrant[]): Promise<TournamentDocument> {
    return this.#service.send(`${this.#path}/entrants`, { entrants });
  }

  /** Withdraws an entrant from the rounds to come. */
  async withdraw(entrant: string): Promise<TournamentDocument> {
    return this.#service.send(`${this.#path}/entrants/${entrant}/withdrawal`);
  }

  /** Pairs the next round, and creates its matches; the tokens of their seats are told here. */
  async pair(settings: NewRound = {}): Promise<Round> {
    return this.#service.send(`${this.#path}/rounds`, settings);
  }

  /** Closes a round whose matches are over. */
  async closeRound(number: number): Promise<Round> {
    return this.#service.send(`${this.#path}/rounds/${number}/close`);
  }

  /** Gives or takes points, for a reason that stands in the log. */
  async correct(entrant: string, points: string, reason: string): Promise<TournamentDocument> {
    return this.#service.send(`${this.#path}/corrections`, { entrant, points, reason });
  }

  /** Closes the tournament. */
  async close(): Promise<TournamentDocument> {
    return this.#service.send(`${this.#path}/close`);
  }

  /** Exports the log: every event, chained by hash, and a signed head. */
  async log(): Promise<string> {
    return this.#service.text("GET", `${this.#path}/log`);
  }
}
