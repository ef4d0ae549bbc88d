import { type Sentence, plainSentence, t } from "../../base/language.ts";
import { asLine } from "../terminal-text.ts";
import { randomUUID } from "node:crypto";
import { dash } from "../../base/format.ts";
import { dollars, shortNumber, wholeNumber } from "../../base/local-format.ts";
import { succeed, type Result } from "../../base/result.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { describeReplay } from "../../bench/plan.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import {
  exitCodes,
  exitCodeOfArms,
  describeComparison,
  describeArms,
  keepReceipt,
  receiptFiles,
} from "../../compare/compare-outcome.ts";
import { runArmsComparison, type Prepared } from "../../compare/run-compare.ts";
import type { ArmsOutcome } from "../../verdict/arms.ts";
import { verdictNames, type Receipt, formatPercent, formatTokens } from "../../verdict/receipt.ts";
import type { BenchContext } from "../bench/bench-context.ts";
import { progressPrinter } from "../bench/print-bench.ts";
import type { CliHost } from "../cli-ports.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";
import { agreedTo, compare, type Comparing, type Ended, type PlannedComparison, planToJson } from "./act.ts";
import type { ChosenChange } from "./compare-change.ts";
import { printRound } from "./run-compare.ts";
import type { CompareJson } from "./compare-schema.ts";
import type { Setup } from "./setup.ts";

interface Several extends PlannedComparison {
  readonly outcome: ArmsOutcome;
  /** By arm; null if not settled. */
  readonly receipts: readonly (Receipt | null)[];
  readonly exitCode: CompareJson["exitCode"];
}

export async function compareAll(setup: Setup, changes: ChosenChange, comparing: Comparing): Promise<number> {
  return await (changes.others === undefined
    ? compare(setup, changes, comparing)
    : agreedTo(setup, changes, comparing, (planned, context) => compareSeveral(planned, context, comparing)));
}

async function compareSeveral(
  planned: PlannedComparison,
  { ports, settled: record }: Pick<BenchContext, "ports" | "settled">,
  { command, options, host }: Comparing,
): Promise<Result<Ended>> {
  const { request, arms, folder } = planned.prepared;
  const receipts: (Receipt | null)[] = arms.pairs.map(() => null);
  const answer = await runArmsComparison(request, ports, host.signal, {
    onBench: progressPrinter(arms.bench.configurations, host),
    onRound: (allProgress) => {
      for (const { arm, experiment } of allProgress)
        printRound(experiment, request.rounds, {
          ...host,
          name: `${asLine(labelOf(planned.prepared, arm))}:`,
        });
    },
    onSettled: async (arm, settled) => {
      const receipt = await keepReceipt(settled, { folder, arm }, randomUUID);
      receipts[arm - 1] = receipt;
      await record(receipt);
    },
  });
  if (host.stderr.isTTY === true) host.stderr.write("\r\u001b[K");
  if (!answer.ok) return answer;
  const { end } = answer.value;
  const verdicts = receipts.flatMap((receipt) => (receipt === null ? [] : [receipt.verdict]));
  const isWhole = verdicts.length === receipts.length;
  const exitCode = isWhole ? exitCodeOfArms(verdicts) : end.kind === "cancelled" ? 130 : exitCodes.undecided;
  const several: Several = { ...planned, outcome: answer.value, receipts, exitCode };
  if (options.has("json")) host.stdout.write(`${printedJson(toJson(command, several), 2)}\n`);
  else print(several, host);
  return succeed({ exitCode, isOpen: !isWhole });
}

function labelOf({ arms }: Prepared, arm: number): Sentence {
  return arms.pairs[arm - 1]?.configurations[1].label ?? plainSentence("");
}

function resultOf(receipts: Several["receipts"]): Sentence | null {
  const settled = receipts.filter((receipt) => receipt !== null);
  return settled.length < receipts.length ? null : describeArms(settled);
}

