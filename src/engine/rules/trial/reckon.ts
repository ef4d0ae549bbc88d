import type { Sentence } from "../../base/language.ts";
import type { TrialSessions } from "../../ledger/rule-questions.ts";
import type { TrialView } from "../trial-answers.ts";
import type { Rule } from "../rule.ts";
import { analyseTrial, guardPace, usualAlpha } from "./analyse.ts";
import type { BenchmarkFinding } from "./grounds.ts";
import { bystandersOf, participantsOf, triedIn } from "./eligible.ts";
import { triesGuards, type SessionFolders } from "./trial.ts";
import { trialViewOf } from "./trial-view.ts";

interface InterimInput {
  readonly sessions: TrialSessions;
  readonly rules: readonly Rule[];
  readonly ruleIds: readonly string[];
  readonly planned: number;
  readonly benchmarks: ReadonlyMap<string, BenchmarkFinding>;
  /** Whether to show all sessions, not only the newest. */
  readonly isWhole: boolean;
}

interface ReckonContext {
  readonly now: number;
  readonly missing: readonly Sentence[];
  readonly foldersOf: (cwd: string) => SessionFolders;
  readonly pause: () => Promise<void>;
}

export async function reckonTrial(
  { sessions, rules, ruleIds, planned, benchmarks, isWhole }: InterimInput,
  { now, missing, foldersOf, pause }: ReckonContext,
): Promise<TrialView> {
  const participants = participantsOf(sessions, now);
  const tried = triedIn(participants);
  const pace = triesGuards(sessions.trial) ? { pace: guardPace } : {};
  const findings = await analyseTrial(tried, { ruleIds, planned, alpha: usualAlpha, ...pace }, pause);
  return trialViewOf({
    trial: sessions.trial,
    rules,
    findings,
    benchmarks,
    participants,
    bystanders: bystandersOf(sessions, foldersOf),
    missing,
    isWhole,
  });
}

export { benchmarkFindings } from "./grounds.ts";
