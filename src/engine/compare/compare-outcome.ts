import { confidenceLevel } from "../base/confidence.ts";
import { tooEarly, figuresOf, type Receipt, opposite } from "../verdict/receipt.ts";
import { type Verdict, isTooEarly } from "../verdict/verdict.ts";
import { plainSentence, compose, type Sentence, sentence, plural } from "../base/language.ts";
import { dollars, percent, signedNumber, wholeNumber } from "../base/format.ts";

export { keepReceipt, receiptFiles, settledReceipts, writeReceipt, type ReceiptFiles } from "./attempt.ts";

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

/** Names in it are outside text. */
export function describeArms(receipts: readonly Pick<Receipt, "verdict" | "sides" | "cost">[]): Sentence {
  const better = receipts.filter(({ verdict }) => verdict.kind === "saves");
  const ranked = better.toSorted((one, other) => shareOf(other) - shareOf(one));
  const values = {
    better: wholeNumber(ranked.length),
    all: wholeNumber(receipts.length),
    before: receipts[0]?.sides[0].label ?? "",
    each: ranked.map(({ sides, cost }) => labelWithMoney(sides[1].label, cost)),
  };
  if (ranked.length === 0)
    return sentence("None of {all} is shown to be cheaper than {before} and as good.", values);
  return plural(
    ranked.length,
    sentence("{better} of {all} is shown to be cheaper than {before} and as good: {each}.", values),
    sentence(
      "{better} of {all} are shown to be cheaper than {before} and as good: {each} (largest saving first).",
      values,
    ),
  );
}

/** Money ranks before tokens. */
function shareOf({ verdict, cost }: Pick<Receipt, "verdict" | "cost">): number {
  return cost?.share.value ?? verdict.savingShare?.value ?? 0;
}

/** `haiku, $0.12 ($0.05 to $0.19, 90% confidence) less a run`; only the name where that is not shown. */
function labelWithMoney(label: Sentence, cost: Receipt["cost"]): Sentence {
  return cost === undefined || cost.share.low <= 0
    ? label
    : sentence("{label}, {usd} less a run", { label, usd: moneyOf(cost) });
}

/**
 * The difference in money first, then in tokens and passes: for `compare`, `ablate` and `evolve`. Names in it are outside
 * text, which the caller must clean for display.
 */
export function describeComparison(receipt: Settled): Sentence {
  const words = receipt.subject.kind === "ablation" ? describeLeftOut(receipt) : describeSides(receipt);
  const money = describeMoney(receipt);
  return money === null ? words : compose`${money} ${words}`;
}

type Settled = Pick<Receipt, "verdict" | "sides" | "subject" | "rounds" | "question" | "cost">;

/** `haiku costs $0.12 less a run ($0.05 to $0.19, 90% confidence).` Null where it is unknown, and where the change breaks something. */
function describeMoney({ verdict, cost, sides, subject }: Settled): Sentence | null {
  if (cost === undefined || verdict.kind === "regression") return null;
  const { share } = cost;
  const values = { after: sides[1].label, what: subject.title, usd: moneyOf(cost) };
  const isLeftOut = subject.kind === "ablation";
  if (share.low > 0)
    return isLeftOut
      ? sentence("Without {what}, a run costs {usd} less.", values)
      : sentence("{after} costs {usd} less a run.", values);
  if (share.high < 0)
    return isLeftOut
      ? sentence("Without {what}, a run costs {usd} more.", values)
      : sentence("{after} costs {usd} more a run.", values);
  return sentence("No difference in money is shown: {usd} a run.", values);
}

/** `$0.12 ($0.05 to $0.19, 90% confidence)`, at list prices. Only a difference that is not shown has a sign: less is negative. */
function moneyOf({ before, share }: NonNullable<Receipt["cost"]>): Sentence {
  const isLess = share.low > 0;
  const { value, low, high, level } = isLess ? share : opposite(share);
  const [usd, from, to] = [value, low, high].map((each) => dollars(before * each));
  return sentence("{usd} ({from} to {to}, {level} confidence)", {
    usd: usd ?? "",
    from: from ?? "",
    to: to ?? "",
    level: percent(100 * level),
  });
}

