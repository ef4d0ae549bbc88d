import { percent, wholeNumber } from "../../engine/base/local-format.ts";
import { plural, t } from "../../engine/base/language.ts";
import type {
  EconomyTarget,
  EconomyView,
  GuardrailName,
  GuardrailResult,
} from "../../engine/recurring/recurring-answers.ts";

/** The panel's texts. */

export const notes = {
  targets: t(
    "What recurring agents should reach, and what they did. Input of a reused session is compared with that of new sessions of the same agents. Success is compared with that before the newest change of an agent's file, without wakes that ended because of quota or network; where several files changed, each agent's is below.",
  ),
  agents: t(
    "Normalized input weighs each response's input, cache writes and cache reads by their price, in tokens of plain input: it is what wakes of any program are compared by. Raw input is what the programs printed. Both are measured, from transcripts and the programs' own output.",
  ),
  versions: t(
    "An agent's file decides what each wake takes. Each change of it begins a new row that shows what the change saved or cost. Succeeded leaves out wakes that ended because of quota or network.",
  ),
  guardrails: t(
    "What must not become worse for a saving, before and after each change. Got worse: chance alone rarely makes such a difference. No worse: the interval (95%) excludes a loss of ten points. Wakes that ended because of quota or network are left out.",
  ),
  wakes: t("The newest wakes, at most a hundred, with why each session was reused or a new one began."),
  ordinary: t(
    "Sessions of people, counted from transcripts, without wakes and subagents. Somebody came back to a session if an hour or more passed between two of its responses; the provider's cache is then mostly gone.",
  ),
  prompts: t(
    "What is sent before an agent has done anything: the wake's prompt, its constant part, instruction files and the list of skills. Means of all wakes in this time; skills are those of the last one.",
  ),
};

export const targetNames: Readonly<Record<EconomyTarget["name"], string>> = {
  normalized_input: t("Input saved by a reused session"),
  reuse: t("Timer wakes on the same task that reuse the session"),
  full_fetches: t("Later wakes that fetch no whole thread"),
  completion: t("Wakes that succeed after the newest change"),
};

export const guardrailWords: Readonly<Record<GuardrailName, string>> = {
  completion: t("Wakes that succeed"),
  blocked: t("Wakes that leave their task blocked"),
  failed_resumes: t("Resumes that fail"),
};

export const resultWords: Readonly<Record<GuardrailResult, string>> = {
  worse: t("Got worse"),
  no_worse: t("No worse"),
  too_few: t("Too few wakes to say"),
};

type Wake = EconomyView["wakes"][number];

const sourceNames: Readonly<Record<Wake["source"], string>> = {
  timer: t("Timer"),
  assignment: t("Assignment"),
  mention: t("Mention"),
  manual: t("By hand"),
};

const reasonNames: Readonly<Record<Wake["reason"], string>> = {
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

const causeNames: Readonly<Record<NonNullable<Wake["cause"]>, string>> = {
  turns: t("too many turns"),
  input: t("a wake cost more than a new session"),
  age: t("too old"),
  cache_hits: t("few cache hits"),
  definition: t("the agent's file changed"),
};

const outcomeNames: Readonly<Record<Wake["outcome"], string>> = {
  completed: t("Completed"),
  limit: t("Stopped at a limit"),
  failed: t("Failed"),
  environment: t("Quota or network"),
  cancelled: t("Cancelled"),
  interrupted: t("Interrupted"),
};

/** Describes the source of a wake, its session, and its outcome. */
export function describeWake({ source, reason, cause, outcome }: Wake): {
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

/** The main sentence: the largest saving that is known, with its two figures. Null where nothing is known. */
export function headline({ report }: EconomyView): {
  /** The most important figure. */
  readonly figure: string;
  /** The sentence, with a placeholder for it. */
  readonly sentence: string;
  /** Other values that the sentence has places for. */
  readonly values: readonly string[];
} | null {
  const { inputPerReused: reused, inputPerFresh: fresh, wakes } = report.total;
  if (wakes === 0) return null;
  if (reused === null || fresh === null || fresh === 0)
    return { figure: wholeNumber(wakes), sentence: plural(wakes, t("{0} wake"), t("{0} wakes")), values: [] };
  const saved = 1 - reused / fresh;
  return {
    figure: percent(Math.abs(saved) * 100),
    sentence:
      saved >= 0
        ? t("{0} less input in a wake that reuses its session: {1} tokens, not {2}")
        : t("{0} more input in a wake that reuses its session: {1} tokens, not {2}"),
    values: [wholeNumber(Math.round(reused)), wholeNumber(Math.round(fresh))],
  };
}
