// What the verifier in JavaScript knows of Familiar's Trouble (web/static/verify.mjs says what each member means).

GAMES["familiars-trouble"] = (() => {
  const LEVELS = [1, 2, 3];
  const ERRANDS = [
    "1-R6 1-B6 1-G6 1-R9 1-B9 1-G9 1-R12 1-B12 1-G12",
    "2-R15 2-B15 2-G15 2-R18 2-B18 2-G18 2-R6B6 2-R6G6 2-B6G6",
    "3-R21 3-B21 3-G21 3-R12B5 3-B12G5 3-R5G12 3-R9B9 3-R9G9 3-B9G9",
  ].flatMap((ids, at) => ids.split(" ").map((id) => ({ id, level: at + 1 })));

  function isErrand(errand) {
    if (!hasExactly(errand, "id", "level", "requires", "points")) return false;
    if (!hasExactly(errand.requires, "red", "blue", "green")) return false;
    const needed = Object.values(errand.requires);
    return (
      matches(/^[A-Za-z0-9-]{1,32}$/, errand.id) && isWhole(errand.level, 1, 3) && isWhole(errand.points, 0, 9999) &&
      needed.every((count) => isWhole(count, 0, 9999)) && needed.some((count) => count > 0)
    );
  }

  const errandsOf = (options) => options.errands ?? ERRANDS;

  return {
    digests: { 1: "b8a742dcf9f99420d562899704992f06b567f8b4d4dec1ee50a785d55e90ddf8" },
    rules: ["FAM", 3, 4, 8, 3, 2, 3, 9],
    seats: [3, 3],
    passes: true,
    accepts(options) {
      const { opening, errands } = options;
      const isShaped = hasExactly(options, "hand_exchange", "errand_exchange", "opening", "lead_rule", "errands");
      const isAgreed = [options.hand_exchange, options.errand_exchange].every((value) => typeof value === "boolean");
      if (!isShaped || !isAgreed || !["attribute", "any"].includes(options.lead_rule)) return false;
      const isOpening = Array.isArray(opening) && opening.length === 3 && opening.every((count) => isWhole(count, 0, 9));
      if (!isOpening || !isWhole(opening[0] + opening[1] + opening[2], 1, 9)) return false;
      const list = errands === null ? ERRANDS : errands;
      if (!Array.isArray(list) || list.length > 99 || (errands !== null && !list.every(isErrand))) return false;
      const isEnough = opening.every((count, at) => list.filter(({ level }) => level === at + 1).length >= count);
      return isEnough && new Set(list.map(({ id }) => id)).size === list.length;
    },
    boxes: (options) => ({
      deck: cards({ R: run(3, 9), B: run(3, 9), G: run(3, 9), RB: [2], RG: [2], BG: [2], RBG: [1, 1, 1] }),
      errands: errandsOf(options).map(({ id }) => id),
    }),
    piles: ({ hands, draw, discard, trick, errands, piles, completed }) => ({
      deck: [...listOf(hands), draw, discard, laid(trick)],
      errands: [errands, completed, piles?.[1], piles?.[2], piles?.[3]],
    }),
    lies: ({ draw, errands, piles }) => [
      ["draw", draw], ["display", errands], ...LEVELS.map((level) => [level, piles?.[level]]),
    ],
    async deal(table) {
      const [hands, draw] = table.shared(await table.shuffled("attributes", table.boxes.deck), 5);
      const errands = [];
      const piles = {};
      for (const level of LEVELS) {
        const ids = errandsOf(table.options).filter((errand) => errand.level === level).map(({ id }) => id);
        const pile = await table.shuffled(`errands-${level}`, ids);
        errands.push(...pile.slice(0, table.options.opening[level - 1]));
        piles[level] = pile.slice(table.options.opening[level - 1]);
      }
      return { hands, draw, errands, piles };
    },
    hides: () => ({ exchange: "card" }),
    hidden: () => ({
      hands_dealt: { hands: "each", draw: "nobody", piles: "apart" },
      card_passed: { card: "both" },
      card_drawn: { card: "own" },
    }),
    follow: {
      card_passed: (table, event) => table.passes(event),
      card_drawn: (table, event) => table.draws(event, "draw"),
      errand_turned_up(table, { errand, level, type }) {
        table.lying.get("display").push(table.top(level, errand, type));
      },
      errand_replaced(table, { discarded, turned_up: turnedUp, level, type }) {
        table.takenFrom("display", discarded, type);
        table.lying.get("display").push(table.top(level, turnedUp, type));
        const under = table.lying.get(errandsOf(table.options).find(({ id }) => id === discarded)?.level);
        if (under === undefined) throw new Parting("moves", "event-wrong", { type });
        under.push(discarded);
      },
      errands_completed(table, { errands, type }) {
        if (!Array.isArray(errands)) throw new Parting("moves", "event-wrong", { type });
        for (const errand of errands) table.takenFrom("display", errand, type);
      },
    },
  };
})();
