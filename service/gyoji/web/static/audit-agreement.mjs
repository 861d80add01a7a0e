// Whether two verdicts on one file go together. The second verifier does not know the rules of play, so that it leaves
// checks open that the service makes; only of a check that both have made can they contradict each other.

const GOOD = ["verified", "verified_with_rulings", "verified_partial"];

/**
 * How two verdicts stand to each other, or null where one is missing: a `word` for it, its `kind` (good, part, bad), and
 * the `checks` that it is about.
 */
export function compared(service, second) {
  if (service === null || second === null) return null;
  if (service.verdict === second.verdict) return { word: "same", kind: "good", checks: [] };
  const apart = opposed(service, second);
  if (apart.includes("head") && [service, second].some(({ verdict }) => verdict === "key_untrusted")) return { word: "keys", kind: "part", checks: [] };
  const [isGood, isToo] = [service, second].map(({ verdict }) => GOOD.includes(verdict));
  if (isGood && isToo) return { word: "alike", kind: "good", checks: [] };
  if (!isGood && !isToo) return { word: "refused", kind: "good", checks: [] };
  if (apart.length > 0) return { word: "never", kind: "bad", checks: apart };
  return { word: "alone", kind: "part", checks: [verdictsApart(service, second).first.check] };
}

/** The checks that one says have passed and the other says have failed. */
function opposed(service, second) {
  const results = service.checks.map(({ check, result }) => [check, result, second.checks.find((one) => one.check === check)?.result]);
  return results.filter(([, ...both]) => both.includes("pass") && both.includes("fail")).map(([check]) => check);
}

/** The first divergence: the service's, else the second's; with the verdict that tells of it. Null where there is none. */
export function verdictsApart(service, second) {
  const verdict = [service, second].find((one) => one?.first_divergence) ?? null;
  return verdict && { first: verdict.first_divergence, verdict, isSecond: verdict === second };
}
