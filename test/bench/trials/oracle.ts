import { normalDensity, normalUpperQuantile } from "../../../src/engine/verdict/statistics/normal.ts";
import { logSaved, makeSessions, ruleIds, strayBy, world } from "./world.ts";

/** Points at which the law of sessions astray is added up. */
const points = 60;
const strays = Array.from({ length: points }, (_, index) => strayBy((index + 0.5) / points));

/**
 * How often a rule is found by who knows all but whether it saves: each session's variance, what its project, branch, hour and first
 * prompt take, what all other rules save, and the law by which sessions go astray. One look, at the end, with all of the error: the
 * self-normalized sum of signed scores of that law, which no test exceeds by more than its approximation (Neyman and Pearson's,
 * for small effects, where the level that all sessions share is not known). What an analysis of the sessions finds is less.
 */
export function foundByOracle(lives: number, offset: number, planned: number, alpha: number) {
  const boundary = normalUpperQuantile(alpha);
  const found = new Map(ruleIds.map((id) => [id, 0]));
  for (let life = 0; life < lives; life += 1) {
    const sessions = makeSessions(offset + life, planned);
    for (const id of ruleIds) {
      let [sum, squares] = [0, 0];
      for (const { given, meanLog, expected, completed } of sessions) {
        const others = [...given]
          .filter((each) => each !== id)
          .reduce((total, each) => total + logSaved(each), 0);
        // The middle between sessions with the rule and without it.
        const left = meanLog - expected - others - logSaved(id) / 2;
        const score = scoreOf(left, Math.hypot(world.session, world.prompt / Math.sqrt(completed)));
        sum += given.has(id) ? -score : score;
        squares += score * score;
      }
      if (sum / Math.sqrt(squares) > boundary) found.set(id, (found.get(id) ?? 0) + 1);
    }
  }
  return found;
}

/** The negative derivative of the log density of the residual: large for an informative session. */
function scoreOf(left: number, deviation: number): number {
  let [density, slope] = [0, 0];
  const add = (share: number, center: number) => {
    const part = share * normalDensity((left - center) / deviation);
    density += part;
    slope += (part * (left - center)) / deviation ** 2;
  };
  add(1 - world.astray, 0);
  for (const stray of strays) add(world.astray / points, stray);
  return slope / density;
}
