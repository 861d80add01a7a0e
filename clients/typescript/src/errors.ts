/** The errors of this package. Every refusal of the service is a `Problem`: problem details (RFC 9457) with a code. */

export type ProblemDocument = { readonly [member: string]: unknown };

/** Anything that this package throws. */
export class GyojiError extends Error {}

/** The service gave no answer, however often it was asked. What was asked for may have been done or not. */
export class Unreachable extends GyojiError {}

/** A receipt does not prove that the service accepted the move. */
export class BadReceipt extends GyojiError {}

/** The log has not come to the event that a feed was to go on from: a backup was restored. Forget what you know of the match. */
export class FeedReset extends GyojiError {}

/** The service refused. `code` says why, and stays the same; `title` and `detail` are sentences for people. */
export class Problem extends GyojiError {
  /** The problem details as they came. */
  readonly document: ProblemDocument;
  /** Such as `illegal-move`; the service explains each at `/problems/{code}`. */
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The id under which the service has logged the request. */
  readonly requestId: string | null;
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | null;

  constructor(document: ProblemDocument, requestId: string | null = null, retryAfter: number | null = null) {
    const said = (member: string) => (typeof document[member] === "string" ? (document[member] as string) : "");
    super(said("detail") || said("title") || said("code"));
    this.document = document;
    this.code = said("code");
    this.status = typeof document["status"] === "number" ? document["status"] : 0;
    this.title = said("title");
    this.detail = said("detail");
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** The referee refused a move. */
export class IllegalMove<Move = unknown> extends Problem {
  /** Why, as a word: `rule-violation`, `not-your-turn`, `card-not-in-hand`… */
  get reason(): string {
    return this.document["reason"] as string;
  }

  /** The id of the rule that forbids the move, such as `CAT-3.1`, where one does. */
  get rule(): string | null {
    return (this.document["rule"] as string | null | undefined) ?? null;
  }

  /** The facts in one sentence, only such as the seat may know. */
  get because(): string {
    return this.document["because"] as string;
  }

  /** The moves that the seat may make instead. */
  get legalMoves(): readonly Move[] {
    return this.document["legal_moves"] as Move[];
  }
}

/** The match has moved on since the position that was decided on. */
export class StalePosition extends Problem {}

/** The match is over. */
export class MatchFinished extends Problem {}

/** The match waits for its deal, or is paused. */
export class MatchNotRunning extends Problem {}

/** One thing that is wrong, and where in the request. */
export type Place = { readonly pointer: string; readonly code: string; readonly message: string };

/** No game can come to that position. */
export class ImpossibleState extends Problem {
  get findings(): readonly Place[] {
    return this.document["findings"] as Place[];
  }
}

/** The request has not the shape that the contract demands. */
export class InvalidRequest extends Problem {
  get errors(): readonly Place[] {
    return this.document["errors"] as Place[];
  }
}

/** A replay file was not stored; `verdict` is what the audit found, as a word, and `document` has the rest of it. */
export class ReplayRefused extends Problem {
  get verdict(): string {
    return this.document["verdict"] as string;
  }
}

/** A referee's ruling cannot be made; `reason` says why. */
export class RulingRefused extends Problem {
  get reason(): string {
    return this.document["reason"] as string;
  }
}

/** The time of a seat is not up, or cannot be claimed; `reason` says why. */
export class ClaimRefused extends Problem {
  get reason(): string {
    return this.document["reason"] as string;
  }
}

/** The key or token is missing, unknown or revoked. */
export class Unauthenticated extends Problem {}

/** The time of the token is over. */
export class TokenExpired extends Problem {}

/** That is not for this key or token to do. */
export class Forbidden extends Problem {}

/** There is no such thing, or it is not for the caller to know of. */
export class NotFound extends Problem {}

const KINDS: { readonly [code: string]: typeof Problem } = {
  "illegal-move": IllegalMove,
  "stale-position": StalePosition,
  "match-finished": MatchFinished,
  "match-not-running": MatchNotRunning,
  "impossible-state": ImpossibleState,
  "invalid-request": InvalidRequest,
  "replay-refused": ReplayRefused,
  "ruling-refused": RulingRefused,
  "claim-refused": ClaimRefused,
  unauthenticated: Unauthenticated,
  "token-expired": TokenExpired,
  forbidden: Forbidden,
  "not-found": NotFound,
};

/** The refusal that an answer is; something between may have answered with what is none of the service's. */
export async function problemOf(answer: Response): Promise<Problem> {
  const parsed: unknown = await answer.json().catch(() => null);
  const isObject = typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  const document = isObject ? (parsed as ProblemDocument) : { status: answer.status, title: answer.statusText };
  const after = answer.headers.get("Retry-After") ?? "";
  const kind = KINDS[String(document["code"])] ?? Problem;
  return new kind(document, answer.headers.get("X-Request-ID"), /^\d+$/.test(after) ? Number(after) : null);
}
