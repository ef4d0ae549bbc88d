import type { TrialView, TriedRuleView } from "../../../engine/rules/trial-answers.ts";
import { wholeNumber } from "../../../engine/base/local-format.ts";
import { inWords, t } from "../../../engine/base/language.ts";
import type { Model } from "../page-model.ts";

export const notes = {
  rules: t(
    "Next chance is the chance that the next session gets a rule: the probability that it saves. Expected is the saved share of a session's new tokens, by recent sessions and shrunk towards 0.",
  ),
  saved: t(
    "Per session and per prompt are what real work shows, with intervals that hold however often they are looked at. A rule is said to save only if both show it, and if prompts do not become more, are not interrupted or corrected more often and do not fail more often. Benchmark is the share of a completed run, by its newest receipt; Together counts it and real work by their precision. What was known before the draw is taken out: project, branch, hour, and the length of the first prompt.",
  ),
  prompts: t(
    "Share of prompts with the rule less that without it, in points; and how many more prompts a session has with it, in percent. A correction is told by how a prompt begins, such as “No,” or “Undo that”, in English; what prompts say is not kept.",
  ),
  sessions: t(
    "What each session had was drawn before it began, and written down first. No figure rests on a session that is left out, and no reason for that depends on what it drew.",
  ),
  undrawn: t(
    "Sessions of the trial's time and folder for which nothing was drawn: they had none of the rules.",
  ),
  start: t(
    "Approved rules are given by purser's hooks, in the first context of a session; no memory file changes, and nothing is spent. Rules that you approve later join.",
  ),
};

export function describeTrial(trial: TrialView | null): string {
  if (trial === null) return t("No trial has begun: nothing is given to any session.");
  if (trial.stoppedAt !== null) return t("This trial is stopped: it gives nothing to any session.");
  return trial.holdOut === null
    ? t("New sessions are given each of these rules or not, by lot.")
    : t("Each new session is given each of these rules by the chance that it saves.");
}

/** Describes the end of a rule that is no longer drawn. */
const goneNames = {
  candidate: t("proposed"),
  measured: t("ready"),
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
