import { confidenceLevel } from "../../../engine/base/confidence.ts";
import { plainSentence, inWords, plural, t } from "../../../engine/base/language.ts";
import { dollars, percent, signedPercent, wholeNumber } from "../../../engine/base/local-format.ts";
import type { JobSummary } from "../../../engine/jobs/bench-answers.ts";
import type {
  ArmView,
  CompareAsk,
  ComparisonView,
  InterimVerdict,
} from "../../../engine/jobs/compare-answers.ts";
import type { IconName } from "../../components/icon.ts";
import { verdictReason, verdictSentence } from "../../components/sentences.ts";

/** Texts about comparisons. */

type Change = CompareAsk["change"];
type Decision = ComparisonView["decision"];
type Interval = NonNullable<ComparisonView["saving"]>;

/** A short name of the change, used before the service gives the comparison a title. */
function changeName(change: Change, own: string | null): string {
  switch (change.kind) {
    case "model":
      return own === null
        ? t("{0} vs. the agent's own model", change.model)
        : t("{0} vs. {1}", change.model, own);
    case "effort":
      return own === null
        ? t("Effort {0} vs. the usual one", change.effort)
        : t("Effort {0} vs. {1}", change.effort, own);
    case "prompt":
      return t("{0} vs. the shipped prompt", change.name);
    case "setting":
      return isLeavingOut(change)
        ? t("Without {0} vs. unchanged", pathsOf(change))
        : t("With {0} vs. unchanged", inWords(change.name));
    case "without":
      return t("Without {0} vs. unchanged", leftOut(change));
  }
}

/** Whether a setting only takes files away. */
function isLeavingOut({ files }: Extract<Change, { kind: "setting" }>): boolean {
  return files.length > 0 && files.every(({ text }) => text === null);
}

function pathsOf({ files }: Extract<Change, { kind: "setting" }>): string {
  return files.map(({ path }) => path).join(", ");
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
      return { ...change, name };
    case "setting":
      return { ...change, name: plainSentence(name) };
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
      return change.name;
    case "setting":
      return inWords(change.name);
    case "without":
      return t("without {0}", leftOut(change));
  }
}

export function jobTitle({ ask, comparison }: Pick<JobSummary, "ask" | "comparison">): string {
  // The stored title of a comparison without one part is only the name of that part.
  const isLeftOut = ask.kind === "compare" && ask.change.kind === "without";
  if (comparison !== undefined && !isLeftOut) return inWords(comparison.title);
  return ask.kind === "compare" ? askTitle(ask) : t("Comparison");
}

/** The change's name in the list of facts. */
export function changeFact(change: Change): string {
  switch (change.kind) {
    case "model":
      return t("Model {0}", change.model);
    case "effort":
      return t("Effort {0}", change.effort);
    case "prompt":
      return t("Another prompt: {0}", change.name);
    case "setting":
      if (isLeavingOut(change)) return t("Without {0}", pathsOf(change));
      return change.files.length === 1
        ? `${inWords(change.name)}: ${change.files[0]?.path ?? ""}`
        : inWords(change.name);
    case "without":
      return t("{0}, left out", leftOut(change));
  }
}

function leftOut({ file, heading }: Extract<Change, { kind: "without" }>): string {
  const name =
    file.is === "file" ? file.path : file.is === "memory" ? "MEMORY.md" : t("the agent's definition");
  return heading === null ? name : `${name}#${heading}`;
}

/** Warns about programs that changes would run. Null if they run none. */
export function changesWarning({ change, others = [] }: CompareAsk): string | null {
  return [change, ...others].map(changeWarning).find((warning) => warning !== null) ?? null;
}

function changeWarning(change: Change): string | null {
  if (change.kind !== "setting") return null;
  const paths = change.files.filter(({ text }) => text !== null).map(({ path }) => path);
  if (paths.includes(".mcp.json")) return t("The MCP servers of this file are started.");
  return paths.some((path) => path.startsWith(".claude/settings"))
    ? t("Hooks of these settings are run.")
    : null;
}

export const decisions: Readonly<Record<Decision, { word: string; icon: IconName; tone: string }>> = {
  saves: { word: t("Better"), icon: "check", tone: "good" },
  costs: { word: t("More expensive"), icon: "close", tone: "bad" },
  "cheaper-not-as-good": { word: t("Cheaper, not shown to be as good"), icon: "warning", tone: "doubt" },
  regression: { word: t("Fails what passed"), icon: "close", tone: "bad" },
  undecided: { word: t("Undecided"), icon: "none", tone: "open" },
};

/** The state of a comparison after its last round, in one sentence. */
export function soFar({ round, decision, saving, moreRuns }: InterimVerdict): string {
  const found = saving === null ? t("nothing is comparable yet") : inSentence(saving);
  if (decision !== "undecided")
    return plural(
      round,
      t("After 1 round: {0}.", found),
      t("After {0} rounds: {1}.", wholeNumber(round), found),
    );
  const open = plural(
    round,
    t("After 1 round: {0}; not decided.", found),
    t("After {0} rounds: {1}; not decided.", wholeNumber(round), found),
  );
  if (moreRuns === null) return open;
  const more = plural(
    moreRuns,
    t("About 1 more run for a decision, as things look."),
    t("About {0} more runs for a decision, as things look.", wholeNumber(moreRuns)),
  );
  return `${open} ${more}`;
}

function inSentence({ value, low, high }: Interval): string {
  const [from, to] = value < 0 ? [-high, -low] : [low, high];
  const figures = [Math.abs(value), from, to].map(wholeNumber);
  const [tokens = "", least = "", most = ""] = figures;
  return value < 0
    ? t(
        "the change takes {0} tokens more a completed run ({1}: {2} to {3})",
        tokens,
        percent(100 * confidenceLevel),
        least,
        most,
      )
    : t(
        "the change saves {0} tokens a completed run ({1}: {2} to {3})",
        tokens,
        percent(100 * confidenceLevel),
        least,
        most,
      );
}

