import type { Receipt } from "../verdict/receipt/receipt.ts";
import type { Interval, Verdict } from "../verdict/verdict.ts";
import { formatPercent, formatTokens, opposite } from "../verdict/describe.ts";
import { wholeNumber } from "../base/text/format.ts";

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
export function describeComparison({
  verdict,
  sides,
  subject,
}: Pick<Receipt, "verdict" | "sides" | "subject">): string {
  return subject.kind === "ablation"
    ? describeLeftOut(verdict, subject.title)
    : describeSides(verdict, sides[0].label, sides[1].label);
}

function describeSides(verdict: Verdict, before: string, after: string): string {
  const { saves, costs, either } = figuresOf(verdict);
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
      return `No difference shown yet between ${after} and ${before}${either === null ? "" : `: ${after} ${either}`}.`;
  }
}

/** The change is what was left out: the cost of leaving it out is what it earns. */
function describeLeftOut(verdict: Verdict, what: string): string {
  const { saves, costs, either } = figuresOf(verdict);
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
      return `Not decided yet whether ${what} is worth its tokens${either === null ? "" : `: without it, the agent ${either}`}.`;
  }
}

interface Figures {
  readonly saves: string;
  /** The same difference as a cost. */
  readonly costs: string;
  /** Whichever of the two is positive; null where nothing is known. */
  readonly either: string | null;
}

function figuresOf({ saving, savingShare }: Verdict): Figures {
  if (saving === null || savingShare === null) return { saves: "", costs: "", either: null };
  const figures = (tokens: Interval, share: Interval) =>
    `${formatTokens(tokens)} a completed run, ${formatPercent(share)}`;
  const [saves, costs] = [figures(saving, savingShare), figures(opposite(saving), opposite(savingShare))];
  return { saves, costs, either: saving.value < 0 ? `costs ${costs}` : `saves ${saves}` };
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
