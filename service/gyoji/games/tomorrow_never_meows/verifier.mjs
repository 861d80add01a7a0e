// What the verifier in JavaScript knows of Tomorrow Never Meows (web/static/verify.mjs says what each member means).

GAMES["tomorrow-never-meows"] = {
  digests: { 1: "0de22b747128a6058141eb8ad119790bb9c54e41235e1145d43769473ade2f84" },
  rules: ["TNM", 4, 7, 6, 6, 4, 6, 4, 11],
  seats: [3, 4],
  accepts(options, seats) {
    const { rounds, wish_points: points, concealed, bluff_scoring: bluffs } = options;
    const isPoint = (value) => isWhole(value, -9, 9);
    const isRow = (row) => hasExactly(row, "F", "C", "R", "T", "S") && Object.values(row).every(isPoint);
    const isTable = hasExactly(points, "fine", "cloudy", "rainy", "thunder") && Object.values(points).every(isRow);
    return (
      hasExactly(options, "rounds", "round_leader", "wishes", "concealed", "bluff_scoring", "wish_points") &&
      isWhole(rounds, 3, Math.max(3, seats)) && ["lowest_score", "clockwise"].includes(options.round_leader) &&
      ["all", "basic"].includes(options.wishes) && typeof concealed === "boolean" && (points === null || isTable) &&
      (bluffs === "none" || (bluffs === "per_trick" && concealed))
    );
  },
  boxes: () => ({ deck: cards({ F: run(1, 10), C: run(1, 10), R: run(1, 10), T: run(1, 3), S: run(1, 3) }) }),
  piles: ({ hands, aside, trick, captured }) => ({ deck: [...listOf(hands), aside, laid(trick), ...listOf(captured)] }),
  async deal(table) {
    const size = table.seats === 3 ? 10 : 8;
    const [hands, aside] = table.shared(await table.shuffled("deck", table.boxes.deck), size);
    return { hands, aside };
  },
  hides: ({ concealed }) => (concealed ? { wish: "wish" } : {}),
  hidden: ({ concealed }) => ({
    hands_dealt: { hands: "each", aside: "nobody" },
    wish_chosen: concealed ? { wish: "own" } : {},
  }),
  together: ({ concealed }) => (concealed ? { made: "wish_chosen", opens: "hands_dealt", phase: "wish" } : null),
};