/** The difference made by the change, as a share: `−22%`. */
export function shareAgainstBefore(saved: number): string {
  return signedPercent(-saved);
}

/** `$0.12 less a run (58%), 31% fewer tokens`: the differences that are shown, money first. Null if none is. */
export function headlineOf(result: ComparisonView): string | null {
  if (result.decision === "regression") return null;
  const parts = [
    ...moneyParts(result),
    ...shownPart(
      result.savingShare,
      (share) => t("{0} fewer tokens", share),
      (share) => t("{0} more tokens", share),
    ),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** The difference in money, if it is shown. */
function moneyParts({ costShare, sides }: ComparisonView): string[] {
  const usd = sides[0].figures?.usd ?? null;
  const money = usd === null || costShare === null ? null : dollars(Math.abs(usd * costShare.value));
  return shownPart(
    costShare,
    (share) => (money === null ? t("{0} cheaper", share) : t("{0} less a run ({1})", money, share)),
    (share) => (money === null ? t("{0} more expensive", share) : t("{0} more a run ({1})", money, share)),
  );
}

/** Only a difference whose interval excludes zero is shown. */
function shownPart(
  share: ComparisonView["savingShare"],
  less: (share: string) => string,
  more: (share: string) => string,
): string[] {
  if (share === null || (share.low <= 0 && share.high >= 0)) return [];
  const shown = percent(100 * Math.abs(share.value));
  return [share.value > 0 ? less(shown) : more(shown)];
}

/** Why a comparison ended, after how many rounds, and further facts that its sentence lacks. */
export function endSentence(result: ComparisonView): string {
  const { decision, stop, rounds } = result;
  const own = plural(rounds.own, t("1 round"), t("{0} rounds", wholeNumber(rounds.own)));
  const after =
    rounds.pooled === 0
      ? own
      : plural(
          rounds.pooled,
          t("{0} and 1 earlier round", own),
          t("{0} and {1} earlier rounds", own, wholeNumber(rounds.pooled)),
        );
  // The other reasons repeat the sentence's figures.
  const why = decision === "regression" ? `${verdictReason(result)} ` : "";
  return `${why}${stop === null ? t("After {0}.", after) : stops[stop](after)}`;
}

const stops: Readonly<Record<NonNullable<ComparisonView["stop"]>, (after: string) => string>> = {
  decided: (after) => t("Decided after {0}.", after),
  futile: (after) => t("Ended after {0}, as more rounds would not decide it.", after),
  cap: (after) => t("Ended after {0}, as its limit of rounds or tokens was reached.", after),
  worth: (after) => t("Ended after {0}, as more rounds would take more than they may save.", after),
};

/** The state of all arms in one sentence. */
export function armsSentence(arms: readonly ArmView[]): string {
  const better = arms.flatMap(({ label, result }) =>
    result?.decision === "saves" ? [[inWords(label), ...moneyParts(result)].join(", ")] : [],
  );
  const open = arms.filter(({ state }) => state === "measuring").length;
  const found = describeBetter(better, arms.length, open > 0);
  if (open === 0) return t("{0}.", found);
  return plural(open, t("{0}; 1 goes on.", found), t("{0}; {1} go on.", found, open));
}

function describeBetter(better: readonly string[], of: number, isOpen: boolean): string {
  if (better.length === 0)
    return isOpen
      ? t("None of {0} changes is shown to be better yet", of)
      : t("None of {0} changes is shown to be better", of);
  const names = better.join("; ");
  return plural(
    better.length,
    t("1 of {0} changes is better: {1}", of, names),
    t("{0} of {1} changes are better: {2}", better.length, of, names),
  );
}

/** The state of a comparison, for screen readers. */
export function spokenComparison({ state, done, of, comparison }: JobSummary, word: string): string {
  const result = comparison?.result ?? null;
  if (result !== null) return `${word}. ${verdictSentence(result)}`;
  if (comparison?.arms !== undefined && state.kind !== "queued")
    return `${word}. ${armsSentence(comparison.arms)}`;
  const made = of === 0 ? "" : ` ${madeOf(done, of)}`;
  const last = comparison?.looks.at(-1);
  return `${word}.${made}${last === undefined || state.kind === "queued" ? "" : ` ${soFar(last)}`}`;
}

function madeOf(done: number, of: number): string {
  return plural(
    of,
    t("{0} of at most 1 run are made.", wholeNumber(done)),
    t("{0} of at most {1} runs are made.", wholeNumber(done), wholeNumber(of)),
  );
}

/** The source of each section's figures. */
export const notes = {
  differences: t(
    "Measured: new tokens (input, output and cache writes) of runs that both sides completed in the same round. Dots are means, bars their intervals; the one of all tasks together holds however often it was looked at.",
  ),
  looks: t(
    "Measured after every round, earlier measurements of the same two sides counted in. The interval holds however often it is looked at.",
  ),
  arms: t(
    "Measured after every round, each change against the same runs of the unchanged agent. One that is decided, or given up, is run no more. Intervals hold for all changes together, however often they are looked at.",
  ),
  sides: t(
    "Measured: means over completed runs of tasks that both sides passed. Differences are of paired runs, as in the verdict; where no interval is known, there is none. Seconds depend on the machine and the day. Cost is by the list, where prices are known.",
  ),
  runs: t(
    "Measured: new tokens of each run. The line across a bar is the mean of the task's unchanged runs. A run opens turn by turn, with the one it is paired with beside it.",
  ),
} as const;
