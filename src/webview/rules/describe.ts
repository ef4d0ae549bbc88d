import { wholeNumber } from "../../engine/base/text/format.ts";
import type { JobView } from "../../engine/jobs/answers/bench.ts";
import type { MemoryView, RuleView } from "../../engine/rules/answers.ts";
import type { RuleProgress } from "../../engine/jobs/answers/select.ts";
import { price } from "../bench/describe.ts";
import { plural } from "../components/figures.ts";
import type { IconName } from "../components/icon.ts";

type JobPlan = NonNullable<JobView["plan"]>;

/** The panel's longer texts. */

export const misunderstood =
  "The panel and its host are of different versions. Close this panel and open it again.";

export const notes = {
  rent:
    "What the rule costs in every session of its agent (its rent): its own tokens, and its part of what a changed memory makes the " +
    "prompt cache write again. It is estimated, and calibrated with what the ledger measured. A rule must save twice its cost per session.",
  evidence:
    "Each dot is a pair of runs of one golden task, one with and one without the rule, that were both completed. The line is what it " +
    "must save; the bar is what it saves, with the error rate held however often it was looked.",
  confirming:
    "Each rule was found beside others. Together they are measured once against no rules at all: a set that is shown not to save, or to " +
    "fail more, is refused, and its rules are paused. Of an undecided one each rule still has its own receipt.",
  selection:
    "Every golden task of the agent is run with and without each rule, round by round, beside the rules that are active; two rules and more " +
    "are measured with the same runs. After each " +
    "round they are looked at, with an error rate that holds however often that is: each ends as soon as it is decided, or will not be. " +
    "Two or more that are found are then measured once as a whole, against no rules at all. Nothing begins before you begin it.",
  together:
    "Measured with the same runs: each run has its own half of the rules that are still open, so that every run speaks of each of them.",
  looks:
    "Tokens saved are new tokens per completed run, with the interval that holds at every look. A replay counts the tokens of its " +
    "recordings, and spends none.",
  memory:
    "Active rules are compiled into the agent's MEMORY.md when one becomes active or leaves. A file that purser did not make, or that " +
    "was edited since, is left as it is until you choose otherwise.",
};

/** `Measure 2 Rules · at most 288 runs · ~1.1M tokens · ~$3.40`. @param plan a plan of all possible rounds, once known */
export function measureLabel(rules: number, plan: JobPlan | null): string {
  const verb = `Measure ${plural(rules, "Rule", "Rules")}`;
  return plan === null ? verb : `${verb} · at most ${price(plan)}`;
}

export function confirmLabel(rules: number, plan: JobPlan | null): string {
  const verb = `Confirm ${plural(rules, "Rule", "Rules")} Together`;
  return plan === null ? verb : `${verb} · at most ${price(plan)}`;
}

export function measuredIs({ state, result }: RuleProgress, isLive: boolean): IconName {
  if (state === "waiting") return "watch";
  if (state === "measuring") return isLive ? "sync" : "pause";
  if (result?.driver === "replay") return "beaker";
  return result?.decision === "saves" ? "check" : "none";
}

/** `2 rules wait to be measured; 1 is active.` */
export function describeMeasurable(approved: number, active: number): string {
  const first =
    approved === 0
      ? "No rule waits to be measured"
      : `${plural(approved, "rule waits", "rules wait")} to be measured`;
  return `${first}; ${active === 0 ? "none is" : plural(active, "is", "are")} active.`;
}

export const originNames: Readonly<Record<RuleView["origin"], string>> = {
  trajectory: "Found in a costly run",
  model: "Proposed by your agent after a costly run",
  hand: "Written by hand",
  import: "Imported from a file",
};

export function describeSaving({ saving, rent }: RuleView): string {
  const needed = `${wholeNumber(2 * rent.total)} needed`;
  if (saving === null) return `not measured yet; ${needed}`;
  return saving >= 0
    ? `${wholeNumber(saving)} tokens per completed run; ${needed}`
    : `costs ${wholeNumber(-saving)} tokens per completed run; ${needed}`;
}

export function describeMemory({ state, isCurrent }: MemoryView): string {
  switch (state) {
    case "none":
      return isCurrent ? "There is no active rule, and no file." : "There is no file yet.";
    case "ours":
      return isCurrent ? "The file is as the active rules are." : "The file is not as the active rules are.";
    case "edited":
      return "The file was edited since purser wrote it. It is left as it is until you choose.";
    case "foreign":
      return "The file was not made by purser. It is left as it is until you choose.";
    case "failed":
      return "The file cannot be read.";
  }
}
