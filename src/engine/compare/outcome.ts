import type { Receipt } from "../verdict/receipt/receipt.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { formatPercent, formatTokens } from "../verdict/describe.ts";

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
  const of = `of ${receipts.length} is shown to take less than ${before} and to be as good`;
  if (most.length === 0) return `None ${of}.`;
  return most.length === 1
    ? `One ${of}: ${names}.`
    : `${most.length} ${of.replace("is shown", "are shown")}: ${names}, by what they save as measured.`;
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
  const figures = figuresOf(verdict);
  switch (verdict.kind) {
    case "saves":
      return `${after} takes ${figures} less than ${before}, and is shown to be as good.`;
    case "costs":
      return `${after} takes more than ${before}: it saves ${figures}.`;
    case "cheaper-not-as-good":
      return `${after} takes ${figures} less than ${before}, but is not shown to be as good: ${passes(verdict)}.`;
    case "regression":
      return `${after} fails what ${before} does: ${broken(verdict)}.`;
    case "undecided":
      return `It is not decided whether ${after} or ${before} takes less${figures === "" ? "" : `: ${after} saves ${figures}`}.`;
  }
}

/** The change is what was left out: the cost of leaving it out is what it earns. */
function describeLeftOut(verdict: Verdict, what: string): string {
  const figures = figuresOf(verdict);
  switch (verdict.kind) {
    case "saves":
      return `${what} costs more than it brings: without it runs save ${figures}, and are shown to be as good.`;
    case "costs":
      return `${what} earns its place: runs without it save ${figures}.`;
    case "cheaper-not-as-good":
      return `${what} takes tokens and may be needed: without it runs save ${figures}, but are not shown to be as good: ${passes(verdict)}.`;
    case "regression":
      return `${what} is needed: without it ${broken(verdict)}.`;
    case "undecided":
      return `It is not decided whether ${what} earns its place${figures === "" ? "" : `: runs without it save ${figures}`}.`;
  }
}

function figuresOf({ saving, savingShare }: Verdict): string {
  return saving === null || savingShare === null
    ? ""
    : `${formatTokens(saving)} a completed run, ${formatPercent(savingShare)}`;
}

function passes({ passed: [before, after] }: Verdict): string {
  return `${after.passed} of ${after.runs} runs passed, where ${before.passed} of ${before.runs} did`;
}

function broken({ tasks }: Verdict): string {
  const names = tasks.filter(({ regressed }) => regressed).map(({ taskId }) => taskId);
  return `${names.join(", ")} ${names.length === 1 ? "passed and fails" : "passed and fail"} now`;
}
