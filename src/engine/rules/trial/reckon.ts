import type { Sentence } from "../../base/language.ts";
import type { TrialSessions } from "../../ledger/rule-questions.ts";
import type { TrialView } from "../trial-answers.ts";
import type { Rule } from "../rule.ts";
import { believe, type Belief } from "./adaptive.ts";
import { analyseTrial, guardPace, usualAlpha } from "./analyse.ts";
import type { BenchmarkFinding } from "./grounds.ts";
import { bystandersOf, participantsOf, triedIn, type Participant } from "./eligible.ts";
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
  const isAdaptive = sessions.trial.holdOut !== null;
  // Others may have joined, or have gone.
  const drawn = isAdaptive
    ? [...new Set([...ruleIds, ...tried.flatMap(({ chances }) => [...chances.keys()])])]
    : ruleIds;
  const asked = { ruleIds: drawn, planned, alpha: usualAlpha, isAdaptive, ...pace };
  const findings = await analyseTrial(tried, asked, pause);
  return trialViewOf({
    trial: sessions.trial,
    rules,
    findings,
    beliefs: isAdaptive ? new Map(believedOf(participants, rules).map((each) => [each.ruleId, each])) : null,
    benchmarks,
    participants,
    bystanders: bystandersOf(sessions, foldersOf),
    missing,
    isWhole,
  });
}

/** What is believed of an adaptive trial's rules, from its sessions that are over. */
export function beliefsOf(sessions: TrialSessions, rules: readonly Rule[], now: number): Belief[] {
  return believedOf(participantsOf(sessions, now), rules);
}

/** A rule that was approved again after it was switched off gets its other chance: its earlier draws do not count. */
function believedOf(participants: readonly Participant[], rules: readonly Rule[]): Belief[] {
  const since = new Map(
    rules.filter(({ status }) => status === "approved").map(({ id, decidedAt }) => [id, decidedAt ?? 0]),
  );
  const ids = new Set(participants.flatMap(({ tried }) => [...(tried?.chances.keys() ?? [])]));
  const counted = participants.map((each) => {
    if (each.tried === null) return each;
    const chances = new Map([...each.tried.chances].filter(([id]) => each.at >= (since.get(id) ?? 0)));
    return { ...each, tried: { ...each.tried, chances } };
  });
  return believe(triedIn(counted), [...ids]);
}

export { chanceOf, isHarmful } from "./adaptive.ts";
export { benchmarkFindings } from "./grounds.ts";
