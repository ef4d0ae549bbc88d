import { randomUUID } from "node:crypto";
import path from "node:path";
import { cleanText } from "../base/text.ts";
import { succeed, type Result } from "../base/result.ts";
import type { OverlayFile } from "../bench/configuration.ts";
import type { BenchPlan } from "../bench/plan.ts";
import { changedPair, type Change, type ChangedPair } from "../compare/change.ts";
import { exitCodeOf, exitCodes, sayComparison } from "../compare/outcome.ts";
import { planComparison, runComparison, type ComparisonRequest } from "../compare/run-comparison.ts";
import type { PairOutcome } from "../verdict/measure-pair.ts";
import { progressPrinter, printPlan } from "./bench-print.ts";
import type { BenchWorld } from "./bench-world.ts";
import type { CliHost } from "./cli-host.ts";
import { attemptOf, writeReceipt, type ReceiptFiles } from "./compare-attempt.ts";
import { sayRound } from "./compare-print.ts";
import type { Setup } from "./compare-setup.ts";

/** A comparison that can be planned and run. */
export interface Prepared {
  readonly request: ComparisonRequest;
  readonly pair: ChangedPair;
  /** Of its runs and its receipt. */
  readonly folder: string;
}

interface Asked {
  readonly change: Change;
  /** Files that both sides have. */
  readonly shared?: readonly OverlayFile[];
  readonly kind?: "evolution";
}

/** Finds out which measurement of the pair this is. Fails where both sides would be the same, or one cannot be. */
export async function prepare(
  { suite, driver, asked, rounds, base: own }: Setup,
  { change, shared = [], kind }: Asked,
  { ports }: Pick<BenchWorld, "ports">,
): Promise<Result<Prepared>> {
  const base = { ...own, overlay: [...own.overlay, ...shared] };
  const pair = changedPair(base, change);
  if (!pair.ok) return pair;
  const taskIds = suite.tasks.filter(({ agent }) => agent === base.agent).map(({ id }) => id);
  const { parallel, tokenCap } = asked;
  const about = { suite, driver: driver.name, parallel, tokenCap };
  const bench = { ...about, configurations: pair.value.configurations, taskIds, runs: 1, shard: null };
  const { id, number, evidence } = await attemptOf(bench, ports.folder);
  const request = { ...about, id, base, change, rounds, evidence, seed: asked.seed ?? number };
  return succeed({
    request: kind === undefined ? request : { ...request, kind },
    ...{ pair: pair.value, folder: path.join(ports.folder, id) },
  });
}

/** What it may spend at most: what the user caps it at, else what its plan says. Nothing that is replayed is spent. */
export async function planned(
  { request }: Prepared,
  { ports }: Pick<BenchWorld, "ports">,
): Promise<Result<{ readonly plan: BenchPlan; readonly request: ComparisonRequest }>> {
  const plan = await planComparison(request, ports);
  if (!plan.ok) return plan;
  const tokenCap = request.tokenCap ?? (plan.value.tokens === 0 ? null : plan.value.tokens);
  return succeed({ plan: { ...plan.value, tokenCap }, request: { ...request, tokenCap } });
}

/** Prints what is compared, and its price. */
export function showPlan(
  plan: BenchPlan,
  { request, pair, notes }: Pick<Prepared, "request" | "pair"> & { readonly notes: readonly string[] },
  out: CliHost["stdout"],
): void {
  out.write(`${cleanText(pair.subject.title)}: ${cleanText(request.base.agent)}, at most\n`);
  printPlan(plan, { id: request.id, seed: request.seed, configurations: pair.configurations }, out);
  for (const note of notes) out.write(`${cleanText(note)}\n`);
  if (request.evidence.length > 0)
    out.write(`What was measured of it before (${request.evidence.length} times) counts as well.\n`);
}

export interface Measured {
  readonly outcome: PairOutcome;
  readonly files: ReceiptFiles | null;
  readonly sentence: string | null;
  readonly exitCode: 0 | 1 | 3 | 130;
}

/** Measures, tells of each round, and writes the receipt. */
export async function measure(
  { request, pair, folder }: Prepared,
  { ports }: Pick<BenchWorld, "ports">,
  host: CliHost,
): Promise<Result<Measured>> {
  const most = request.rounds;
  const answer = await runComparison(request, ports, host.signal, {
    onBench: progressPrinter(pair.configurations, host),
    onLook: (progress) => sayRound(progress, most, host),
  });
  if (host.stderr.isTTY === true) host.stderr.write("\r\u001b[K");
  if (!answer.ok) return answer;
  const { settled, end, verdict } = answer.value;
  const files = settled === null ? null : await writeReceipt(settled, folder, randomUUID);
  const sentence = settled === null ? null : sayComparison(settled.receipt);
  const exitCode =
    settled !== null ? exitCodeOf(verdict) : end.kind === "cancelled" ? 130 : exitCodes.undecided;
  return succeed({ outcome: answer.value, files, sentence, exitCode });
}
