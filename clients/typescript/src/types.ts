/** The documents of the service, by game. `schema.ts` is made of the contract: `npm run generate`. */

import type { components } from "./schema.ts";

type Schemas = components["schemas"];

/** What the names of a game's shapes begin with. */
type Prefix = {
  catte: "Catte";
  "familiars-trouble": "FamiliarsTrouble";
  "tomorrow-never-meows": "TomorrowNeverMeows";
  towai: "Towai";
};

export type Game = keyof Prefix;
export type Move<G extends Game = Game> = Schemas[`${Prefix[G]}Move`];
export type State<G extends Game = Game> = Schemas[`${Prefix[G]}State`];
/** A position as a seat may know it: of what is hidden only how many cards there are. */
export type View<G extends Game = Game> = Schemas[`${Prefix[G]}View`];
export type Position<G extends Game = Game> = Schemas[`${Prefix[G]}Position`];
export type Adjudication<G extends Game = Game> = Schemas[`${Prefix[G]}Adjudication`];
/** A match as whoever asks may know it. */
export type MatchDocument<G extends Game = Game> = Schemas[`${Prefix[G]}Match`];
/** The answer to a move. */
export type Played<G extends Game = Game> = Schemas[`${Prefix[G]}MoveAnswer`];
/** Who sits where in a new match: a name, or a bot that the service plays. */
export type NewSeat = Schemas["NamedSeat"];
export type CreatedMatch = Schemas["CreatedMatch"];
export type FeedEvent = Schemas["FeedEvent"];
export type MatchResult = Schemas["MatchResult"];
export type Receipt = Schemas["Receipt"];
export type RulingRequest = Schemas["RulingRequest"];
export type RulingAnswer = Schemas["RulingAnswer"];
export type ClaimAnswer = Schemas["ClaimAnswer"];
export type Appended = Schemas["Appended"];
export type GameDescription = Schemas["GameDescription"];
export type TournamentDocument = Schemas["Tournament"];
export type NewTournament<G extends Game = Game> = Schemas[`${Prefix[G]}NewTournament`];
export type NewEntrant = Schemas["NewEntrant"];
export type NewRound = Schemas["NewRound"];
export type Round = Schemas["Round"];
export type Rule = Schemas["Rule"];
export type Standings = Schemas["Standings"];
export type SigningKey = Schemas["SigningKey"];
export type Verdict = Schemas["Verdict"];
