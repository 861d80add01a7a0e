/** One service, as one caller: sends requests until they are answered. */

import { FeedReset, GyojiError, Problem, problemOf, Unreachable } from "./errors.ts";
import { EventParser, type StreamEvent } from "./event-parser.ts";
import { isRepeatable, pause, RETRIES, type Retries } from "./retries.ts";

export type Settings = {
  readonly language?: "en" | "ja";
  readonly retries?: Partial<Retries>;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Ends everything that is under way, and whatever is asked for later. */
  readonly signal?: AbortSignal;
};

export type Sending = {
  /** Under an `Idempotency-Key` of its own, so that it is carried out once however often it is sent. */
  readonly once?: boolean;
  /** Of the position that it is meant for (`If-Match`); `StalePosition` where there is another by now. */
  readonly seq?: number | undefined;
};

type Query = { readonly [name: string]: string | number | null | undefined };

export class Service {
  readonly url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #retries: Retries;
  readonly #fetch: typeof fetch;
  readonly #signal: AbortSignal | undefined;

  constructor(url: string, credential: string | null, settings: Settings = {}) {
    this.url = url.replace(/\/+$/, "");
    const authorization = credential === null ? {} : { Authorization: `Bearer ${credential}` };
    this.#headers = { "Accept-Language": settings.language ?? "en", ...authorization };
    this.#retries = { ...RETRIES, ...settings.retries };
    this.#fetch = settings.fetch ?? ((address, options) => fetch(address, options));
    this.#signal = settings.signal;
  }

  /** Reads a document; of the query what is null is left out. */
  async ask<Document>(path: string, query: Query = {}): Promise<Document> {
    const given = Object.entries(query).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, String(value)]]));
    const search = new URLSearchParams(given).toString();
    return (await this.answer("GET", search === "" ? path : `${path}?${search}`)).json() as Promise<Document>;
  }

  /** Sends a document, and reads what it is answered with. */
  async send<Document>(path: string, body?: unknown, { once = true, seq }: Sending = {}): Promise<Document> {
    const headers: Record<string, string> = {};
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (once) headers["Idempotency-Key"] = crypto.randomUUID();
    if (seq !== undefined) headers["If-Match"] = `"${seq}"`;
    const sent = body === undefined ? null : JSON.stringify(body);
    return JSON.parse(await this.text("POST", path, headers, sent)) as Document;
  }

  /** Sends a request until it is answered, and returns the answer, which has arrived whole. */
  async answer(method: string, path: string, headers: Record<string, string> = {}, body: BodyInit | null = null): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      let failure: GyojiError;
      try {
        const answer = await this.#fetch(this.url + path, { method, headers: { ...this.#headers, ...headers }, body, ...this.#ending() });
        if (answer.ok) return new Response(answer.status === 204 ? null : await answer.arrayBuffer(), answer);
        failure = await problemOf(answer);
      } catch (broken) {
        failure = this.#broken(broken, `${method} ${path}`);
      }
      await this.#wait(attempt, failure);
    }
  }

  /** The same, as text. */
  async text(method: string, path: string, headers: Record<string, string> = {}, body: BodyInit | null = null): Promise<string> {
    return (await this.answer(method, path, headers, body)).text();
  }

  /**
   * Follows server-sent events whose data are documents, from behind the event with that id on, until the service says that
   * nothing is left to come. A stream that breaks off is resumed. `FeedReset`: it cannot be.
   */
  async *stream<Document>(path: string, after: string | null = null): AsyncGenerator<Document, void, undefined> {
    for (let attempt = 0; ; attempt += 1) {
      let failure: GyojiError | null = null;
      const parser = new EventParser();
      try {
        for await (const event of this.#connection(path, after, parser)) {
          if (event === null) return;
          if (event.type === "reset") throw new FeedReset("the service does not have the event that the feed was to go on from");
          yield JSON.parse(event.data) as Document;
        }
      } catch (broken) {
        failure = this.#broken(broken, `GET ${path}`);
      }
      if (parser.last !== "") {
        after = parser.last;
        attempt = 0;
      }
      await this.#wait(attempt, failure);
    }
  }

  /** The events of one connection; `null`: none is left to come. */
  async *#connection(path: string, after: string | null, parser: EventParser): AsyncGenerator<StreamEvent | null, void, undefined> {
    const resumed = after === null ? {} : { "Last-Event-ID": after };
    const headers = { ...this.#headers, Accept: "text/event-stream", ...resumed };
    const answer = await this.#fetch(this.url + path, { headers, ...this.#ending() });
    if (!answer.ok) throw await problemOf(answer);
    if (answer.status === 204 || answer.body === null) {
      yield null;
      return;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield* parser.feed(piece.value);
    } finally {
      await reader.cancel().catch(() => undefined); // a stream that broke off cannot be cancelled
    }
  }

  #ending(): { signal?: AbortSignal } {
    return this.#signal === undefined ? {} : { signal: this.#signal };
  }

  /** What failed, if it may go well another time; else it is thrown. */
  #broken(failure: unknown, what: string): GyojiError {
    if (failure instanceof GyojiError && !(failure instanceof Problem)) throw failure;
    if (this.#signal?.aborted) throw failure;
    return failure instanceof Problem ? failure : new Unreachable(`${what}: ${String(failure)}`, { cause: failure });
  }

  /** Waits before the next attempt; throws the failure of the last one where another would be in vain. */
  async #wait(attempt: number, failure: GyojiError | null): Promise<void> {
    const refusal = failure instanceof Problem ? failure : null;
    const isFinal = attempt >= this.#retries.most || (refusal !== null && !isRepeatable(refusal));
    if (failure !== null && isFinal) throw failure;
    await new Promise((resolve) => setTimeout(resolve, pause(this.#retries, attempt, refusal?.retryAfter ?? null)));
    this.#signal?.throwIfAborted();
  }
}
