import { succeed, type Result } from "../../base/result.ts";
import type { Clock } from "../../base/timing.ts";
import type { ReportView } from "../answers.ts";
import { findingsOf } from "../distil/distilled.ts";
import { readKnown } from "./known.ts";
import { maxRuns } from "./most-runs.ts";
import type { AskNeeds } from "./needs-here.ts";
import { reportOf } from "./report.ts";
import type { RulesLedger } from "./rules-book-rows.ts";

const week = 7 * 24 * 60 * 60_000; // ms

export interface AskedReport {
  /** Whose runs are reported; null for all. */
  readonly project: string | null;
  /** Weights of golden tasks by hash; 1 where missing. */
  readonly taskWeights: ReadonlyMap<string, number>;
}

/** Reads the report of all agents. */
export async function readReport(
  { project, taskWeights }: AskedReport,
  ports: { readonly ledger: RulesLedger; readonly clock: Clock; readonly needs: AskNeeds },
): Promise<Result<{ report: ReportView }>> {
  const { ledger, clock, needs } = ports;
  const known = await readKnown(ports);
  const facts = await ledger.ask("reportFacts", clock.now() - week);
  if (!known.ok) return known;
  if (!facts.ok) return facts;
  const { rules, runs: all } = known.value;
  const runs = project === null ? succeed(all) : await ledger.ask("realRuns", { most: maxRuns, project });
  if (!runs.ok) return runs;
  const found = await findingsOf(rules, ledger, needs);
  if (!found.ok) return found;
  const read = { facts: facts.value, findings: found.value, taskWeights };
  return succeed({ report: reportOf(rules, { all, runs: runs.value, project }, read) });
}
