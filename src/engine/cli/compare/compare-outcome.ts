import type { BenchPlan } from "../../bench/plan/plan.ts";
import type { MeasuredComparison } from "./measurement.ts";
import type { CompareJson } from "./compare-schema.ts";

export function compareToJson(
  command: CompareJson["command"],
  { plan, prepared, measured, proposal }: MeasuredComparison,
): CompareJson {
  const { outcome, files, sentence, exitCode } = measured;
  const { end, settled, verdict } = outcome;
  return {
    schema: 1,
    command,
    agent: prepared.request.base.agent,
    exitCode,
    sentence,
    state: settled !== null || end.kind === "finished" ? "measured" : end.kind,
    detail: end.kind === "paused" ? end.detail : null,
    plan: planToJson(plan),
    verdict: settled === null ? null : verdict,
    sides: settled === null ? [] : [...settled.receipt.sides],
    arms: [],
    files: {
      bench: prepared.folder,
      proposal,
      receipt: files?.receipt ?? null,
      receiptText: files?.receiptText ?? null,
    },
  };
}

export function planToJson(plan: BenchPlan): CompareJson["plan"] {
  const { driver, recordedBy, runs, tokens, usd, expected, tokenCap, warnings, install } = plan;
  const { source, because } = expected;
  return {
    driver,
    runs,
    tokens,
    usd,
    source,
    because,
    tokenCap,
    recordedBy: [...recordedBy],
    warnings: [...warnings],
    install,
  };
}
