import { type Sentence, t } from "../../base/language.ts";
import { randomUUID } from "node:crypto";
import { cleanText } from "../../base/text.ts";
import { succeed, type Result } from "../../base/result.ts";
import type { OverlayFile } from "../../bench/configuration.ts";
import { describeReplay, type BenchPlan } from "../../bench/plan.ts";
import {
  describeComparison,
  exitCodes,
  exitCodeOf,
  writeReceipt,
  type ReceiptFiles,
} from "../../compare/compare-outcome.ts";
import type { Change } from "../../compare/compare-change.ts";
import { type Prepared, prepareComparison, runComparison } from "../../compare/run-compare.ts";
import type { ExperimentProgress, PairOutcome } from "../../verdict/measure-pair.ts";
import { progressPrinter, printPlan } from "../bench/print-bench.ts";
import type { BenchContext } from "../bench/bench-context.ts";
import type { CliHost } from "../cli-ports.ts";
import type { Setup } from "./setup.ts";
import { asLine } from "../terminal-text.ts";
import { dash } from "../../base/format.ts";
import { decimalNumber, dollars, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { type Receipt, formatTokens } from "../../verdict/receipt.ts";
import type { PassRate } from "../../verdict/verdict.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

interface ComparisonChanges {
  readonly change: Change;
  readonly others?: readonly Change[] | undefined;
  /** Files that both sides have. */
  readonly shared?: readonly OverlayFile[];
  readonly kind?: "evolution";
}

export async function prepare(
  { suite, driver, benchRequest, rounds, base }: Setup,
  { change, others = [], shared = [], kind }: ComparisonChanges,
  { ports }: Pick<BenchContext, "ports">,
): Promise<Result<Prepared>> {
  const { parallel, tokenCap, seed } = benchRequest;
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

export function showPlan(
  plan: BenchPlan,
  { request, arms, notes }: Pick<Prepared, "request" | "arms"> & { readonly notes: readonly Sentence[] },
  out: CliHost["stdout"],
): void {
  const { pairs, title } = arms;
  out.write(
    `${t("{0} for the agent {1}. It spends at most:", asLine(title), cleanText(request.base.agent))}\n`,
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
  for (const note of notes) out.write(`${asLine(note)}\n`);
  const times = Math.round(request.evidence.length / pairs.length);
  if (times > 0) out.write(`${t("Earlier measurements ({0}) count too.", times)}\n`);
}

export interface Measured {
  readonly outcome: PairOutcome;
  readonly files: ReceiptFiles | null;
  readonly sentence: Sentence | null;
  readonly exitCode: 0 | 1 | 3 | 130;
}

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

export function printRound(
  { rounds, tokensSpent, tokensToDecision, verdict }: ExperimentProgress,
  most: number | null,
  { stderr, name = "" }: Pick<CliHost, "stderr"> & { readonly name?: string },
): void {
  const saving =
    verdict.saving === null
      ? t("nothing to compare yet")
      : t("saves {0} a run", asLine(formatTokens(verdict.saving)));
  const left =
    tokensToDecision === null || verdict.stop !== null
      ? ""
      : `, ${t("about {0} more needed to decide", shortNumber(tokensToDecision))}`;
  const round = most === null ? t("Round {0}:", rounds) : t("Round {0} of at most {1}:", rounds, most);
  const clear = stderr.isTTY === true ? "\r\u001b[K" : "";
  const about = name === "" ? "" : ` ${cleanText(name)}`;
  stderr.write(
    `${clear}${round}${about} ${saving}; ${t("{0} tokens used", shortNumber(tokensSpent))}${left}\n`,
  );
}

type Side = Receipt["sides"][number];

export function printReceipt(receipt: Receipt, host: Pick<CliHost, "stdout" | "env">): void {
  const { stdout } = host;
  const style = styleFor(host);
  const { sides, verdict, spent } = receipt;
  const figure = (of: (side: NonNullable<Side["figures"]>) => string) =>
    sides.map(({ figures }) => (figures === null ? dash : of(figures)));
  const rows = [
    [t("Tokens per completed run"), ...figure(({ processingTokens }) => wholeNumber(processingTokens))],
    [t("Read from cache"), ...figure(({ cacheRead }) => wholeNumber(cacheRead))],
    [t("Turns"), ...figure(({ turns }) => decimalNumber(turns, 1))],
    [t("Seconds (advisory)"), ...figure(({ durationMs }) => decimalNumber(durationMs / 1000, 1))],
    [t("Passed"), ...verdict.passed.map(passedOf)],
  ];
  const titles = sides.map(({ label }) => ({ title: asLine(label), isFigure: true }));
  stdout.write(`\n${alignColumns([{ title: "" }, ...titles], rows, style)}`);
  const tasks = verdict.tasks.map(({ taskId, pairs, tokens, saving, passed, runs, regressed }) => [
    `${cleanText(taskId)}${regressed ? ` (${t("regressed")})` : ""}`,
    String(pairs),
    ...(tokens === null ? [dash, dash] : tokens.map(wholeNumber)),
    saving === null ? dash : asLine(formatTokens(saving)),
    ...[0, 1].map((side) => `${passed[side] ?? 0}/${runs[side] ?? 0}`),
  ]);
  const columns: readonly Column[] = [
    { title: t("Task"), fit: "middle" },
    ...[t("Pairs"), t("Unchanged"), t("Changed"), t("Saved"), t("Passed"), t("Changed")].map((title) => ({
      title,
      isFigure: true,
    })),
  ];
  stdout.write(`\n${alignColumns(columns, tasks, style)}\n`);
  const isDemo = !measuresModel(receipt.driver);
  const usd = isDemo || spent.usd === null ? "" : `, ${t("about {0} at list price", dollars(spent.usd))}`;
  const count = wholeNumber(spent.processingTokens);
  const tokens = isDemo
    ? t("{0} runs, {1} recorded tokens, none spent", spent.runs, count)
    : t("{0} runs, {1} new tokens", spent.runs, count);
  stdout.write(`${tokens}${usd}\n`);
  if (isDemo) stdout.write(`${asLine(describeReplay(receipt.recordedBy))}\n`);
}

function passedOf({ passed, runs }: PassRate): string {
  return t("{0} of {1}", passed, runs);
}
