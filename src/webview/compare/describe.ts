import { percent, signedPercent, wholeNumber } from "../../engine/base/text/format.ts";
import type { JobSummary } from "../../engine/jobs/answers/bench.ts";
import type {
  ArmView,
  CompareAsk,
  ComparisonView,
  InterimVerdict,
} from "../../engine/jobs/answers/compare.ts";
import { plural } from "../components/figures.ts";
import type { IconName } from "../components/icon.ts";

/** The panel's texts, in one place. They are in English; the host's error messages are in the editor's language. */

type Change = CompareAsk["change"];
type Decision = ComparisonView["decision"];
type Interval = NonNullable<ComparisonView["saving"]>;

/** A short name of the change, used before the service gives the comparison a title. */
function changeName(change: Change, own: string | null): string {
  switch (change.kind) {
    case "model":
      return `${change.model} vs. ${own ?? "the agent's own model"}`;
    case "effort":
      return `Effort ${change.effort} vs. ${own ?? "the usual one"}`;
    case "prompt":
      return `${change.name} vs. the shipped prompt`;
    case "setting":
      return isLeavingOut(change)
        ? `Without ${leftOutOf(change.name)} vs. unchanged`
        : `With ${change.name} vs. unchanged`;
    case "without":
      return `Without ${leftOut(change)} vs. unchanged`;
  }
}

/** Whether a setting only takes files away. */
function isLeavingOut({ files }: Extract<Change, { kind: "setting" }>): boolean {
  return files.length > 0 && files.every(({ text }) => text === null);
}

/** Such a setting is called `no CLAUDE.md`. */
function leftOutOf(name: string): string {
  return name.replace(/^no /u, "");
}

/** A title with all sides, from the request alone. */
export function askTitle({ change, others = [], model, effort }: CompareAsk): string {
  const names = [change, ...others].map(ownName).join(", ");
  return changeName(
    others.length === 0 ? change : named(change, names),
    change.kind === "effort" ? effort : model,
  );
}

/** The change by another name. */
function named(change: Change, name: string): Change {
  switch (change.kind) {
    case "model":
      return { ...change, model: name };
    case "effort":
      return { ...change, effort: name };
    case "prompt":
    case "setting":
      return { ...change, name };
    case "without":
      return change;
  }
}

/** The name of a change without what it is compared with. */
function ownName(change: Change): string {
  switch (change.kind) {
    case "model":
      return change.model;
    case "effort":
      return change.effort;
    case "prompt":
    case "setting":
      return change.name;
    case "without":
      return `without ${leftOut(change)}`;
  }
}

export function jobTitle({ ask, comparison }: Pick<JobSummary, "ask" | "comparison">): string {
  // What is left out is the subject of its measurement, and no title yet.
  const isLeftOut = ask.kind === "compare" && ask.change.kind === "without";
  if (comparison !== undefined && !isLeftOut) return comparison.title;
  return ask.kind === "compare" ? askTitle(ask) : "Comparison";
}

/** The change's name in the list of facts. */
export function changeFact(change: Change): string {
  switch (change.kind) {
    case "model":
      return `Model ${change.model}`;
    case "effort":
      return `Effort ${change.effort}`;
    case "prompt":
      return `Another prompt: ${change.name}`;
    case "setting":
      if (isLeavingOut(change)) return `Without ${change.files.map(({ path }) => path).join(", ")}`;
      return change.files.length === 1 ? `${change.name}: ${change.files[0]?.path ?? ""}` : change.name;
    case "without":
      return `${leftOut(change)}, left out`;
  }
}

function leftOut({ file, heading }: Extract<Change, { kind: "without" }>): string {
  const name = file.is === "file" ? file.path : file.is === "memory" ? "MEMORY.md" : "the agent's definition";
  return heading === null ? name : `${name}#${heading}`;
}

/** Warns about programs that changes would run. Null if they run none. */
export function changesWarning({ change, others = [] }: CompareAsk): string | null {
  return [change, ...others].map(changeWarning).find((warning) => warning !== null) ?? null;
}

function changeWarning(change: Change): string | null {
  if (change.kind !== "setting") return null;
  const paths = change.files.filter(({ text }) => text !== null).map(({ path }) => path);
  if (paths.includes(".mcp.json")) return "The MCP servers of this file are started.";
  return paths.some((path) => path.startsWith(".claude/settings"))
    ? "Hooks of these settings are run."
    : null;
}

