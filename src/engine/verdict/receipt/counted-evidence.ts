import {
  programOf,
  whyLeftOut,
  type Evidence,
  type EvidenceKey,
  type LeftOutReason,
  type Present,
} from "../statistics/pool.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import type { RunSample, Verdict } from "../verdict.ts";
import type { SideFigures } from "../statistics/side-figures.ts";
import type { Receipt } from "./receipt.ts";

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
