import type { Receipt } from "../verdict/receipt/receipt.ts";
import type { Verdict } from "../verdict/verdict.ts";
import { english } from "../base/text/english.ts";
import { plural } from "../base/text/l10n.ts";
import { opposite } from "../verdict/describe-verdict.ts";
import { figuresOf, tooEarly } from "../verdict/receipt/reason.ts";
import { isTooEarly } from "../verdict/too-early.ts";
import { percent, signedNumber, wholeNumber } from "../base/text/format.ts";

/** Exit codes of a command, so that CI can gate on it. */
export const exitCodes = { better: 0, notBetter: 1, undecided: 3 } as const;

/** Better means cheaper and shown to be as good. Not shown either way is undecided; anything else is not better. */
export function exitCodeOf(verdict: Verdict): (typeof exitCodes)[keyof typeof exitCodes] {
  if (verdict.kind === "saves") return exitCodes.better;
  return verdict.kind === "undecided" && !verdict.belowBar ? exitCodes.undecided : exitCodes.notBetter;
}

/** Better if one of several changes is better. Undecided if no change is better yet, but one may still become so. */
export function exitCodeOfArms(verdicts: readonly Verdict[]): ReturnType<typeof exitCodeOf> {
  const codes = verdicts.map(exitCodeOf);
  if (codes.includes(exitCodes.better)) return exitCodes.better;
  return codes.includes(exitCodes.undecided) ? exitCodes.undecided : exitCodes.notBetter;
}

/** Describes in one plain sentence which of several changes are better. Its names are outside text. */
export function describeArms(receipts: readonly Pick<Receipt, "verdict" | "sides">[]): string {
  const better = receipts.filter(({ verdict }) => verdict.kind === "saves");
  const ranked = better.toSorted((one, other) => shareOf(other) - shareOf(one));
  const values = {
    better: wholeNumber(ranked.length),
    all: wholeNumber(receipts.length),
    saidBefore: receipts[0]?.sides[0].label ?? "",
    saidEach: ranked.map(({ sides }) => sides[1].label).join(", "),
  };
  if (ranked.length === 0)
    return english("None of {all} is shown to be cheaper than {saidBefore} and as good.", values);
  return plural(
    ranked.length,
    english("{better} of {all} is shown to be cheaper than {saidBefore} and as good: {saidEach}.", values),
    english(
      "{better} of {all} are shown to be cheaper than {saidBefore} and as good: {saidEach} (largest saving first).",
      values,
    ),
  );
}

function shareOf({ verdict }: Pick<Receipt, "verdict">): number {
  return verdict.savingShare?.value ?? 0;
}

/**
 * Describes a comparison in one plain sentence. Its names are outside text, which the caller must clean for
 * display.
 */
export function describeComparison(receipt: Settled): string {
  return receipt.subject.kind === "ablation" ? describeLeftOut(receipt) : describeSides(receipt);
}

type Settled = Pick<Receipt, "verdict" | "sides" | "subject" | "rounds" | "question">;

function describeSides(receipt: Settled): string {
  const { verdict, sides } = receipt;
  const [saidBefore, saidAfter] = [sides[0].label, sides[1].label];
  const { saves, costs } = figuresIn(verdict);
  const values = { saidBefore, saidAfter, saidSaved: saves, saidMore: costs };
  switch (verdict.kind) {
    case "saves":
      return english(
        "{saidAfter} saves {saidSaved} against {saidBefore}, and is shown to be as good.",
        values,
      );
    case "costs":
      return english("{saidAfter} costs more than {saidBefore}: {saidMore}.", values);
    case "cheaper-not-as-good":
      return english(
        "{saidAfter} saves {saidSaved} against {saidBefore}, but is not shown to be as good: {saidPassed}.",
        { ...values, saidPassed: passes(verdict) },
      );
    case "regression":
      return english("{saidAfter} fails where {saidBefore} passes: {tasks}.", {
        ...values,
        tasks: broken(verdict),
      });
    case "undecided":
      return describeUndecided(receipt, values);
  }
}

