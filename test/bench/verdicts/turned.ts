import { admit, retain } from "../../../src/engine/verdict/retention.ts";
import { measure, purserKey, type Measured } from "./selection.ts";
import type { Evidence } from "../../../src/engine/verdict/statistics/pool.ts";
import { usualQuestion } from "../../../src/engine/verdict/verdict.ts";
import { makeWorld, usualShape } from "./world.ts";

/** A rule that was admitted by its own measurement, and later turned: it begins to cost, or to break tasks. */
export interface Turning {
  readonly name: string;
  /** Share that it saved when it was admitted. */
  readonly saved: number;
  /** Share that it saves since it turned; negative when it costs. */
  readonly saves: number;
  /** Share of runs that fail because of it since then. */
  readonly breaks?: number;
  /** Audits before it turned. */
  readonly goodAudits: number;
}

export interface Turned extends Turning {
  readonly lives: number;
  /** Lives in which it was out by each audit after it turned, the first one first. */
  readonly out: readonly number[];
  /** Mean processing tokens of the audits after it turned. */
  readonly tokens: number;
}

const audits = 6;
export const turnings: readonly Turning[] = [
  { name: "costs 40 % at once", saved: 0.1, saves: -0.4, goodAudits: 0 },
  { name: "costs 10 % at once", saved: 0.1, saves: -0.1, goodAudits: 0 },
  { name: "costs 40 % after four audits", saved: 0.1, saves: -0.4, goodAudits: 4 },
  { name: "costs 10 % after four audits", saved: 0.1, saves: -0.1, goodAudits: 4 },
  { name: "breaks every run at once", saved: 0.1, saves: 0.1, breaks: 1, goodAudits: 0 },
  { name: "breaks a third of runs at once", saved: 0.1, saves: 0.1, breaks: 1 / 3, goodAudits: 0 },
];

/** @param lives of admitted rules */
export async function turn(turning: Turning, lives: number, from = 1): Promise<Turned> {
  const out = Array.from({ length: audits }, () => 0);
  let [made, tokens] = [0, 0];
  for (let seed = from; made < lives && seed < from + 20 * lives; seed += 1) {
    const life = await lifeOf(turning, seed);
    if (life === null) continue;
    made += 1;
    tokens += life.tokens;
    for (let audit = life.outAt; audit <= audits; audit += 1) out[audit - 1] = (out[audit - 1] ?? 0) + 1;
  }
  return { ...turning, lives: made, out, tokens: tokens / Math.max(1, made) };
}

/** Null where the rule was not admitted, or was evicted before it turned. */
async function lifeOf(
  { saved, saves, breaks = 0, goodAudits }: Turning,
  seed: number,
): Promise<{ readonly outAt: number; readonly tokens: number } | null> {
  const [before, after] = [saved, saves].map((share) => makeWorld({ ...usualShape, saves: share }, seed));
  if (before === undefined || after === undefined) return null;
  const broken: typeof after = {
    ...after,
    run: (asked) => {
      const run = after.run(asked);
      const isBroken = asked.withRule && (asked.number * 0.618 + asked.task * 0.37) % 1 < breaks;
      return { ...run, passed: run.passed && !isBroken };
    },
  };
  const kept: Evidence[] = [];
  const on = (day: number): Promise<Measured> => {
    const question = usualQuestion(day === 0 ? "candidate" : "re-audit", 54, null);
    return measure(day > goodAudits ? broken : before, question, { kept, key: purserKey, day });
  };
  if (admit((await on(0)).verdict).action !== "activate") return null;
  for (let day = 1; day <= goodAudits; day += 1)
    if (retain((await on(day)).verdict, 0).action === "evict") return null;
  let tokens = 0;
  for (let audit = 1; audit <= audits; audit += 1) {
    const { verdict, tokens: spent } = await on(goodAudits + audit);
    tokens += spent;
    if (retain(verdict, 0).action === "evict") return { outAt: audit, tokens };
  }
  return { outAt: Infinity, tokens };
}
