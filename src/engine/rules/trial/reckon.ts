import type { TrialSessions } from "../../ledger/questions/trial-book.ts";
import type { TrialView } from "../answers/trial-view.ts";
import type { Rule } from "../rule.ts";
import { analyseTrial, usualAlpha } from "./analyse.ts";
import { bystandersOf, participantsOf } from "./eligible.ts";
import { trialViewOf } from "./view.ts";

interface StandingInput {
  readonly sessions: TrialSessions;
  readonly rules: readonly Rule[];
  readonly ruleIds: readonly string[];
  readonly planned: number;
}

/** Reckons how a trial stands. @param context.now milliseconds since the epoch; `pause` is called while there is much to reckon */
export async function reckonTrial(
  { sessions, rules, ruleIds, planned }: StandingInput,
  { now, missing, pause }: { now: number; missing: readonly string[]; pause: () => Promise<void> },
): Promise<TrialView> {
  const participants = participantsOf(sessions, now);
  const tried = participants.flatMap((each) => each.tried ?? []);
  const findings = await analyseTrial(tried, { ruleIds, planned, alpha: usualAlpha }, pause);
  return trialViewOf({
    trial: sessions.trial,
    rules,
    findings,
    participants,
    bystanders: bystandersOf(sessions),
    missing,
  });
}