function describeSides(receipt: Settled): Sentence {
  const { verdict, sides } = receipt;
  const { saves, costs } = figuresIn(verdict);
  const values = { before: sides[0].label, after: sides[1].label, saved: saves, more: costs };
  switch (verdict.kind) {
    case "saves":
      return sentence("{after} saves {saved} against {before}, at the same pass rate.", values);
    case "costs":
      return sentence("{after} costs more than {before}: {more}.", values);
    case "cheaper-not-as-good":
      return sentence("{after} saves {saved} against {before}, but is not shown to be as good: {passed}.", {
        ...values,
        passed: passes(verdict),
      });
    case "regression":
      return sentence("{after} fails where {before} passes: {tasks}.", {
        ...values,
        tasks: broken(verdict),
      });
    case "undecided":
      return describeUndecided(receipt, values);
  }
}

function describeUndecided(
  receipt: Settled,
  { before, after }: Readonly<Record<"before" | "after", Sentence>>,
): Sentence {
  const values = { before, after, difference: differenceIn(receipt) };
  // `without CLAUDE.md` needs no other side.
  const isAlone = before.text === "unchanged";
  const words = isShown(receipt.verdict)
    ? isAlone
      ? sentence("Difference not decided yet {after}: {difference}.", values)
      : sentence("Difference not decided yet between {after} and {before}: {difference}.", values)
    : isAlone
      ? sentence("No difference found {after}: {difference}.", values)
      : sentence("No difference found between {after} and {before}: {difference}.", values);
  return withAdvice(words, receipt);
}

/** The change is what was left out: the cost of leaving it out is what it earns. */
function describeLeftOut(receipt: Settled): Sentence {
  const { verdict, subject } = receipt;
  const { saves, costs } = figuresIn(verdict);
  const values = { what: subject.title, saved: saves, more: costs };
  switch (verdict.kind) {
    case "saves":
      return sentence(
        "{what} is not worth its tokens: without it, the agent saves {saved}, at the same pass rate.",
        values,
      );
    case "costs":
      return sentence("{what} is worth its tokens: without it, the agent needs more: {more}.", values);
    case "cheaper-not-as-good":
      return sentence(
        "{what} costs tokens and may be needed: without it, the agent saves {saved}, but is not shown to be as good: {passed}.",
        { ...values, passed: passes(verdict) },
      );
    case "regression":
      return sentence("{what} is needed: without it, tasks that passed fail: {tasks}.", {
        ...values,
        tasks: broken(verdict),
      });
    case "undecided": {
      const difference = { ...values, difference: differenceIn(receipt) };
      const words = isShown(verdict)
        ? sentence("Difference not decided yet with and without {what}: {difference}.", difference)
        : sentence("No difference found with and without {what}: {difference}.", difference);
      return withAdvice(words, receipt);
    }
  }
}

interface Figures {
  readonly saves: Sentence;
  /** The same difference as a cost. */
  readonly costs: Sentence;
}

function figuresIn({ saving, savingShare }: Verdict): Figures {
  if (saving === null || savingShare === null) return { saves: plainSentence(""), costs: plainSentence("") };
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
function differenceIn({ verdict: { saving }, rounds, question }: Settled): Sentence {
  if (saving === null) return sentence("too few tasks were finished on both sides");
  const { value, low, high } = opposite(saving);
  const values = {
    tokens: signedNumber(value),
    level: percent(100 * confidenceLevel),
    low: signedNumber(low),
    high: signedNumber(high),
    made: wholeNumber(rounds.own),
    most: wholeNumber(question.maxRounds),
    earlier: wholeNumber(rounds.pooled),
  };
  return rounds.pooled === 0
    ? sentence("{tokens} tokens a run ({level} CI {low} to {high}) after {made} of {most} rounds", values)
    : sentence(
        "{tokens} tokens a run ({level} CI {low} to {high}) after {made} of {most} rounds and {earlier} earlier",
        values,
      );
}

function withAdvice(words: Sentence, receipt: Settled): Sentence {
  const advice = goingOn(receipt);
  return advice === null ? words : compose`${words} ${advice}`;
}

/** Null without an estimate. */
function goingOn({ verdict, question }: Settled): Sentence | null {
  const { saving, moreRounds, stop } = verdict;
  if (saving === null) return null;
  if (isTooEarly(verdict, question)) return tooEarly(verdict);
  return moreRounds === null || stop === "futile"
    ? sentence("More rounds would not decide it.")
    : plural(
        moreRounds,
        sentence("About 1 more round would decide it."),
        sentence("About {0} more rounds would decide it.", wholeNumber(moreRounds)),
      );
}

function passes({ passed: [before, after] }: Verdict): Sentence {
  return sentence(
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
