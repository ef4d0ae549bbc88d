import type { Clock } from "../../base/timing.ts";
import { succeed } from "../../base/result.ts";
import { readRules, type Rules, type RulesLedger } from "./rules-book-rows.ts";
import { createRentEstimator } from "./rules-book-view.ts";

/** Maximum newest runs that are considered. */
export const maxRuns = 200;

interface KnownPorts {
  readonly ledger: RulesLedger;
  readonly clock: Clock;
}

/** Reads the rules, the runs to compare them with, and the rent of each. */
export async function readKnown(ports: KnownPorts) {
  const rules = await readRules(ports.ledger);
  return rules.ok ? await withRent(rules.value, ports) : rules;
}

export async function withRent(rules: Rules, { ledger, clock }: KnownPorts) {
  const facts = await ledger.ask("rentFacts", null);
  if (!facts.ok) return facts;
  const runs = await ledger.ask("realRuns", { most: maxRuns, project: null });
  if (!runs.ok) return runs;
  const rent = createRentEstimator(rules, facts.value, { runs: runs.value, now: clock.now() });
  return succeed({ rules, rent, runs: runs.value });
}
