import { confidenceLevel } from "../../engine/base/confidence.ts";
import { inWords, plural, t } from "../../engine/base/language.ts";
import {
  aboutDollars,
  percent,
  shortNumber,
  signedPercent,
  wholeNumber,
} from "../../engine/base/local-format.ts";
import { asSentence } from "../../engine/base/text.ts";
import { agentsOf } from "../../engine/jobs/compare-answers.ts";
import type {
  BenchAsk,
  BenchChoices,
  JobSummary,
  JobState,
  JobView,
  SideFigures,
} from "../../engine/jobs/bench-answers.ts";
import type { IconName } from "../components/icon.ts";
import { runCount } from "../components/sentences.ts";

/** Texts about jobs of all kinds. */

type Driver = BenchAsk["driver"];
type Plan = NonNullable<JobView["plan"]>;
type Run = JobView["runs"][number];

const drivers: Readonly<Record<Driver, string>> = {
  claude: "Claude Code",
  codex: "Codex",
  replay: t("Replay"),
};

export function driverName(driver: Driver): string {
  return drivers[driver];
}

/** A driver's name in the list. The form explains below why a driver is not ready. */
export function driverOption({ name, isReady }: BenchChoices["drivers"][number]): string {
  const own = name === "replay" ? t("Replay of recordings (free demo)") : driverName(name);
  return isReady ? own : t("{0}: not ready", own);
}

/** A notice that figures come from a replay, and what they are worth. Null if a model did the work. */
export function replayNotice(driver: Driver, recordedBy: readonly string[]): string | null {
  if (driver !== "replay") return null;
  const models = recordedBy.filter((by) => by !== "script");
  return models.length === 0
    ? t("Demo: replays a recording. It says nothing about a model.")
    : t("Demo: replays recordings of {0}. It says nothing about a model as it is now.", models.join(", "));
}

/** The price of a plan's remaining runs: `24 runs · ~1.1M tokens · ~$3.40`. */
export function price({ driver, runs, made, tokens, usd }: Plan): string {
  const left = runCount(Math.max(0, runs - made));
  if (driver === "replay") return t("{0} · free", left);
  const cost = usd === null ? t("unknown price") : aboutDollars(usd);
  return t("{0} · ~{1} tokens · {2}", left, shortNumber(tokens), cost);
}

export function startLabel(plan: Plan | null, driver: Driver): string {
  if (driver === "replay") return plan === null ? t("Replay") : t("Replay {0}", price(plan));
  return plan === null ? t("Run") : t("Run {plan}", { plan: price(plan) });
}

/** Says, before a benchmark starts, what is downloaded for it. */
export function describeInstall({ packages }: NonNullable<Plan["install"]>): string {
  if (packages === null)
    return t(
      "Before the first run, npm downloads the packages that the tasks' project needs from its registry, and they are kept for later benchmarks.",
    );
  return plural(
    packages,
    t(
      "Before the first run, npm downloads up to 1 package that the tasks' project needs from its registry, and they are kept for later benchmarks.",
    ),
    t(
      "Before the first run, npm downloads up to {0} packages that the tasks' project needs from its registry, and they are kept for later benchmarks.",
      wholeNumber(packages),
    ),
  );
}

/** The resume button's label, with the price of the rest of the plan. */
export function resumeLabel({ plan, done, of }: JobView): string {
  if (plan === null || of === 0) return t("Resume");
  const left = Math.max(0, of - done);
  const share = plan.runs === 0 ? 0 : left / plan.runs;
  const usd = plan.usd === null ? null : plan.usd * share;
  return t("Resume {0}", price({ ...plan, runs: left, made: 0, tokens: plan.tokens * share, usd }));
}

export const stateNames: Readonly<Record<JobState["kind"], { word: string; icon: IconName }>> = {
  queued: { word: t("Waiting"), icon: "watch" },
  running: { word: t("Running"), icon: "sync" },
  cancelling: { word: t("Cancelling"), icon: "sync" },
  paused: { word: t("Paused"), icon: "pause" },
  interrupted: { word: t("Interrupted"), icon: "disconnect" },
  done: { word: t("Done"), icon: "check" },
  cancelled: { word: t("Cancelled"), icon: "none" },
  failed: { word: t("Failed"), icon: "error" },
};

/** Describes the preparation before the first run; null without one. */
export function preparingText({ preparing }: Pick<JobSummary, "preparing">): string | null {
  if (preparing === undefined || preparing.packages === 0) return null;
  const [fetched, packages] = [wholeNumber(preparing.fetched), wholeNumber(preparing.packages)];
  return t("Preparing the project: {0} of {1} packages", fetched, packages);
}