function describeUndecided(
  receipt: Settled,
  { saidBefore, saidAfter }: Readonly<Record<"saidBefore" | "saidAfter", string>>,
): string {
  const values = { saidBefore, saidAfter, saidDifference: differenceIn(receipt) };
  // `without CLAUDE.md` needs no other side.
  const isAlone = saidBefore === "unchanged";
  const sentence = isShown(receipt.verdict)
    ? isAlone
      ? english("Difference not decided yet {saidAfter}: {saidDifference}.", values)
      : english("Difference not decided yet between {saidAfter} and {saidBefore}: {saidDifference}.", values)
    : isAlone
      ? english("No difference found {saidAfter}: {saidDifference}.", values)
      : english("No difference found between {saidAfter} and {saidBefore}: {saidDifference}.", values);
  return `${sentence}${goingOn(receipt)}`;
}

/** The change is what was left out: the cost of leaving it out is what it earns. */
function describeLeftOut(receipt: Settled): string {
  const { verdict, subject } = receipt;
  const { saves, costs } = figuresIn(verdict);
  const values = { what: subject.title, saidSaved: saves, saidMore: costs };
  switch (verdict.kind) {
    case "saves":
      return english(
        "{what} is not worth its tokens: without it, the agent saves {saidSaved}, and is shown to be as good.",
        values,
      );
    case "costs":
      return english("{what} is worth its tokens: without it, the agent needs more: {saidMore}.", values);
    case "cheaper-not-as-good":
      return english(
        "{what} costs tokens and may be needed: without it, the agent saves {saidSaved}, but is not shown to be as good: {saidPassed}.",
        { ...values, saidPassed: passes(verdict) },
      );
    case "regression":
      return english("{what} is needed: without it, tasks that passed fail: {tasks}.", {
        ...values,
        tasks: broken(verdict),
      });
    case "undecided": {
      const difference = { ...values, saidDifference: differenceIn(receipt) };
      const sentence = isShown(verdict)
        ? english("Difference not decided yet with and without {what}: {saidDifference}.", difference)
        : english("No difference found with and without {what}: {saidDifference}.", difference);
      return `${sentence}${goingOn(receipt)}`;
    }
  }
}

interface Figures {
  readonly saves: string;
  /** The same difference as a cost. */
  readonly costs: string;
}

function figuresIn({ saving, savingShare }: Verdict): Figures {
  if (saving === null || savingShare === null) return { saves: "", costs: "" };
  return {
    saves: figuresOf(saving, savingShare),
    costs: figuresOf(opposite(saving), opposite(savingShare)),
  };
}

/** A difference that the interval shows is found, but too few rounds were made to decide by it. */
function isShown({ saving }: Verdict): boolean {
  return saving !== null && (saving.low > 0 || saving.high < 0);
}

/** `0 tokens a run (90% CI −40 to +40) after 2 of 2 rounds`. A saving is negative. */
function differenceIn({ verdict: { saving }, rounds, question }: Settled): string {
  if (saving === null) return english("too few tasks were finished on both sides");
  const { value, low, high, level } = opposite(saving);
  const values = {
    tokens: signedNumber(value),
    level: percent(100 * level),
    low: signedNumber(low),
    high: signedNumber(high),
    made: wholeNumber(rounds.own),
    most: wholeNumber(question.maxRounds),
    earlier: wholeNumber(rounds.pooled),
  };
  return rounds.pooled === 0
    ? english("{tokens} tokens a run ({level} CI {low} to {high}) after {made} of {most} rounds", values)
    : english(
        "{tokens} tokens a run ({level} CI {low} to {high}) after {made} of {most} rounds and {earlier} earlier",
        values,
      );
}

/** Advice on whether to continue, after a space. Empty without an estimate. */
function goingOn({ verdict, question }: Settled): string {
  const { saving, moreRounds, stop } = verdict;
  if (saving === null) return "";
  if (isTooEarly(verdict, question)) return ` ${tooEarly(verdict)}`;
  const sentence =
    moreRounds === null || stop === "futile"
      ? english("More rounds would not decide it.")
      : plural(
          moreRounds,
          english("About 1 more round would decide it."),
          english("About {0} more rounds would decide it.", wholeNumber(moreRounds)),
        );
  return ` ${sentence}`;
}

function passes({ passed: [before, after] }: Verdict): string {
  return english(
    "{0} of {1} runs passed, where {2} of {3} did",
    after.passed,
    after.runs,
    before.passed,
    before.runs,
  );
}

function broken({ tasks }: Verdict): string {
  return tasks
    .filter(({ regressed }) => regressed)
    .map(({ taskId }) => taskId)
    .join(", ");
}
