import { type Sentence, sentence, plural } from "../base/language.ts";
import {
  type LeftOutReason,
  programOf,
  whyLeftOut,
  type Evidence,
  type EvidenceKey,
  type Present,
} from "./statistics/pool.ts";
import type { Receipt } from "./receipt/receipt.ts";
import { measuresModel } from "../bench/run-facts.ts";
import type { RunSample, Verdict } from "./verdict.ts";
import type { SideFigures } from "./statistics.ts";

export {
  countRounds,
  evidenceFor,
  maxEvidenceAge,
  nextSequence,
  numberRounds,
  plannedRoundsOf,
  poolEvidence,
  programOf,
  type Evidence,
  type EvidenceKey,
  type Present,
} from "./statistics/pool.ts";

/** Describes the rounds behind a receipt's figures, and the earlier measurements of the rule that do not count. */
export function describeEvidence({ rounds, evidence }: Pick<Receipt, "rounds" | "evidence">): Sentence[] {
  if (evidence === undefined) return [];
  const { since, leftOut } = evidence;
  const { own, pooled } = rounds;
  const counted =
    since === null || pooled === 0
      ? plural(
          own,
          sentence("Savings and passes are of this measurement alone: 1 round."),
          sentence("Savings and passes are of this measurement alone: {0} rounds.", own),
        )
      : sentence(
          "Savings and passes are of all rounds that count: {own} of this measurement and {pooled} earlier ones since {day}. Older rounds count less.",
          { own, pooled, day: new Date(since).toISOString().slice(0, 10) },
        );
  if (leftOut.length === 0) return [counted];
  const eachWhy = [...new Set(leftOut.map(({ why }) => why))].map((why) =>
    leftOutWords(why, leftOut.filter((one) => one.why === why).length),
  );
  return [counted, sentence("Earlier measurements that do not count: {eachWhy}.", { eachWhy })];
}

function leftOutWords(why: LeftOutReason, count: number): Sentence {
  switch (why) {
    case "suite":
      return sentence("{0} with other tasks or another fixture", count);
    case "model":
      return sentence("{0} with another model", count);
    case "program":
      return sentence("{0} with another or an unknown version of the program", count);
    case "beside":
      return sentence("{0} beside other active rules", count);
    case "age":
      return sentence("{0} older than half a year", count);
    case "changed":
      return sentence("{0} from before a change of the rule's effect", count);
  }
}

interface Account {
  readonly all: readonly Evidence[];
  readonly key: EvidenceKey;
  readonly present: Present;
  /** Ids of the earlier measurements behind the verdict. */
  readonly from: readonly string[];
  readonly own: readonly RunSample[];
}

/** Returns the evidence on a rule behind a receipt, and why the rest is left out. */
export function countedEvidence({ all, key, present, from, own }: Account): NonNullable<Receipt["evidence"]> {
  const known = all.filter(({ ruleId, driver }) => ruleId === key.ruleId && measuresModel(driver));
  const counted = known.filter(({ id }) => from.includes(id));
  const program = programOf(own);
  const whyOf = (one: Evidence): LeftOutReason => {
    if (one.driver !== key.driver) return "program";
    return whyLeftOut(one, { all, key, present }) ?? (one.program === program ? "changed" : "program");
  };
  return {
    since: counted.length === 0 ? null : Math.min(...counted.map(({ at }) => at)),
    leftOut: known.filter(({ id }) => !from.includes(id)).map((one) => ({ id: one.id, why: whyOf(one) })),
  };
}

/**
 * Returns the figures of both sides with the tokens of the verdict. The changed side's tokens are the unchanged side's
 * less the saving: plain means have outliers and the effects of rules measured with this one, so that they can differ
 * the other way. A receipt never shows tokens of some runs beside a saving of others.
 */
export function figuresOfVerdict(
  figures: readonly [SideFigures, SideFigures] | null,
  { tasks, saving, savingShare }: Verdict,
): readonly [SideFigures, SideFigures] | null {
  if (figures === null) return null;
  const paired = tasks.flatMap(({ pairs, weight, tokens }) =>
    tokens === null ? [] : [{ counts: pairs * weight, tokens }],
  );
  const whole = paired.reduce((sum, { counts }) => sum + counts, 0);
  if (whole === 0) return figures;
  const meanOf = (side: 0 | 1) =>
    paired.reduce((sum, { counts, tokens }) => sum + (counts * tokens[side]) / whole, 0);
  const share = savingShare?.value ?? 0;
  // The saving is this share of the unchanged side's tokens.
  const before = saving === null || share === 0 ? meanOf(0) : saving.value / share;
  const after = saving === null ? meanOf(1) : before - saving.value;
  return [
    { ...figures[0], processingTokens: Math.round(before) },
    { ...figures[1], processingTokens: Math.round(after) },
  ];
}
