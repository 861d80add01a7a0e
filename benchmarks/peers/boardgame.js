// boardgame.io's pure reducer, random games of one trick-taking game against the clock; prints a line of JSON.
//
// usage: NODE_ENV=production NODE_PATH=... node boardgame.js SECONDS NUMBER [replay] [turns]
//
// With "turns" it measures once for every line that it reads, after a warm-up.
//
// With "replay": games that were played before are read from JSON text, their moves sent through the reducer again,
// and the points compared; what it takes to check a game that was kept.
//
// The game: four seats, 52 cards, thirteen tricks; follow the suit that was led; the highest card of that suit takes
// the trick; a heart costs 1 point, the queen of spades 13. A move is: list the legal moves, send the chosen one
// through the reducer. Deals and the drawing of random numbers stand outside the clock, which is the processor time of
// the playing thread (elapsed time where the system doesn't tell), so that a busy machine changes little.
"use strict";

const fs = require("node:fs");
const readline = require("node:readline");
const { INVALID_MOVE } = require("boardgame.io/core");
const { CreateGameReducer, InitializeGame } = require("boardgame.io/internal");

const WARM_UP = 1.5; // seconds of processor time until the compiler has settled
const BATCH = 10; // games between two looks at the clock, which is exact to a few milliseconds
const SEATS = 4;
const TRICKS = 13;
const HEIGHT = new Map(Array.from("23456789TJQKA", (rank, height) => [rank, height]));
const PACK = Array.from("CDHS").flatMap((suit) => Array.from(HEIGHT.keys(), (rank) => suit + rank));

const [seconds, number] = process.argv.slice(2, 4).map(Number);
const how = process.argv.slice(4);
const replaying = how.includes("replay");
let word = (number + 1) * 0x9e3779b1;

// xorshift32 in [0, 1)
function drawn() {
  word ^= word << 13;
  word ^= word >>> 17;
  word ^= word << 5;
  return (word >>> 0) / 2 ** 32;
}

function shuffledPack() {
  const pack = PACK.slice();
  for (let last = pack.length - 1; last > 0; last--) {
    const at = Math.floor(drawn() * (last + 1));
    const card = pack[at];
    pack[at] = pack[last];
    pack[last] = card;
  }
  return pack;
}

function playable(G, seat) {
  const hand = G.hands[seat];
  if (G.trick.length === 0) return hand;
  const following = hand.filter((card) => card[0] === G.trick[0].card[0]);
  return following.length > 0 ? following : hand;
}

function cost(card) {
  if (card === "SQ") return 13;
  return card[0] === "H" ? 1 : 0;
}

function takenBy(trick) {
  let best = trick[0];
  for (const play of trick)
    if (play.card[0] === best.card[0] && HEIGHT.get(play.card[1]) > HEIGHT.get(best.card[1])) best = play;
  return best.seat;
}

function playCard({ G, playerID, events }, card) {
  const seat = Number(playerID);
  if (!playable(G, seat).includes(card)) return INVALID_MOVE;
  const hand = G.hands[seat];
  hand.splice(hand.indexOf(card), 1);
  G.trick.push({ seat, card });
  if (G.trick.length < SEATS) {
    events.endTurn();
    return undefined;
  }
  const winner = takenBy(G.trick);
  for (const play of G.trick) G.points[winner] += cost(play.card);
  G.trick = [];
  G.taken += 1;
  events.endTurn({ next: String(winner) });
  return undefined;
}

const game = {
  name: "tricks",
  disableUndo: true,
  moves: { playCard },
  setup() {
    const pack = shuffledPack();
    const hands = [0, 1, 2, 3].map((seat) => pack.slice(seat * TRICKS, (seat + 1) * TRICKS));
    return { hands, trick: [], taken: 0, points: [0, 0, 0, 0] };
  },
  endIf: ({ G }) => (G.taken === TRICKS ? { points: G.points } : undefined),
};

const reduce = CreateGameReducer({ game });

const SCHEDULED = "/proc/thread-self/schedstat";
const told = fs.existsSync(SCHEDULED);

function clock() {
  return told ? Number(fs.readFileSync(SCHEDULED, "latin1").split(" ")[0]) / 1e9 : performance.now() / 1e3;
}

function dealt() {
  const draws = Array.from({ length: SEATS * TRICKS }, drawn);
  return { first: InitializeGame({ game, numPlayers: SEATS }), draws };
}

function playedOut({ first, draws }) {
  let state = first;
  let moves = 0;
  while (state.ctx.gameover === undefined) {
    const playerID = state.ctx.currentPlayer;
    const cards = playable(state.G, playerID);
    const card = cards[Math.floor(draws[moves] * cards.length)];
    state = reduce(state, { type: "MAKE_MOVE", payload: { type: "playCard", args: [card], playerID } });
    moves += 1;
  }
  const points = state.ctx.gameover.points.reduce((sum, seat) => sum + seat, 0);
  if (moves !== PACK.length || points !== 26) throw new Error(`${moves} moves, ${points} points`);
  return moves;
}

function kept() {
  const { first, draws } = dealt();
  let state = first;
  const log = [];
  while (state.ctx.gameover === undefined) {
    const playerID = state.ctx.currentPlayer;
    const cards = playable(state.G, playerID);
    const card = cards[Math.floor(draws[log.length] * cards.length)];
    const move = { type: "MAKE_MOVE", payload: { type: "playCard", args: [card], playerID } };
    log.push(move);
    state = reduce(state, move);
  }
  return { first: JSON.stringify(first), log: JSON.stringify(log), points: JSON.stringify(state.G.points) };
}

function replayed({ first, log, points }) {
  let state = JSON.parse(first);
  let moves = 0;
  for (const move of JSON.parse(log)) {
    state = reduce(state, move);
    moves += 1;
    if (state._stateID !== moves) throw new Error("an illegal move was kept");
  }
  if (state.ctx.gameover === undefined || JSON.stringify(state.G.points) !== points) throw new Error("other points");
  return moves;
}

const [made, run] = replaying ? [kept, replayed] : [dealt, playedOut];

function measured() {
  let games = 0;
  let moves = 0;
  let spent = 0;
  while (spent < seconds) {
    const batch = Array.from({ length: BATCH }, made);
    const begun = clock();
    for (const one of batch) moves += run(one);
    spent += clock() - begun;
    games += BATCH;
  }
  console.log(JSON.stringify({ moves_per_second: moves / spent, moves_per_game: moves / games }));
}

while (process.cpuUsage().user / 1e6 < WARM_UP) run(made());
if (how.includes("turns")) readline.createInterface({ input: process.stdin }).on("line", measured);
else measured();
