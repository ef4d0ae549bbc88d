import type { TrialSessions } from "../../ledger/questions/trial-book.ts";
import type { TrialView } from "../answers/trial-view.ts";
import type { Rule } from "../rule.ts";
import { analyseTrial, usualAlpha } from "./analyse.ts";
import type { BenchmarkFinding } from "./benchmark.ts";
import { bystandersOf, participantsOf, triedIn } from "./eligible.ts";
import { trialViewOf } from "./view.ts";

interface StandingInput {
  readonly sessions: TrialSessions;
  readonly rules: readonly Rule[];
  readonly ruleIds: readonly string[];
  readonly planned: number;
  /** By rule ids. */
  readonly benchmarks: ReadonlyMap<string, BenchmarkFinding>;
}

/** Reckons how a trial stands. @param context.now milliseconds since the epoch; `pause` is called while there is much to reckon */
export async function reckonTrial(
  { sessions, rules, ruleIds, planned, benchmarks }: StandingInput,
  { now, missing, pause }: { now: number; missing: readonly string[]; pause: () => Promise<void> },
): Promise<TrialView> {
  const participants = participantsOf(sessions, now);
  const tried = triedIn(participants);
  const findings = await analyseTrial(tried, { ruleIds, planned, alpha: usualAlpha }, pause);
  return trialViewOf({
    trial: sessions.trial,
    rules,
    findings,
    benchmarks,
    participants,
    bystanders: bystandersOf(sessions),
    missing,
  });
}

export { benchmarkFindings } from "./benchmark.ts";
