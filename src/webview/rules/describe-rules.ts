import { aboutDollars, estimatedNumber, shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type { JobView } from "../../engine/jobs/bench-answers.ts";
import type { MemoryView, RuleView } from "../../engine/rules/rules-answers.ts";
import type { RuleProgress } from "../../engine/jobs/compare-answers.ts";
import { price } from "../experiments/describe-jobs.ts";
import type { IconName } from "../components/icon.ts";

type JobPlan = NonNullable<JobView["plan"]>;
type WorthPlan = NonNullable<NonNullable<JobPlan["power"]>["worth"]>;

/** The panel's longer texts. */

export const notes = {
  rent: t(
    "What the rule costs in every session of its agent (its rent): its own tokens, and its part of what a changed memory makes the prompt cache write again. It is estimated, and calibrated with what the ledger measured. A rule must save twice its cost per session.",
  ),
  evidence: t(
    "Each dot is a pair of runs of one golden task, one with and one without the rule, that were both completed. The line is what it must save; the bar is what it saves, with the error rate held however often it was looked.",
  ),
  confirming: t(
    "Each rule was found beside others. Together they are measured once against no rules at all: a set that is shown not to save, or to fail more, is refused, and its rules are paused. Of an undecided one each rule still has its own receipt.",
  ),
  selection: t(
    "Every golden task of the agent is run with and without each rule, round by round, beside the rules that are active; two rules and more are measured with the same runs. After each round they are looked at, with an error rate that holds however often that is: each ends as soon as it is decided, or will not be. Two or more that are found are then measured once as a whole, against no rules at all. Nothing begins before you begin it.",
  ),
  together: t(
    "Measured with the same runs: each run has its own half of the rules that are still open, so that every run speaks of each of them.",
  ),
  looks: t(
    "Tokens saved are new tokens per completed run, with the interval that holds at every look. A replay counts the tokens of its recordings, and spends none.",
  ),
  memory: t(
    "Active rules are compiled into the agent's MEMORY.md when one becomes active or leaves. A file that purser did not make, or that was edited since, is left as it is until you choose otherwise.",
  ),
};

/** `Measure 2 Rules · at most 288 runs · ~1.1M tokens · ~$3.40`. @param plan a plan of all possible rounds, once known */
export function measureLabel(rules: number, plan: JobPlan | null): string {
  const verb = plural(rules, t("Measure 1 Rule"), t("Measure {0} Rules", wholeNumber(rules)));
  return plan === null ? verb : `${verb} · ${t("at most {0}", price(plan))}`;
}

/** `Measure 2 Rules · ~1.9M tokens · ~$16.00`: what measuring is expected to take until it pays no more. */
export function measureWorthLabel(rules: number, { tokens, usd, pays }: WorthPlan): string {
  const verb = plural(rules, t("Measure 1 Rule"), t("Measure {0} Rules", wholeNumber(rules)));
  const cost = usd === null ? t("unknown price") : aboutDollars(usd);
  return `${pays ? verb : t("{0} Anyway", verb)} · ${t("~{0} tokens", shortNumber(tokens))} · ${cost}`;
}

export function confirmLabel(rules: number, plan: JobPlan | null): string {
  const verb = plural(
    rules,
    t("Confirm 1 Rule Together"),
    t("Confirm {0} Rules Together", wholeNumber(rules)),
  );
  return plan === null ? verb : `${verb} · ${t("at most {0}", price(plan))}`;
}

export function measuredIs({ state, result }: RuleProgress, isLive: boolean): IconName {
  if (state === "waiting") return "watch";
  if (state === "measuring") return isLive ? "sync" : "pause";
  if (result?.driver === "replay") return "beaker";
  return result?.decision === "saves" ? "check" : "none";
}

/** `2 rules wait to be measured; 1 is active.` */
export function describeMeasurable(approved: number, active: number): string {
  const waiting =
    approved === 0
      ? t("No rule waits to be measured")
      : plural(
          approved,
          t("1 rule waits to be measured"),
          t("{0} rules wait to be measured", wholeNumber(approved)),
        );
  if (active === 0) return t("{0}; none is active.", waiting);
  return plural(
    active,
    t("{0}; 1 is active.", waiting),
    t("{0}; {1} are active.", waiting, wholeNumber(active)),
  );
}

export const originNames: Readonly<Record<RuleView["origin"], string>> = {
  trajectory: t("Found in a costly run"),
  model: t("Proposed by your agent after a costly run"),
  hand: t("Written by hand"),
  import: t("Imported from a file"),
};

/** What it saves or costs, as a name and its figure. */
export function describeSaving({ saving, rent, expected }: Pick<RuleView, "saving" | "rent" | "expected">): {
  readonly name: string;
  readonly figure: string;
} {
  const needed = wholeNumber(2 * rent.cost);
  if (saving === null) return { name: t("Saves"), figure: t("not measured yet; it must save {0}", needed) };
  // Only proof needs twice the cost.
  if (expected !== undefined && expected.grade !== "proved") {
    const figure = t("~{0} tokens per completed run, expected", estimatedNumber(Math.abs(saving)));
    return { name: saving < 0 ? t("Costs") : t("Saves"), figure };
  }
  return saving < 0
    ? {
        name: t("Costs"),
        figure: t("{0} tokens more per completed run; it must save {1}", wholeNumber(-saving), needed),
      }
    : {
        name: t("Saves"),
        figure: t("{0} tokens per completed run; it must save {1}", wholeNumber(saving), needed),
      };
}

/** Where the cost comes from. Today's estimate of a measured rule is only a note. */
export function describeCost({ isMeasured, own, prefix, total }: RuleView["rent"]): string {
  return isMeasured
    ? t("as measured; today ~{0}", wholeNumber(total))
    : t("~{0} its own, ~{1} for the prompt cache", wholeNumber(own), wholeNumber(prefix));
}

export function describeMemory({ state, isCurrent }: MemoryView): string {
  switch (state) {
    case "none":
      return isCurrent ? t("There is no active rule, and no file.") : t("There is no file yet.");
    case "ours":
      return isCurrent
        ? t("The file is as the active rules are.")
        : t("The file is not as the active rules are.");
    case "edited":
      return t("The file was edited since purser wrote it. It is left as it is until you choose.");
    case "foreign":
      return t("The file was not made by purser. It is left as it is until you choose.");
    case "failed":
      return t("The file cannot be read.");
  }
}
