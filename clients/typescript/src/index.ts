/** A client for gyoji, the referee of tabletop card games. */

export {
  BadReceipt,
  ClaimRefused,
  FeedReset,
  Forbidden,
  GyojiError,
  IllegalMove,
  ImpossibleState,
  InvalidRequest,
  MatchFinished,
  MatchNotRunning,
  NotFound,
  Problem,
  ReplayRefused,
  RulingRefused,
  StalePosition,
  TokenExpired,
  Unauthenticated,
  Unreachable,
} from "./errors.ts";
export { Games, Gyoji, Match, Matches, type SeatToken } from "./gyoji.ts";
export { checkReceipt } from "./receipts.ts";
export type { Retries } from "./retries.ts";
export { Seat, Turn } from "./seat.ts";
export { Tournament, Tournaments } from "./tournaments.ts";
export { Service, type Sending, type Settings } from "./service.ts";
export type * from "./types.ts";
