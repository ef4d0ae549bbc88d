import { retain } from "../../../src/engine/verdict/retention.ts";
import type { Evidence } from "../../../src/engine/verdict/statistics/pool.ts";
import type { LifeFigures } from "./scenario.ts";
import { rulesOf, selectInWorld } from "./select-life.ts";
import { makeSuiteWorld, type SuiteWorld, type WorldName } from "./suite-worlds.ts";

interface AloneOnDays {
  readonly name: WorldName;
  readonly saves: number;
  readonly days: number;
  /** Share of passing runs that fail with the rule. */
  readonly breaks?: number;
}

/** One rule alone, measured again with its earlier evidence until it is found, on so many days at most. */
export async function aloneOnDays(
  { name, saves, days, breaks = 0 }: AloneOnDays,
  seed: number,
): Promise<LifeFigures> {
  const made = makeSuiteWorld({ name, saves: [saves] }, seed);
  const run: SuiteWorld["run"] = (asked) =>
    made.run({ ...asked, breaks: asked.rules.length > 0 ? breaks : 0 });
  const world = { ...made, run };
  const evidence: Evidence[] = [];
  let tokens = 0;
  let holds: boolean | null = null;
  for (let day = 1; day <= days; day += 1) {
    const { settled, tokensSpent } = await selectInWorld(world, seed * 16 + day, {
      id: `day-${day}`,
      evidence: [...evidence],
    });
    tokens += tokensSpent;
    evidence.push(...settled.map((each) => each.evidence));
    const verdict = settled[0]?.receipt.verdict;
    const share = verdict?.savingShare ?? null;
    holds = share === null ? null : share.low <= saves && saves <= share.high;
    if (verdict?.kind === "saves") return { found: true, firstDay: day === 1, tokens, holds };
  }
  return { found: false, firstDay: false, tokens, holds };
}

/** What eight rules save when they are let in. */
const letIn = [0.1, 0.05, 0.05, 0.1, 0.1, 0.2, 0, 0.05];
const audits = 6;

/**
 * Eight rules are measured together, and those that are shown to save are let in. Then the first one turns. Null where
 * it was not let in.
 */
export async function turnedLife(
  { name, now }: { readonly name: WorldName; readonly now: number },
  seed: number,
): Promise<LifeFigures> {
  const world = makeSuiteWorld({ name, saves: letIn }, seed);
  const first = await selectInWorld(world, seed, { tokenCap: 24_000_000 });
  const nothing = { out: null, goodOut: [], tokens: null, seconds: null };
  if (!first.admitted.includes(0)) return nothing;
  const evidence = first.settled.map((each) => each.evidence);
  const changed = makeSuiteWorld({ name, saves: [now, ...letIn.slice(1)] }, seed + 500_000);
  const active = new Set(first.admitted);
  const good = [...active].filter((place) => (letIn[place] ?? 0) >= 0.05 && place !== 0);
  let tokens = 0;
  const began = process.cpuUsage();
  for (let audit = 1; audit <= audits && active.has(0); audit += 1) {
    const rules = rulesOf(letIn.length, { status: "active" }).filter((_, place) => active.has(place));
    const { settled, tokensSpent } = await selectInWorld(changed, seed * 16 + audit, {
      rules,
      id: `audit-${audit}`,
      audits: "all",
      evidence: [...evidence],
      tokenCap: 3_000_000,
    });
    tokens += tokensSpent;
    for (const { rule, receipt, evidence: own } of settled) {
      evidence.push(own);
      if (retain(receipt.verdict, 0).action === "evict") active.delete(Number(rule.id.slice(1)));
    }
  }
  const { user } = process.cpuUsage(began);
  return {
    out: !active.has(0),
    goodOut: good.map((place) => !active.has(place)),
    tokens,
    seconds: user / 1e6,
  };
}
