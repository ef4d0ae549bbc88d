import { compose, sentence, type Sentence } from "../../base/language.ts";
import { dollars, percent, shortNumber, wholeNumber } from "../../base/format.ts";
import type { Receipt } from "./receipt.ts";

type Expected = Pick<Receipt, "expected" | "spent" | "verdict">;

/** The grade of a rule in one sentence, with its price and when it has paid for itself. Null in older receipts. */
export function describeGrade({ expected, spent, verdict }: Expected): Sentence | null {
  if (expected === undefined) return null;
  const { grade, share, ofHarm, paid } = expected;
  const values = { share: inPercent(Math.abs(share)), harm: inPercent(ofHarm) };
  const said =
    grade === "proved"
      ? sentence("Proved; expected to save {share}.", values)
      : grade === "worth"
        ? sentence(
            "Worth having, not proved: expected to save {share}. It does harm with a chance of {harm}.",
            values,
          )
        : share > 0
          ? sentence(
              "Not worth having: expected to save {share}, but it does harm with a chance of {harm}.",
              values,
            )
          : sentence("Not worth having: expected to cost {share}.", values);
  const further =
    verdict.stop === "worth" ? sentence("Further rounds would take more than they may save.") : null;
  const price = sentence("Measuring it took {price}.", { price: describePrice(spent, expected.ms) });
  const payback = grade === "none" ? null : describePayback(paid);
  return [further, price, payback].reduce<Sentence>(
    (all, next) => (next === null ? all : compose`${all} ${next}`),
    said,
  );
}

function describePrice({ processingTokens, usd }: Receipt["spent"], ms: number): Sentence {
  const values = {
    tokens: shortNumber(processingTokens),
    minutes: wholeNumber(ms / 60_000),
    usd: usd === null ? "" : dollars(usd),
  };
  return usd === null
    ? sentence("{tokens} tokens and {minutes} minutes", values)
    : sentence("{tokens} tokens, {usd} and {minutes} minutes", values);
}

function describePayback(paid: NonNullable<Receipt["expected"]>["paid"]): Sentence {
  if (paid === null) return sentence("It never pays for that.");
  const values = { sessions: wholeNumber(paid.sessions), days: wholeNumber(paid.days ?? 0) };
  return paid.days === null
    ? sentence("It has paid for that after about {sessions} sessions.", values)
    : sentence("It has paid for that after about {sessions} sessions, or {days} days.", values);
}

/** Expected processing tokens saved in a run: shrunken. Null if nothing can be said of tokens. */
export function expectedSaving({ expected, verdict: { saving, savingShare } }: Expected): number | null {
  if (saving === null) return null;
  if (expected === undefined || savingShare === null || savingShare.value === 0) return saving.value;
  return expected.share * (saving.value / savingShare.value);
}

function inPercent(share: number): string {
  return percent(100 * share);
}
