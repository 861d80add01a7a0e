// Plays a match with a client for each seat, and tells what each was told.
async ([url, key, game, count, options]) => {
  const { Gyoji, Seat } = await import("/index.ts");
  const match = await new Gyoji(url, { key }).matches.create(game, count, { options });
  const play = async ({ address }) => {
    const seat = new Seat(address);
    for await (const turn of seat.turns()) await turn.play(turn.legalMoves[0]);
    return seat;
  };
  const seats = await Promise.all(match.seats.map(play));
  const { status, result } = await match.read();
  return {
    match: match.id,
    status,
    result,
    results: seats.map((seat) => seat.result),
    receipts: seats.map((seat) => seat.receipts.length),
    verdict: (await match.audit()).verdict,
  };
}