export const decisions: Readonly<Record<Decision, { word: string; icon: IconName; tone: string }>> = {
  saves: { word: "Better", icon: "check", tone: "good" },
  costs: { word: "More expensive", icon: "close", tone: "bad" },
  "cheaper-not-as-good": { word: "Cheaper, not shown to be as good", icon: "warning", tone: "doubt" },
  regression: { word: "Fails what passed", icon: "close", tone: "bad" },
  undecided: { word: "Undecided", icon: "none", tone: "open" },
};

/** The state of a comparison after its last round, in one sentence. */
export function soFar({ round, decision, saving, moreRuns }: InterimVerdict): string {
  const after = `After ${plural(round, "round", "rounds")}`;
  const found = saving === null ? "nothing is comparable yet" : `the change ${inSentence(saving)}`;
  if (decision !== "undecided") return `${after}: ${found}.`;
  const more =
    moreRuns === null
      ? ""
      : ` About ${plural(moreRuns, "more run", "more runs")} for a decision, as things look.`;
  return `${after}: ${found}; not decided.${more}`;
}

function inSentence({ value, low, high, level }: Interval): string {
  const what = value < 0 ? "takes" : "saves";
  const more = value < 0 ? " more" : "";
  const [from, to] = value < 0 ? [-high, -low] : [low, high];
  return `${what} ${wholeNumber(Math.abs(value))} tokens${more} a completed run (${percent(level * 100)}: ${wholeNumber(from)} to ${wholeNumber(to)})`;
}

/** The difference made by the change, as a share: `−22%`. */
export function shareAgainstBefore(saved: number): string {
  return signedPercent(-saved);
}

/** Why a comparison ended and after how many rounds, and what its sentence does not say. */
export function endSentence({ decision, stop, reason, rounds }: ComparisonView): string {
  const earlier =
    rounds.pooled === 0 ? "" : ` and ${plural(rounds.pooled, "earlier round", "earlier rounds")}`;
  const after = `${plural(rounds.own, "round", "rounds")}${earlier}`;
  // The other reasons repeat the sentence's figures.
  const why = decision === "regression" ? `${reason} ` : "";
  return `${why}${stop === null ? `After ${after}` : stops[stop](after)}.`;
}

const stops: Readonly<Record<NonNullable<ComparisonView["stop"]>, (after: string) => string>> = {
  decided: (after) => `Decided after ${after}`,
  futile: (after) => `Ended after ${after}, as more rounds would not decide it`,
  cap: (after) => `Ended after ${after}, as its limit of rounds or tokens was reached`,
};

/** The state of all arms in one sentence. */
export function armsSentence(arms: readonly ArmView[]): string {
  const better = arms.filter(({ result }) => result?.decision === "saves").map((arm) => arm.label);
  const open = arms.filter(({ state }) => state === "measuring").length;
  const found =
    better.length === 0
      ? `None of ${arms.length} changes is shown to be better${open > 0 ? " yet" : ""}`
      : `${better.length} of ${arms.length} changes ${better.length === 1 ? "is" : "are"} better: ${better.join(", ")}`;
  return open === 0 ? `${found}.` : `${found}; ${open} ${open === 1 ? "goes" : "go"} on.`;
}

/** The state of a comparison, for screen readers. */
export function spokenState({ state, done, of, comparison }: JobSummary, word: string): string {
  const result = comparison?.result ?? null;
  if (result !== null) return `${word}. ${result.sentence}`;
  if (comparison?.arms !== undefined && state.kind !== "queued")
    return `${word}. ${armsSentence(comparison.arms)}`;
  const made = of === 0 ? "" : ` ${wholeNumber(done)} of at most ${plural(of, "run", "runs")} are made.`;
  const last = comparison?.looks.at(-1);
  return `${word}.${made}${last === undefined || state.kind === "queued" ? "" : ` ${soFar(last)}`}`;
}

/** Where the figures of each section come from. */
export const notes = {
  plan:
    "Estimated: from your own earlier runs of these tasks where there are any, else from what is documented. Price by the list. " +
    "These are the most runs: it is looked at after every round, and ends as soon as it is decided or cannot be.",
  differences:
    "Measured: new tokens (input, output and cache writes) of runs that both sides completed in the same round. Dots are means, " +
    "bars their intervals; the one of all tasks together holds however often it was looked at.",
  looks:
    "Measured after every round, earlier measurements of the same two sides counted in. The interval holds however often it is looked at.",
  arms:
    "Measured after every round, each change against the same runs of the unchanged agent. One that is decided, or given up, is run no more. Intervals hold for " +
    "all changes together, however often they are looked at.",
  sides:
    "Measured: means over completed runs of tasks that both sides passed. Seconds depend on the machine and the day, and decide nothing. " +
    "Cost is by the list, and only where prices are known.",
  runs: "Measured: new tokens of each run. A run opens turn by turn, with the one it is paired with beside it.",
} as const;