/** Why a job does not proceed by itself, and what to do. Null if there is nothing to explain. */
export function stateReason(state: JobState): string | null {
  switch (state.kind) {
    case "queued":
      return state.ahead === 0
        ? null
        : plural(
            state.ahead,
            t("Waiting for 1 benchmark to finish."),
            t("Waiting for {0} benchmarks to finish.", wholeNumber(state.ahead)),
          );
    case "paused":
      return `${pauses[state.reason]} ${asSentence(inWords(state.detail))}`;
    case "interrupted":
      return t("{0} Runs that ended are kept.", asSentence(inWords(state.detail)));
    case "failed":
      return asSentence(inWords(state.detail));
    case "running":
    case "cancelling":
    case "done":
    case "cancelled":
      return null;
  }
}

const pauses = {
  environment: t(
    "Paused: runs failed of their environment, which says nothing of the agent. Mend it, then resume.",
  ),
  "token-cap": t("Paused: the next run could pass the cap of tokens."),
  budget: t("Paused: a budget does not allow the next run."),
} as const;

export const outcomes: Readonly<Record<Run["outcome"], { word: string; icon: IconName }>> = {
  passed: { word: t("Passed"), icon: "check" },
  failed: { word: t("Check failed"), icon: "close" },
  limit: { word: t("Hit a limit"), icon: "watch" },
  environment: { word: t("Environment failed: no evidence"), icon: "plug" },
  cancelled: { word: t("Cancelled: no evidence"), icon: "none" },
};

/** The difference from a reference: `−22%`, `+3%`, `0%`. */
export function difference(share: number): string {
  return signedPercent(share - 1);
}

/**
 * Whether a bench is the first of its kind, and so the baseline: it is compared with nothing instead of
 * itself.
 */
export function isBaseline({ history, figures }: Pick<JobView, "history" | "figures">): boolean {
  return history.length < 2 && figures.length > 0 && figures.every(isOwnBaseline);
}

/** Whether a side is compared with its own runs. */
export function isOwnBaseline({ run1, best }: SideFigures): boolean {
  return run1?.share === 1 && (best === null || best.share === 1);
}

/** The difference from the baseline in a sentence: `−22% vs. baseline (90%: −31% to −12%)`. */
export function againstRun1({ run1 }: SideFigures): string | null {
  if (run1 === null) return null;
  const { share, interval } = run1;
  if (interval === null) return t("{0} vs. baseline", difference(share));
  const [low, high] = [difference(interval.low), difference(interval.high)];
  return t(
    "{0} vs. baseline ({1}: {2} to {3})",
    difference(share),
    percent(100 * confidenceLevel),
    low,
    high,
  );
}

function describeAgents(agents: readonly string[]): string {
  return agents.length > 3 ? t("{0} agents", agents.length) : agents.join(", ");
}

/** `backend · claude-sonnet-4-6` */
export function jobTitle({ ask }: Pick<JobSummary, "ask">): string {
  return [describeAgents(agentsOf(ask)), ask.model].filter((part) => part !== null).join(" · ");
}

/** A bench's state, for screen readers. */
export function spokenState({ state, done, of }: JobSummary): string {
  const { word } = stateNames[state.kind];
  if (of === 0) return t("{0}.", word);
  return t("{0}. {1} of {2} runs are made.", word, wholeNumber(done), wholeNumber(of));
}

/** The source of each section's figures. */
export const notes = {
  plan: t(
    "Estimated: from your own earlier runs of these tasks where there are any, else from what is documented. Price by the list. The smallest saving is what this many runs can tell from noise.",
  ),
  comparisonPlan: t(
    "Estimated: from your own earlier runs of these tasks where there are any, else from what is documented. Price by the list. These are the most runs: it stops as soon as the result is clear.",
  ),
  runs: t(
    "Measured: new tokens (input, output and cache writes) of each run. The line across a bar is the baseline: the first completed run of the task, which never changes.",
  ),
  results: t(
    "Measured, of completed runs alone: a cheap failure is a failure. The line is the baseline; the bar is where the mean lies in {0} of cases, and needs two completed runs of a task. Tasks count by their weight.",
    percent(100 * confidenceLevel),
  ),
  history: t(
    "Measured: each bench of the same agent, model, tasks and driver. Bars are where the mean lies in {0} of cases.",
    percent(100 * confidenceLevel),
  ),
  drafts: t(
    "Golden tasks that are not finished. No run sees them, and they do not make this workspace's suite: when the last thing is done, they do.",
  ),
  timeline: t(
    "Measured from the run's transcript: each response, what it called, and the time until the next one.",
  ),
} as const;

/** Replaces a host message that the panel does not understand. */
