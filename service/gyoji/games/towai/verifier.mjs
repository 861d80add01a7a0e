// What the verifier in JavaScript knows of TOWAI (web/static/verify.mjs says what each member means).

GAMES["towai"] = {
  digests: { 1: "28167254728aeed8eaad36827ee12c2e437f80970ba0d51dce0aefdc4124c082" },
  rules: ["TOW", 2, 2, 3, 2, 5, 4, 3, 12],
  seats: [2, 6],
  passes: true,
  accepts: (options) =>
    hasExactly(options, "finishes_to_win", "first_card", "reform") && isWhole(options.finishes_to_win, 1, 3) &&
    ["matching", "any"].includes(options.first_card) && ["either", "discard"].includes(options.reform),
  boxes: () => ({
    deck: cards({
      D: each(run(3, 7), 4),
      N: each(run(1, 5), 4),
      T: [...each([1, 2, 3], 3), 4, 4, ...each([5, 6, 7], 3)],
    }),
  }),
  piles: ({ hands, deck, pile, discard }) => ({ deck: [...listOf(hands), deck, pile, discard] }),
  lies: ({ deck, pile, discard }) => [["deck", deck], ["pile", pile], ["discard", discard]],
  open: ["pile", "discard"],
  async deal(table) {
    const [hands, deck] = table.shared(await table.shuffled("deck", table.boxes.deck), 7);
    return { hands, deck };
  },
  hides: () => ({ swap: "card" }),
  hidden: () => ({
    hands_dealt: { hands: "each", deck: "nobody" },
    card_drawn: { card: "own" },
    deck_reformed: { deck: "nobody" },
    swap_chosen: { card: "own" },
    card_passed: { card: "both" },
  }),
  together: () => ({ made: "swap_chosen", opens: "swap_begun", phase: "swap" }),
  follow: {
    card_played(table, event) {
      table.plays(event);
      table.lying.get("pile").push(event.card);
    },
    pile_discarded(table, { cards: discarded, type }) {
      const { lying } = table;
      if (canonical(discarded ?? null) !== canonical(lying.get("pile"))) throw new Parting("moves", "event-wrong", { type });
      lying.set("discard", [...lying.get("discard"), ...lying.get("pile")]);
      lying.set("pile", []);
    },
    card_drawn: (table, event) => table.draws(event, "deck"),
    card_passed: (table, event) => table.passes(event),
    /** TOW-6.3: all but the top of the play pile, and the discard. */
    async deck_reformed(table, event) {
      const { type, count } = event;
      const { lying } = table;
      const taken = [...lying.get("pile").slice(0, -1), ...lying.get("discard")];
      if (lying.get("deck").length > 0 || taken.length === 0) throw new Parting("moves", "event-wrong", { type });
      if (count !== taken.length) throw table.parting("/count", taken.length, isSeq(count) ? count : null);
      const ordered = inHandOrder(taken, table.boxes.deck);
      const deck = await table.shuffled("reform", ordered);
      table.compare(event, "deck", deck);
      if (table.root === null && !isWithin(event.deck, ordered)) throw table.parting("/cards");
      lying.set("deck", table.root === null ? [...event.deck] : deck);
      lying.set("pile", lying.get("pile").slice(-1));
      lying.set("discard", []);
    },
  },
};
