import type { Receipt } from "../verdict/receipt/receipt.ts";
import type { Interval, Verdict } from "../verdict/verdict.ts";
import { formatPercent, formatTokens, opposite } from "../verdict/describe.ts";
import { percent, signedNumber, wholeNumber } from "../base/text/format.ts";

/** Exit codes of a command, so that CI can gate on it. */
export const exitCodes = { better: 0, notBetter: 1, undecided: 3 } as const;

/** Better means cheaper and shown to be as good. Not shown either way is undecided; anything else is not better. */
export function exitCodeOf(verdict: Verdict): (typeof exitCodes)[keyof typeof exitCodes] {
  if (verdict.kind === "saves") return exitCodes.better;
  return verdict.kind === "undecided" && !verdict.belowBar ? exitCodes.undecided : exitCodes.notBetter;
}

/** Better if any of several changes is; not decided if none is, and one may yet be. */
export function exitCodeOfArms(verdicts: readonly Verdict[]): ReturnType<typeof exitCodeOf> {
  const codes = verdicts.map(exitCodeOf);
  if (codes.includes(exitCodes.better)) return exitCodes.better;
  return codes.includes(exitCodes.undecided) ? exitCodes.undecided : exitCodes.notBetter;
}

/** Describes in one plain sentence which of several changes are better. Its names are outside text. */
export function describeArms(receipts: readonly Pick<Receipt, "verdict" | "sides">[]): string {
  const better = receipts.filter(({ verdict }) => verdict.kind === "saves");
  const most = better.toSorted((one, other) => shareOf(other) - shareOf(one));
  const names = most.map(({ sides }) => sides[1].label).join(", ");
  const before = receipts[0]?.sides[0].label ?? "";
  const all = wholeNumber(receipts.length);
  if (most.length === 0) return `None of ${all} is shown to be cheaper than ${before} and as good.`;
  const isOne = most.length === 1;
  return `${wholeNumber(most.length)} of ${all} ${isOne ? "is" : "are"} shown to be cheaper than ${before} and as good: ${names}${isOne ? "" : " (largest saving first)"}.`;
}

function shareOf({ verdict }: Pick<Receipt, "verdict">): number {
  return verdict.savingShare?.value ?? 0;
}

/** Describes a comparison in one plain sentence. Its names are outside text: the caller must clean them for where they are shown. */
export function describeComparison(receipt: Settled): string {
  return receipt.subject.kind === "ablation" ? describeLeftOut(receipt) : describeSides(receipt);
}

type Settled = Pick<Receipt, "verdict" | "sides" | "subject" | "rounds" | "question">;

function describeSides(receipt: Settled): string {
  const { verdict, sides } = receipt;
  const [before, after] = sides.map(({ label }) => label);
  const { saves, costs } = figuresOf(verdict);
  switch (verdict.kind) {
    case "saves":
      return `${after} saves ${saves} against ${before}, and is shown to be as good.`;
    case "costs":
      return `${after} costs more than ${before}: ${costs}.`;
    case "cheaper-not-as-good":
      return `${after} saves ${saves} against ${before}, but is not shown to be as good: ${passes(verdict)}.`;
    case "regression":
      return `${after} fails where ${before} passes: ${broken(verdict)}.`;
    case "undecided":
      // `without CLAUDE.md` needs no other side.
      return `${undecidedWord(verdict)} ${before === "unchanged" ? after : `between ${after} and ${before}`}: ${undecided(receipt)}`;
  }
}

/** The change is what was left out: the cost of leaving it out is what it earns. */
function describeLeftOut(receipt: Settled): string {
  const { verdict, subject } = receipt;
  const what = subject.title;
  const { saves, costs } = figuresOf(verdict);
  switch (verdict.kind) {
    case "saves":
      return `${what} is not worth its tokens: without it, the agent saves ${saves}, and is shown to be as good.`;
    case "costs":
      return `${what} is worth its tokens: without it, the agent needs more: ${costs}.`;
    case "cheaper-not-as-good":
      return `${what} costs tokens and may be needed: without it, the agent saves ${saves}, but is not shown to be as good: ${passes(verdict)}.`;
    case "regression":
      return `${what} is needed: without it, tasks that passed fail: ${broken(verdict)}.`;
    case "undecided":
      return `${undecidedWord(verdict)} with and without ${what}: ${undecided(receipt)}`;
  }
}

interface Figures {
  readonly saves: string;
  /** The same difference as a cost. */
  readonly costs: string;
}

function figuresOf({ saving, savingShare }: Verdict): Figures {
  if (saving === null || savingShare === null) return { saves: "", costs: "" };
  const figures = (tokens: Interval, share: Interval) =>
    `${formatTokens(tokens)} a completed run, ${formatPercent(share)}`;
  return {
    saves: figures(saving, savingShare),
    costs: figures(opposite(saving), opposite(savingShare)),
  };
}

/** A difference that the interval shows is found, but too few rounds were made to decide by it. */
function undecidedWord({ saving }: Verdict): string {
  const isShown = saving !== null && (saving.low > 0 || saving.high < 0);
  return isShown ? "Difference not decided yet" : "No difference found";
}

/** `0 tokens a run (90% CI −40 to +40) after 2 of 2 rounds. More rounds would not decide it.` A saving is negative. */
function undecided({ verdict, rounds, question }: Settled): string {
  const { saving, moreRounds, stop } = verdict;
  if (saving === null) return "too few tasks were finished on both sides.";
  const { value, low, high, level } = opposite(saving);
  const tokens = `${signedNumber(value)} tokens a run (${percent(100 * level)} CI ${signedNumber(low)} to ${signedNumber(high)})`;
  const earlier = rounds.pooled === 0 ? "" : ` and ${wholeNumber(rounds.pooled)} earlier`;
  const after = `after ${wholeNumber(rounds.own)} of ${wholeNumber(question.maxRounds)} rounds${earlier}`;
  const more =
    moreRounds === null || stop === "futile"
      ? "More rounds would not decide it."
      : `About ${moreRounds === 1 ? "1 more round" : `${wholeNumber(moreRounds)} more rounds`} would decide it.`;
  return `${tokens} ${after}. ${more}`;
}

function passes({ passed: [before, after] }: Verdict): string {
  return `${after.passed} of ${after.runs} runs passed, where ${before.passed} of ${before.runs} did`;
}

function broken({ tasks }: Verdict): string {
  return tasks
    .filter(({ regressed }) => regressed)
    .map(({ taskId }) => taskId)
    .join(", ");
}
