import type { TriedSession } from "../../../src/engine/rules/trial/analyse.ts";
import { drawRules } from "../../../src/engine/rules/trial/assign.ts";
import { seededRandom } from "../../engine/support/seeded-random.ts";

/** The rules' true savings of a completed prompt's tokens. */
export const truths: ReadonlyMap<string, number> = new Map([
  ["nothing", 0],
  ["nothing-either", 0],
  ["saves-10", 0.1],
  ["saves-20", 0.2],
  ["costs-10", -0.1],
]);
export const ruleIds = [...truths.keys()];

/** Standard deviations and effects on log tokens. */
export const world = {
  prompt: 0.9,
  session: 0.25,
  project: 0.4,
  hour: 0.15,
  perLogChar: 0.1,
  feature: 0.1,
  /** These take 1.5 to several times as much, as in the world of `bench -- verdicts-lives`. */
  astray: 0.05,
};

interface SimulatedSession extends TriedSession {
  /** Its expected mean log tokens, from what is known before the draw. No analysis uses it. */
  readonly expected: number;
}

export function makeSessions(
  seed: number,
  planned: number,
  saved: ReadonlyMap<string, number> = truths,
): SimulatedSession[] {
  const chances = new Map([...saved.keys()].map((id) => [id, 0.5]));
  const random = seededRandom(seed);
  const projects = Array.from({ length: 4 }, () => world.project * random.normal());
  const hours = Array.from({ length: 4 }, () => world.hour * random.normal());
  return Array.from({ length: planned }, (_, index): SimulatedSession => {
    const { given, withheld } = drawRules(`trial ${seed}`, `session ${index}`, chances);
    const project = random.below(projects.length);
    const hour = random.below(24);
    const promptChars = Math.round(Math.exp(5 + 1.2 * random.normal()));
    const isFeature = random.next() < 0.6;
    const change = given.reduce((sum, id) => sum + logSaved(id, saved), 0);
    const expected =
      10 +
      (projects[project] ?? 0) +
      (hours[Math.floor(hour / 6)] ?? 0) +
      world.perLogChar * Math.log(1 + promptChars) +
      (isFeature ? world.feature : 0);
    const mean =
      expected +
      change +
      world.session * random.normal() +
      (random.next() < world.astray ? strayBy(random.next()) : 0);
    const logs = Array.from({ length: 5 + random.below(16) }, () => mean + world.prompt * random.normal());
    const done = logs.filter(() => random.next() < 0.95);
    const completed = Math.max(1, done.length);
    const kept = done.length === 0 ? logs.slice(0, 1) : done;
    const meanLog = kept.reduce((sum, log) => sum + log, 0) / completed;
    return {
      given: new Set(given),
      withheld: new Set(withheld),
      known: { place: `p${project}`, branchKind: isFeature ? "feature" : "trunk", promptChars, hour },
      chances,
      completed,
      meanLog,
      logTotal: Math.log(logs.reduce((sum, log) => sum + Math.exp(log), 0)),
      squares: kept.reduce((sum, log) => sum + (log - meanLog) ** 2, 0),
      undone: logs.length - completed,
      heard: logs.length,
      corrections: 0,
      expected,
    };
  });
}

/** Change of a session's log tokens by a rule that it has. */
export function logSaved(ruleId: string, saved: ReadonlyMap<string, number> = truths): number {
  return Math.log(1 - (saved.get(ruleId) ?? 0));
}

/** Log tokens that a session astray takes more. @param share from 0 to 1, evenly distributed */
export function strayBy(share: number): number {
  return Math.log(1.5 - Math.log(1 - share));
}
