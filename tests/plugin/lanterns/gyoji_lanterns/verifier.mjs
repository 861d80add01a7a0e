// What the verifier in JavaScript knows of Lanterns.

GAMES["lanterns"] = {
  digests: { 1: "2eb38b99525bd6ffbd94c3cfc8c772d1c7448300e28346ae0c6637bc935e6ab1" },
  rules: ["LAN", 2, 2, 2, 2, 1],
  seats: [3, 3],
  accepts: (options) => hasExactly(options, "rounds") && isWhole(options.rounds, 1, 3),
  boxes: () => ({ deck: cards({ A: run(1, 9), B: run(1, 9), C: run(1, 9) }) }),
  piles: ({ hands, aside, trick, discard }) => ({ deck: [...listOf(hands), aside, laid(trick), discard] }),
  async deal(table) {
    const [hands, aside] = table.shared(await table.shuffled("deck", table.boxes.deck), 8);
    return { hands, aside };
  },
  hidden: () => ({ hands_dealt: { hands: "each", aside: "nobody" } }),
};
