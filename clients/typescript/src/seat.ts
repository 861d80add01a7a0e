/** One seat of a match, as its player. */

import { FeedReset } from "./errors.ts";
import { checkReceipt } from "./receipts.ts";
import { Service, type Settings } from "./service.ts";
import type { ClaimAnswer, FeedEvent, Game, MatchDocument, MatchResult, Move, Played, Receipt, SigningKey, View } from "./types.ts";

/** How a match stands that has ended. */
const OVER: readonly string[] = ["finished", "voided"];

/** One decision of a seat. */
export class Turn<G extends Game = Game> {
  /** The match as the seat may know it. */
  readonly match: MatchDocument<G>;
  /** Whether a move was sent, accepted or not. */
  isAnswered = false;
  readonly #seat: Seat<G>;

  constructor(seat: Seat<G>, match: MatchDocument<G>) {
    this.#seat = seat;
    this.match = match;
  }

  get view(): View<G> {
    return this.match.view as View<G>;
  }

  /** The moves that may be made, each complete. */
  get legalMoves(): readonly Move<G>[] {
    return this.match.legal_moves as Move<G>[];
  }

  /** The number of the last event that the position comes from. */
  get seq(): number {
    return this.match.seq;
  }

  /**
   * Makes a move, once, however often it has to be sent. `IllegalMove` where the referee refuses it, `StalePosition` where the
   * match has moved on; then the next turn is another one.
   */
  async play(move: Move<G>): Promise<Played<G>> {
    this.isAnswered = true;
    return this.#seat.play(move, this.seq);
  }

  /** Asks whether a move would be accepted, without making it; `IllegalMove` says why not. */
  async wouldBeLegal(move: Move<G>): Promise<boolean> {
    const sent = { move, dry_run: true };
    const answer = await this.#seat.service.send<{ legal: boolean }>(`${this.#seat.path}/moves`, sent, { once: false, seq: this.seq });
    return answer.legal;
  }
}

export class Seat<G extends Game = Game> {
  readonly service: Service;
  readonly matchId: string;
  readonly path: string;
  /** The receipts of the moves that were accepted, each checked: what the service cannot deny. */
  readonly receipts: Receipt[] = [];
  /** How the match ended, once it has; null too where it was voided. */
  result: MatchResult | null = null;
  #keys: readonly SigningKey[] | null;
  readonly #asksKeys: boolean;

  /**
   * `address` is that of the match's page with the seat's token (`SeatToken.address`). `keys` are the public keys that receipts
   * are checked with, from a source that is trusted; without them, those that the service itself names.
   */
  constructor(address: string, { keys = null, ...settings }: Settings & { readonly keys?: readonly SigningKey[] | null } = {}) {
    const page = new URL(address);
    const found = /^(.*)\/matches\/([^/]+)$/.exec(page.pathname);
    const token = new URLSearchParams(page.hash.slice(1)).get("token");
    if (found === null || token === null) throw new TypeError("not the address of a seat: …/matches/{id}#token=…");
    this.service = new Service(page.origin + found[1], token, settings);
    this.matchId = found[2] as string;
    this.path = `/v1/matches/${this.matchId}`;
    this.#keys = keys;
    this.#asksKeys = keys === null;
  }

  /** Reads the match as the seat may know it. */
  async read(): Promise<MatchDocument<G>> {
    return this.service.ask(this.path);
  }

  /**
   * Makes a move; `seq` is the number of the last event that it was decided on. `BadReceipt` where the service does not prove that
   * it has accepted it.
   */
  async play(move: Move<G>, seq?: number): Promise<Played<G>> {
    const played = await this.service.send<Played<G>>(`${this.path}/moves`, { move }, { seq });
    await this.#keep(played.receipt, played.seq);
    return played;
  }

  /** Claims that the time of another seat is up; `ClaimRefused` where it is not. */
  async claim(): Promise<ClaimAnswer> {
    return this.service.send(`${this.path}/claims`);
  }

  /** Follows the events behind that number as the seat may know them, until none are left to come. */
  feed(after: number | null = null): AsyncGenerator<FeedEvent, void, undefined> {
    return this.service.stream(`${this.path}/stream`, after === null ? null : String(after));
  }

  /**
   * Waits for the turns of the seat, one after the other, until the match is over; `result` says how it ended. A turn that was
   * answered with a move that did not count comes again. One that was not answered comes again when something has happened.
   */
  async *turns(): AsyncGenerator<Turn<G>, void, undefined> {
    let match = await this.read();
    while (!OVER.includes(match.status)) {
      const events = this.feed(match.seq);
      try {
        while (!OVER.includes(match.status)) {
          const turn = new Turn(this, match);
          if (turn.legalMoves.length > 0) yield turn;
          if (!turn.isAnswered) await awaitNews(events, match);
          match = await this.read();
        }
      } catch (failure) {
        if (!(failure instanceof FeedReset)) throw failure;
        match = await this.read();
      } finally {
        await events.return();
      }
    }
    this.result = match.result;
  }

  async #keep(receipt: Receipt, seq: number): Promise<void> {
    if (this.#asksKeys && !this.#keys?.some((each) => each.key === receipt.key)) {
      this.#keys = (await this.service.ask<{ keys: SigningKey[] }>("/v1/keys")).keys; // none is known yet, or there is a new one
    }
    await checkReceipt(receipt, this.#keys ?? [], this.matchId, seq);
    this.receipts.push(receipt);
  }
}

/** Waits until the seat may move after an event that is not known yet, or nobody may. */
async function awaitNews(events: AsyncGenerator<FeedEvent, void, undefined>, match: MatchDocument): Promise<void> {
  const seat = match.viewer.role === "seat" ? match.viewer.seat : null;
  for (let next = await events.next(); !next.done; next = await events.next()) {
    const acting = next.value.to_act.map((each) => each.seat);
    const concerns = acting.length === 0 || acting.some((each) => each === seat);
    if (next.value.seq > match.seq && concerns) return;
  }
}
