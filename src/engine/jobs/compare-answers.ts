import type { AnyOrder, JobState } from "./bench-answers.ts";

export {
  compareAsk,
  maxOthers,
  type ArmView,
  type CompareAsk,
  type CompareView,
  type ComparisonView,
  type InterimVerdict,
} from "./answers/compare.ts";
export { selectAsk, type RuleProgress, type SelectAsk, type SetProgress } from "./answers/select.ts";
export { powerPlan } from "./answers/power.ts";

export function isResumable({ kind }: JobState): boolean {
  return kind === "paused" || kind === "interrupted" || kind === "cancelled" || kind === "failed";
}

export function isUnderWay({ kind }: JobState): boolean {
  return kind === "queued" || kind === "running" || kind === "cancelling";
}

/** Of jobs in one lane, one runs at a time. Two wakes of one agent would lose a branch of its session. */
export function laneOf(ask: AnyOrder): string {
  return ask.kind === "wake" ? JSON.stringify([ask.project, ask.agent]) : "measure";
}

export function agentsOf(ask: AnyOrder): readonly string[] {
  if (ask.kind === "wake") return [];
  return ask.kind === "bench" ? ask.agents : [ask.agent];
}
