import { percent, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type {
  EconomyReport,
  EconomyView,
  GuardrailChange,
} from "../../engine/recurring/recurring-answers.ts";
import { describeCost } from "../components/figures.ts";
import { shortDay } from "../components/times.ts";

/** The page's texts. */

export const notes = {
  runs: t(
    "The newest runs, at most a hundred, from the agents' own records. Cost-weighted tokens count each token of input by its price: one read from the cache counts less than a new one.",
  ),
};

type Run = EconomyView["wakes"][number];
type Agent = EconomyReport["agents"][number];

const sourceNames: Readonly<Record<Run["source"], string>> = {
  timer: t("Schedule"),
  assignment: t("Assignment"),
  mention: t("Mention"),
  manual: t("By hand"),
};

const reasonNames: Readonly<Record<Run["reason"], string>> = {
  reused: t("Reused"),
  first: t("New: the first"),
  forced: t("New: asked for"),
  other_task: t("New: another task"),
  other_folder: t("New: another folder"),
  other_program: t("New: another program"),
  other_model: t("New: another model"),
  invalid_resume: t("New: the last one is gone"),
  rotated: t("New: rotated"),
};

const causeNames: Readonly<Record<NonNullable<Run["cause"]>, string>> = {
  turns: t("too many turns"),
  input: t("a run cost more than a new session"),
  age: t("too old"),
  cache_hits: t("few cache hits"),
  definition: t("the agent's file changed"),
};

const outcomeNames: Readonly<Record<Run["outcome"], string>> = {
  completed: t("Completed"),
  limit: t("Stopped at a limit"),
  failed: t("Failed"),
  environment: t("Quota or network"),
  cancelled: t("Cancelled"),
  interrupted: t("Interrupted"),
};

/** Describes the source of a run, its session, and its outcome. */
export function describeRun({ source, reason, cause, outcome }: Run): {
  readonly source: string;
  readonly session: string;
  readonly outcome: string;
} {
  return {
    source: sourceNames[source],
    session: cause === null ? reasonNames[reason] : `${reasonNames[reason]}, ${causeNames[cause]}`,
    outcome: outcomeNames[outcome],
  };
}

/** What an agent did and cost, such as `2 tasks done for $2.32`, and what reusing sessions saved if that is known. */
export function describeWorth({ figures }: Agent): string[] {
  const { guardrails, wakes, usd, unpriced, inputPerFresh: fresh, inputPerReused: reused } = figures;
  const { completedTasks: done } = guardrails;
  const work =
    done === 0
      ? plural(wakes, t("1 run"), t("{0} runs", wholeNumber(wakes)))
      : plural(done, t("1 task done"), t("{0} tasks done", wholeNumber(done)));
  const priced = usd === null ? work : t("{0} for {1}", work, describeCost({ usd, unpriced }));
  if (fresh === null || reused === null || fresh === 0) return [priced];
  const saved = 1 - reused / fresh;
  const share = percent(Math.abs(saved) * 100);
  return [
    priced,
    saved >= 0 ? t("reusing sessions saved {0}", share) : t("reusing sessions cost {0} more", share),
  ];
}

/** What is wrong with an agent's runs, what became worse with its file's newest change first. */
export function problemsOf(agent: Agent): string[] {
  return [...worsened(agent), ...failures(agent), ...missedTargets(agent)];
}

function worsened({ versions: [newest] }: Agent): string[] {
  if (newest === undefined) return [];
  const day = shortDay(new Date(newest.since));
  return newest.guardrailChanges.flatMap((change) =>
    change.result === "worse" ? [worsenedSentence(change, day)] : [],
  );
}

function worsenedSentence({ name, before, after }: GuardrailChange, day: string): string {
  const [was, is] = [before, after].map(({ rate }) => percent((rate?.value ?? 0) * 100));
  switch (name) {
    case "completion":
      return t(
        "Since its file changed on {0}, fewer runs succeed: {1} before, {2} after.",
        day,
        was ?? "",
        is ?? "",
      );
    case "blocked":
      return t(
        "Since its file changed on {0}, more runs leave their task blocked: {1} before, {2} after.",
        day,
        was ?? "",
        is ?? "",
      );
    case "failed_resumes":
      return t(
        "Since its file changed on {0}, more sessions cannot be continued: {1} before, {2} after.",
        day,
        was ?? "",
        is ?? "",
      );
  }
}

function failures({ figures: { wakes, guardrails } }: Agent): string[] {
  const of = wholeNumber(wakes);
  const { failed, limited, interrupted, environment, blocked, failedResumes, reopened } = guardrails;
  const counted: readonly (readonly [number, (count: string) => string])[] = [
    [failed, (count) => t("{0} of {1} runs failed.", count, of)],
    [limited, (count) => t("{0} of {1} runs stopped at a limit.", count, of)],
    [interrupted, (count) => t("{0} of {1} runs were interrupted.", count, of)],
    [environment, (count) => t("{0} of {1} runs ended because of quota or network.", count, of)],
    [blocked, (count) => t("{0} of {1} runs left their task blocked.", count, of)],
    [failedResumes, (count) => t("{0} of {1} runs could not continue their session.", count, of)],
    [
      reopened,
      (count) =>
        plural(
          reopened,
          t("1 task was opened again after it was done."),
          t("{0} tasks were opened again after they were done.", count),
        ),
    ],
  ];
  return counted.flatMap(([count, describe]) => (count === 0 ? [] : [describe(wholeNumber(count))]));
}

/** Success is among what became worse. */
function missedTargets({ targets }: Agent): string[] {
  return targets.flatMap(({ name, wanted, actual, isReached }) => {
    if (isReached !== false || actual === null) return [];
    const [is, least] = [percent(actual * 100), percent(wanted * 100)];
    switch (name) {
      case "normalized_input":
        return actual < 0 ? [] : [t("Reusing sessions saved only {0}; {1} is expected.", is, least)];
      case "reuse":
        return [t("Only {0} of scheduled runs reused the session; {1} is expected.", is, least)];
      case "full_fetches":
        return [t("Only {0} of later runs read only what was new; {1} is expected.", is, least)];
      case "completion":
        return [];
    }
  });
}
