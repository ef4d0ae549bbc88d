import { t } from "../../base/text/l10n.ts";
import { randomUUID } from "node:crypto";
import { cleanText } from "../../base/text/text.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import type { BenchPlan } from "../../bench/plan/plan.ts";
import { writeReceipt, type ReceiptFiles } from "../../compare/attempt.ts";
import type { Change } from "../../compare/compare-change.ts";
import { exitCodeOf, exitCodes, describeComparison } from "../../compare/compare-outcome.ts";
import { prepareComparison, type Prepared } from "../../compare/prepare.ts";
import { runComparison } from "../../compare/run-compare.ts";
import type { PairOutcome } from "../../verdict/measure-pair.ts";
import { progressPrinter, printPlan } from "../bench/print-bench.ts";
import type { BenchContext } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import { printRound } from "./print-compare.ts";
import type { Setup } from "./setup.ts";
import { said } from "../language/said.ts";

interface Asked {
  readonly change: Change;
  /** Further changes, compared with the same runs. */
  readonly others?: readonly Change[] | undefined;
  /** Files that both sides have. */
  readonly shared?: readonly OverlayFile[];
  readonly kind?: "evolution";
}

/** Finds out which measurement of the same this is. */
export async function prepare(
  { suite, driver, asked, rounds, base }: Setup,
  { change, others = [], shared = [], kind }: Asked,
  { ports }: Pick<BenchContext, "ports">,
): Promise<Result<Prepared>> {
  const { parallel, tokenCap, seed } = asked;
  const about = {
    suite,
    driver: driver.name,
    parallel,
    tokenCap,
    seed,
    base,
    change,
    others,
    rounds,
    shared,
  };
  const comparison = { ...about, attempt: null, ...(kind === undefined ? {} : { kind }) };
  return await prepareComparison(comparison, ports);
}

/** Prints what is compared, and its price. */
export function showPlan(
  plan: BenchPlan,
  { request, arms, notes }: Pick<Prepared, "request" | "arms"> & { readonly notes: readonly string[] },
  out: CliHost["stdout"],
): void {
  const { pairs, title } = arms;
  out.write(
    `${t("{0} for the agent {1}. It spends at most:", said(title), cleanText(request.base.agent))}\n`,
  );
  const configurations = [
    pairs[0].configurations[0],
    ...pairs.map(({ configurations: [, changed] }) => changed),
  ];
  printPlan(plan, { id: request.id, seed: request.seed, configurations }, out);
  if (pairs.length > 1)
    out.write(
      `${t("All {0} are compared with the same unchanged runs; each stops once it is decided. The error rate is for all of them together.", pairs.length)}\n`,
    );
  for (const note of notes) out.write(`${said(note)}\n`);
  const times = Math.round(request.evidence.length / pairs.length);
  if (times > 0) out.write(`${t("Earlier measurements ({0}) count too.", times)}\n`);
}

export interface Measured {
  readonly outcome: PairOutcome;
  readonly files: ReceiptFiles | null;
  readonly sentence: string | null;
  readonly exitCode: 0 | 1 | 3 | 130;
}

/** Measures, reports each round, and writes the receipt. */
export async function measure(
  { request, arms, folder }: Prepared,
  { ports, settled: recordReceipt }: Pick<BenchContext, "ports" | "settled">,
  host: CliHost,
): Promise<Result<Measured>> {
  const most = request.rounds;
  const answer = await runComparison(request, ports, host.signal, {
    onBench: progressPrinter(arms.bench.configurations, host),
    onRound: (progress) => printRound(progress, most, host),
  });
  if (host.stderr.isTTY === true) host.stderr.write("\r\u001b[K");
  if (!answer.ok) return answer;
  const { settled, end, verdict } = answer.value;
  const files = settled === null ? null : await writeReceipt(settled, folder, randomUUID);
  if (settled !== null) await recordReceipt(settled.receipt);
  const sentence = settled === null ? null : describeComparison(settled.receipt);
  const exitCode =
    settled !== null ? exitCodeOf(verdict) : end.kind === "cancelled" ? 130 : exitCodes.undecided;
  return succeed({ outcome: answer.value, files, sentence, exitCode });
}