function print({ prepared, outcome, receipts }: Several, host: CliHost): void {
  const line = (text: string) => host.stdout.write(`${cleanText(text)}\n`);
  const rows = receipts.map((receipt, index) => {
    const name = asLine(labelOf(prepared, index + 1));
    if (receipt === null) return [name, t("Open"), dash, dash, dash, dash];
    const { verdict, spent } = receipt;
    const [, passed] = verdict.passed;
    return [
      name,
      asLine(verdictNames[verdict.kind]),
      verdict.saving === null ? dash : asLine(formatTokens(verdict.saving)),
      verdict.savingShare === null ? dash : asLine(formatPercent(verdict.savingShare)),
      t("{0} of {1}", passed.passed, passed.runs),
      shortNumber(spent.processingTokens),
    ];
  });
  const columns: readonly Column[] = [
    { title: "", fit: "end" },
    { title: t("Verdict") },
    ...[t("Saves a run"), t("Share"), t("Passed"), t("Tokens spent")].map((title) => ({
      title,
      isFigure: true,
    })),
  ];
  host.stdout.write(`\n${alignColumns(columns, rows, styleFor(host))}\n`);
  const settled = receipts.filter((receipt) => receipt !== null);
  for (const receipt of settled) line(asLine(describeComparison(receipt)));
  const sentence = resultOf(receipts);
  if (sentence !== null) line(asLine(sentence));
  line(spentLine(prepared, outcome, settled));
  if (outcome.end.kind === "paused") line(t("Paused: {0}", asLine(outcome.end.detail)));
  if (sentence === null) line(t("Not everything is decided yet; run the same command to continue."));
  for (const [index, receipt] of receipts.entries())
    if (receipt !== null) {
      const files = receiptFiles(prepared.folder, index + 1);
      line(t("Receipt: {0} (and {1})", files.receiptText, files.receipt));
    }
}

function spentLine({ request }: Prepared, { tokensSpent }: ArmsOutcome, settled: readonly Receipt[]): string {
  if (!measuresModel(request.driver)) {
    const recordedBy = [...new Set(settled.flatMap((receipt) => receipt.recordedBy))];
    return `${t("{0} recorded tokens, none spent.", wholeNumber(tokensSpent))} ${asLine(describeReplay(recordedBy))}`;
  }
  const usd = settled.reduce<number | null>(
    (sum, { spent }) => (sum === null || spent.usd === null ? null : sum + spent.usd),
    0,
  );
  const price = usd === null || settled.length === 0 ? "" : `, ${t("about {0} at list price", dollars(usd))}`;
  return `${t("{0} new tokens for all of them", wholeNumber(tokensSpent))}${price}`;
}

function toJson(command: CompareJson["command"], several: Several): CompareJson {
  const { plan, prepared, outcome, receipts, exitCode } = several;
  const { end } = outcome;
  const sentence = resultOf(receipts);
  return {
    schema: 1,
    command,
    agent: prepared.request.base.agent,
    exitCode,
    sentence,
    state: sentence !== null || end.kind === "finished" ? "measured" : end.kind,
    detail: end.kind === "paused" ? end.detail : null,
    plan: planToJson(plan),
    verdict: null,
    sides: [],
    arms: receipts.map((receipt, index) => {
      const title = prepared.arms.pairs[index]?.subject.title ?? plainSentence("");
      if (receipt === null)
        return {
          title,
          sentence: null,
          verdict: null,
          sides: [],
          spent: null,
          receipt: null,
          receiptText: null,
        };
      const { verdict, sides, spent } = receipt;
      return {
        title,
        sentence: describeComparison(receipt),
        verdict,
        sides: [...sides],
        spent: { tokens: spent.processingTokens, usd: spent.usd },
        ...receiptFiles(prepared.folder, index + 1),
      };
    }),
    files: { bench: prepared.folder, proposal: null, receipt: null, receiptText: null },
  };
}
