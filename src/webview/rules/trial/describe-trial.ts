import type { TrialView, TriedRuleView } from "../../../engine/rules/trial-answers.ts";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { inWords, t } from "../../../engine/base/language.ts";
import type { Model } from "../page-model.ts";

export const notes = {
  rules: t(
    "Real work is the share of a completed prompt's new tokens that a rule saves, with an interval that holds however often it is looked at; Benchmark is that of a completed run, by its newest receipt. Together counts both by their precision, where they do not contradict each other. What was known before the draw is taken out: project, branch, hour, and the length of the first prompt. A rule with which more prompts are interrupted, fail or correct the agent is not said to save.",
  ),
  prompts: t(
    "Share of prompts with the rule less that without it, in points. A correction is told by how a prompt begins, such as “No,” or “Undo that”, in English; what prompts say is not kept.",
  ),
  sessions: t(
    "What each session had was drawn before it began, and written down first. No figure rests on a session that is left out, and no reason for that depends on what it drew.",
  ),
  undrawn: t(
    "Sessions of the trial's time and folder for which nothing was drawn: they had none of the rules.",
  ),
  start: t(
    "Approved rules are given by purser's hooks, in the first context of a session; no memory file changes, and nothing is spent. A trial stops with one click: from then on no session is given anything.",
  ),
};

export function describeTrial(trial: TrialView | null): string {
  if (trial === null) return t("No trial has begun: nothing is given to any session.");
  if (trial.stoppedAt !== null) return t("This trial is stopped: it gives nothing to any session.");
  return t("New sessions are given each of these rules or not, by lot.");
}

/** Describes the end of a rule that is no longer drawn. */
const goneNames = {
  candidate: t("proposed"),
  measured: t("proven"),
  active: t("in memory"),
  shelved: t("paused"),
  evicted: t("removed"),
} as const;

export function verdictText({ verdict, reason, isDrawn, status }: TriedRuleView): string {
  const gone = isDrawn || status === null || status === "approved" ? "" : ` (${goneNames[status]})`;
  const word = { saves: t("Saves"), costs: t("Costs"), undecided: t("Undecided") }[verdict];
  return `${word}${reason === null ? "" : `: ${inWords(reason)}`}${gone}`;
}

/** `12 (4 to 19)`. @param without what stands for none */
export function savingText(saving: TriedRuleView["saving"], without: string): string {
  if (saving === null) return without;
  const [value = "", low = "", high = ""] = [saving.value, saving.low, saving.high].map((share) =>
    wholeNumber(Math.round(100 * share)),
  );
  return t("{0} ({1} to {2})", value, low, high);
}

/** `−1 (−4 to 2)`, in points. */
export function pointsText(difference: TriedRuleView["completed"]): string {
  return savingText(difference, t("unknown"));
}

/** Agents with rules that may be tried, or with a trial. */
export function trialAgents({ view, trials }: Pick<Model, "view" | "trials">): readonly string[] {
  const can = (view?.rules ?? []).filter(({ status }) => status === "approved" || status === "measured");
  return [...new Set([...can, ...trials].map(({ agent }) => agent))].sort();
}
