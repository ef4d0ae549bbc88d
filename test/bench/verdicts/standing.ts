/**
 * Computes what as-is runs that were made before could add to a measurement, if its error rate is to hold although something
 * changed since, unseen: the information of the most powerful test of a saving of 20 % against none, over that of the same
 * number of runs in pairs.
 *
 *   npm run bench -- verdicts-standing
 */
const saving = -Math.log(1 - 0.2);
const variance = 0.3 ** 2;
/** Runs of a measurement of 3 million tokens, and as-is runs before it. */
const [runs, progress] = [42, 200];

/**
 * Squared standardized distance between the saving without a drift and the nearest world without a saving,
 * with a drift of at most the bound. No test that holds its error in all of these distinguishes it better
 * (Lehmann and Romano 2005, 3.8).
 */
function information(controls: number, bound: number): number {
  const [withRule, asIs, before] = [runs - controls, controls, progress];
  const [own, fresh, earlier] = [variance / withRule, variance / asIs, variance / before];
  const determinant = (own + earlier) * (fresh + earlier) - earlier ** 2;
  const steps = 2000;
  let least = Infinity;
  for (let step = 0; step <= steps; step += 1) {
    // Beyond the saving itself, a drift only parts the two further.
    const drift = (Math.min(bound, saving) * step) / steps;
    const [rule, control] = [saving - drift, -drift];
    const squares =
      rule ** 2 * (fresh + earlier) - 2 * rule * control * earlier + control ** 2 * (own + earlier);
    least = Math.min(least, squares / determinant);
  }
  return least;
}

const inPairs = information(runs / 2, Infinity);
console.log(`${runs} runs, ${progress} as-is runs from before; information over that of pairs alone`);
console.log("hidden drift up to   a half interleaved   a third   a sixth");
for (const percent of [0, 2, 5, 10, 20]) {
  const bound = -Math.log(1 - percent / 100);
  const gains = [2, 3, 6].map((part) => (information(runs / part, bound) / inPairs).toFixed(2));
  console.log(
    `${`${percent} %`.padStart(20)} ${(gains[0] ?? "").padStart(20)} ${(gains[1] ?? "").padStart(9)} ${(gains[2] ?? "").padStart(9)}`,
  );
}
