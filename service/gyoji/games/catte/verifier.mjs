// What the verifier in JavaScript knows of Catte (web/static/verify.mjs says what each member means).

GAMES["catte"] = (() => {
  const DECK = cards({ B: run(1, 13), W: run(1, 13), K: run(1, 15) });
  const CODES = cards({ B: run(1, 99), W: run(1, 99), K: run(1, 99) });
  const COFFEE = cards({ B: [1, 3, 5, 7, 9], W: [2, 4, 6, 8, 10], K: [5, 10, 15] });
  return {
    digests: { 1: "b093536413ea29562c7102e9a4747740ae7422001d11f08ceb575431f3cad75e" },
    rules: ["CAT", 4, 3, 1, 4, 3, 3, 3, 4],
    seats: [3, 4],
    accepts(options, seats) {
      const { deck } = options;
      if (!hasExactly(options, "bust_bonus", "deck") || !["keep", "forfeit"].includes(options.bust_bonus)) return false;
      if (deck === null) return true;
      const isDeck = Array.isArray(deck) && deck.every((card) => matches(/^[BWK][1-9][0-9]?$/, card));
      return isDeck && new Set(deck).size === deck.length && deck.length >= seats * (seats === 3 ? 13 : 10);
    },
    boxes: ({ deck }) => ({ deck: deck === null ? DECK : inHandOrder(deck, CODES), coffee: COFFEE }),
    piles: ({ hands, aside, trick, discard, coffee }) => ({
      deck: [...listOf(hands), aside, laid(trick), discard],
      coffee: [...listOf(coffee?.unused), ...listOf(coffee?.acquired), coffee?.centre === null ? [] : [coffee?.centre]],
    }),
    rows: ({ coffee }) => ({ coffee: coffee.unused }),
    async deal(table) {
      const three = table.seats === 3;
      const [hands, aside] = table.shared(await table.shuffled("cats", table.boxes.deck), three ? 13 : 10);
      const [unused, rest] = table.shared(await table.shuffled("coffee", COFFEE), three ? 4 : 3, COFFEE);
      return { hands, aside, coffee: { unused, acquired: hands.map(() => []), centre: rest[0] } };
    },
    hidden: () => ({
      hands_dealt: { hands: "each", aside: "nobody" },
    }),
  };
})();
