import { type Sentence, sentence, mapSentence, t } from "../../base/language.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { BenchPlan } from "../../bench/plan.ts";
import { exitCodes } from "../../compare/compare-outcome.ts";
import { plannedComparison, type Prepared } from "../../compare/run-compare.ts";
import { humanOutput } from "../answer.ts";
import { type ParsedOptions, usageError } from "../args.ts";
import { openBenchContext, sayLeft, type BenchContext } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import type { ChosenChange } from "./compare-change.ts";
import { printReceipt, measure, prepare, showPlan, type Measured } from "./run-compare.ts";
import type { CompareJson } from "./compare-schema.ts";
import type { Setup } from "./setup.ts";
import { agreedToRuns } from "../confirm.ts";
import { asLine } from "../terminal-text.ts";

export interface Comparing {
  readonly command: CompareJson["command"];
  /** Name in messages, if it is another. */
  readonly shownAs?: string;
  readonly options: ParsedOptions;
  readonly host: CliHost;
}

/** Returns the exit code, 2 for wrong usage. */
export function reportFailure(
  { reason, detail }: { readonly reason: string; readonly detail: Sentence },
  { command, shownAs = command, host }: Comparing,
): number {
  if (usageFaults.has(reason)) return usageError(shownAs, mapSentence(detail, cleanText), host);
  host.stderr.write(`purser ${shownAs}: ${asLine(detail)}\n`);
  return host.signal.aborted ? 130 : exitCodes.undecided;
}

const usageFaults = new Set([
  "bad_argument",
  "no_suite",
  "no_change",
  "unguarded",
  "twice",
  "too_many",
  "apart",
  "outside",
  "no_section",
  "several",
  "whole_agent",
]);

export interface Ended {
  readonly exitCode: number;
  /** Whether the same command continues the measurement. */
  readonly isOpen: boolean;
}

export async function withBenchContext(
  setup: Setup,
  comparing: Comparing,
  work: (context: BenchContext) => Promise<Result<Ended>>,
): Promise<number> {
  const context = await openBenchContext(setup.driver, comparing.options, comparing.host);
  try {
    const done = await work(context);
    const { command, host } = comparing;
    await sayLeft(context, { command, isOpen: !done.ok || done.value.isOpen }, host);
    return done.ok ? done.value.exitCode : reportFailure(done, comparing);
  } finally {
    context.dispose();
  }
}

type Changes = ChosenChange & { readonly shared?: readonly OverlayFile[] };

export async function compare(setup: Setup, changes: Changes, comparing: Comparing): Promise<number> {
  return await agreedTo(setup, changes, comparing, async ({ plan, prepared }, context) => {
    const measured = await measure(prepared, context, comparing.host);
    if (!measured.ok) return measured;
    return succeed(printComparison({ plan, prepared, measured: measured.value, proposal: null }, comparing));
  });
}

export interface PlannedComparison {
  readonly plan: BenchPlan;
  readonly prepared: Prepared;
}

/** Plans, asks, and runs `work` if agreed. Returns the exit code. */
export async function agreedTo(
  setup: Setup,
  { change, others, notes, shared = [] }: Changes,
  comparing: Comparing,
  work: (planned: PlannedComparison, context: BenchContext) => Promise<Result<Ended>>,
): Promise<number> {
  return await withBenchContext(setup, comparing, async (context) => {
    const prepared = await prepare(setup, { change, others, shared }, context);
    if (!prepared.ok) return prepared;
    const made = await plannedComparison(prepared.value, context.ports);
    if (!made.ok) return made;
    const { plan, request } = made.value;
    const comparison = { ...prepared.value, request };
    const isOfMemory = change.kind === "without" && change.file.is === "memory";
    const all = [...(isOfMemory ? [] : [memoryNote(setup, others)]), ...notes];
    showPlan(plan, { ...comparison, notes: all }, humanOutput(comparing).stdout);
    const refusal = await agree(plan, comparing);
    return refusal === null
      ? await work({ plan, prepared: comparison }, context)
      : succeed({ exitCode: refusal, isOpen: true });
  });
}

/** The memory of all sides affects the result as much as the change does. */
export function memoryNote({ baseIs }: Pick<Setup, "baseIs">, others: ChosenChange["others"] = []): Sentence {
  return others.length === 0
    ? sentence("Memory of both sides: {0}.", baseIs)
    : sentence("Memory of all sides: {0}.", baseIs);
}

/** Null for yes, else the exit code. */
export async function agree(
  { runs, made, driver }: Pick<BenchPlan, "runs" | "made" | "driver">,
  { command, options, host }: Comparing,
): Promise<number | null> {
  const agreement = { command, runs: runs - made, isFree: !measuresModel(driver) };
  const refusal = await agreedToRuns(agreement, options, host);
  return refusal === 1 ? exitCodes.undecided : refusal;
}

export function printComparison(
  comparison: MeasuredComparison,
  { command, options, host }: Comparing,
): Ended {
  const { measured, proposal } = comparison;
  const { outcome, files, sentence, exitCode } = measured;
  const ended = { exitCode, isOpen: outcome.settled === null };
  if (options.has("json")) {
    host.stdout.write(`${printedJson(compareToJson(command, comparison), 2)}\n`);
    return ended;
  }
  const line = (text: string) => host.stdout.write(`${cleanText(text)}\n`);
  if (outcome.settled !== null) printReceipt(outcome.settled.receipt, host);
  if (outcome.end.kind === "paused") line(t("Paused: {0}", asLine(outcome.end.detail)));
  if (sentence !== null) line(asLine(sentence));
  const verdict = outcome.settled?.receipt.verdict ?? null;
  if (verdict === null) line(t("No decision yet; run the same command to continue."));
  // The sentence of an undecided comparison already has all figures.
  else if (verdict.kind !== "undecided" || verdict.saving === null) line(asLine(verdict.reason));
  if (files !== null) line(t("Receipt: {0} (and {1})", files.receiptText, files.receipt));
  if (proposal !== null) line(t("Proposal: {0}. It is not applied automatically.", proposal));
  return ended;
}

function compareToJson(
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

interface MeasuredComparison {
  readonly plan: Parameters<typeof showPlan>[0];
  readonly prepared: Prepared;
  readonly measured: Measured;
  /** File of a winning rewrite. */
  readonly proposal: string | null;
}
