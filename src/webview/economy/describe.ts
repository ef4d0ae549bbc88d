import { percent, wholeNumber } from "../../engine/base/text/local-format.ts";
import type { EconomyTarget, EconomyView } from "../../engine/economy/answers.ts";
import type { Days } from "./protocol.ts";

/** The panel's texts. */

export const misunderstood =
  "The panel and its host are of different versions. Close this panel and open it again.";

export const spanNames: Readonly<Record<Days, string>> = { 7: "7 days", 30: "30 days", 90: "90 days" };

export const notes = {
  targets:
    "What recurring agents should reach, and what they did. Input of a reused session is compared with that of new sessions of the same agents. " +
    "Completion leaves out wakes that ended for want of quota or network.",
  agents:
    "Normalized input weighs each response's input, cache writes and cache reads by their price, in tokens of plain input: it is what wakes of any " +
    "program are compared by. Raw input is what the programs printed. Both are measured, from transcripts and the programs' own output.",
  versions:
    "An agent's file decides what each wake takes. Each change of it begins a new row, so that what it saved, or cost, can be seen.",
  wakes: "The newest wakes, at most a hundred, with why each session was reused or begun anew.",
  ordinary:
    "Sessions of people, counted from transcripts, without wakes and subagents. Somebody came back to a session if an hour or more passed " +
    "between two of its responses; the provider's cache is then mostly gone.",
  prompts:
    "What is sent before an agent has done anything: the wake's prompt, its constant part, instruction files and the list of skills. Means of all " +
    "wakes in this time; skills are those of the last one.",
};

export const targetNames: Readonly<Record<EconomyTarget["name"], string>> = {
  normalized_input: "Input saved by a reused session",
  reuse: "Timer wakes on the same task that reuse the session",
  full_fetches: "Later wakes that fetch no whole thread",
  completion: "Wakes that succeed",
};

type Wake = EconomyView["wakes"][number];

const sourceNames: Readonly<Record<Wake["source"], string>> = {
  timer: "Timer",
  assignment: "Assignment",
  mention: "Mention",
  manual: "By hand",
};

const reasonNames: Readonly<Record<Wake["reason"], string>> = {
  reused: "Reused",
  first: "New: the first",
  forced: "New: asked for",
  other_task: "New: another task",
  other_folder: "New: another folder",
  other_program: "New: another program",
  other_model: "New: another model",
  invalid_resume: "New: the last one is gone",
  rotated: "New: rotated",
};

const causeNames: Readonly<Record<NonNullable<Wake["cause"]>, string>> = {
  turns: "too many turns",
  input: "a wake cost more than a new session",
  age: "too old",
  cache_hits: "few cache hits",
  definition: "the agent's file changed",
};

const outcomeNames: Readonly<Record<Wake["outcome"], string>> = {
  completed: "Completed",
  limit: "Stopped at a limit",
  failed: "Failed",
  environment: "Quota or network",
  cancelled: "Cancelled",
  interrupted: "Interrupted",
};

/** Describes the source of a wake, its session, and its outcome. */
export function describeWake({ source, reason, cause, outcome }: Wake): {
  readonly source: string;
  readonly session: string;
  readonly outcome: string;
} {
  const why = cause === null ? "" : `, ${causeNames[cause]}`;
  return {
    source: sourceNames[source],
    session: `${reasonNames[reason]}${why}`,
    outcome: outcomeNames[outcome],
  };
}

/** The main sentence: the largest saving that is known, with its two figures. Null where nothing is known. */
export function headline({
  report,
}: EconomyView): { readonly figure: string; readonly words: string } | null {
  const { inputPerReused: reused, inputPerFresh: fresh, wakes } = report.total;
  if (wakes === 0) return null;
  if (reused === null || fresh === null || fresh === 0)
    return { figure: wholeNumber(wakes), words: wakes === 1 ? "wake" : "wakes" };
  const saved = 1 - reused / fresh;
  const means = `${wholeNumber(Math.round(reused))} tokens, not ${wholeNumber(Math.round(fresh))}`;
  return saved >= 0
    ? { figure: percent(saved * 100), words: `less input in a wake that reuses its session: ${means}` }
    : { figure: percent(-saved * 100), words: `more input in a wake that reuses its session: ${means}` };
}
