import type { Clock } from "../base/clock.ts";
import { succeed } from "../base/result.ts";
import { mostRuns } from "./rules-distilled.ts";
import { readRules, type RulesLedger } from "./rules-ledger.ts";
import { rentTeller } from "./rules-picture.ts";

/** The rules as they are, the runs they are seen beside, and what each costs. */
export async function readKnown({ ledger, clock }: { readonly ledger: RulesLedger; readonly clock: Clock }) {
  const [rules, facts, runs] = [
    await readRules(ledger),
    await ledger.ask("rentFacts", null),
    await ledger.ask("realRuns", { most: mostRuns, project: null }),
  ];
  if (!rules.ok) return rules;
  if (!facts.ok) return facts;
  if (!runs.ok) return runs;
  const rent = rentTeller(rules.value, facts.value, { runs: runs.value, now: clock.now() });
  return succeed({ rules: rules.value, rent, runs: runs.value });
}
