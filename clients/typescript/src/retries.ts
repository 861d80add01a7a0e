/** Decides which answers are asked for again, and after which pause. */

import type { Problem } from "./errors.ts";

export type Retries = {
  /** Attempts after the first. */
  readonly most: number;
  /** Milliseconds of the first pause at most; each that follows may be twice as long. */
  readonly first: number;
  /** Milliseconds of any pause of our own choice. */
  readonly longest: number;
};

export const RETRIES: Retries = { most: 8, first: 200, longest: 20_000 };

/** Statuses of answers that say nothing of what was asked for, but that it was not done now. */
const REPEATED = [429, 502, 503, 504];

/** Whether a request that was refused so may succeed when it is sent again as it is. */
export function isRepeatable(refusal: Problem): boolean {
  return REPEATED.includes(refusal.status) || refusal.code === "idempotency-in-progress";
}

/**
 * Milliseconds to wait after a failed attempt, counted from 0: what the service says and a little more, else a random part of a
 * time that doubles, so that many clients do not come back at once.
 */
export function pause(retries: Retries, attempt: number, retryAfter: number | null): number {
  const own = Math.random() * Math.min(retries.longest, retries.first * 2 ** attempt);
  return retryAfter === null ? own : retryAfter * 1000 + Math.min(own, 1000);
}
