import { sentence, t } from "../../base/language.ts";
import { said } from "../language/said.ts";
import path from "node:path";
import { aboutDollars, estimatedNumber, wholeNumber } from "../../base/local-format.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import {
  type Shard,
  type BenchRequest,
  type BenchPorts,
  benchFolderName,
} from "../../bench/bench-request.ts";
import { describeInstall } from "../../bench/plan.ts";
import { measuresModel } from "../../bench/run-facts.ts";
import { runBench, planBench, readBench } from "../../bench/execute.ts";
import type { Rule } from "../../rules/rule.ts";
import type { ParsedOptions } from "../args.ts";
import { progressPrinter } from "../bench/print-bench.ts";
import { agreedToRuns } from "../confirm.ts";
import type { CliHost } from "../cli-ports.ts";
import { ruleLine } from "./print-rules.ts";
import type { SelectJson } from "./select-schema.ts";

/** A machine's part of the rounds before the first look. */
export interface Part {
  readonly bench: BenchRequest;
  readonly shard: Shard;
  readonly rules: readonly Rule[];
}

/** Judges nothing: that takes all parts. Returns the exit code. */
export async function makePart(
  { bench, shard, rules }: Part,
  ports: BenchPorts,
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<number>> {
  const print = (text: string) => host.stderr.write(`${cleanText(text)}\n`);
  const name = benchFolderName(bench.id, shard);
  const made = await readBench(path.join(ports.folder, name));
  if (!made.ok) return made;
  const plan = await planBench(bench, ports, made.value?.runs ?? []);
  const isDemo = !measuresModel(plan.driver);
  print(t("Part {0} of {1} of the first {2} rounds about:", shard.index, shard.of, bench.runs));
  for (const rule of rules) print(`  ${rule.id} ${ruleLine(rule)}`);
  const price = plan.usd === null ? t("unknown price") : aboutDollars(plan.usd);
  const spent = isDemo ? t("free") : t("~{0} tokens, {1}", estimatedNumber(plan.tokens), price);
  const before = plan.made === 0 ? "" : `, ${t("{0} of them already completed", plan.made)}`;
  const cap = plan.tokenCap === null ? "" : `; ${t("at most {0} tokens", wholeNumber(plan.tokenCap))}`;
  if (plan.install !== null) print(said(describeInstall(plan.install)));
  print(
    `${t("{0} runs", plan.runs)}${before}, ${spent}${cap}. ${t("Results are judged once all parts are joined")}`,
  );
  const asked = { command: "select", runs: plan.runs - plan.made, isFree: isDemo };
  const refusal = await agreedToRuns(asked, options, host);
  if (refusal !== null) return succeed(refusal);
  const outcome = await runBench(bench, ports, host.signal, progressPrinter(bench.configurations, host));
  if (!outcome.ok) return outcome;
  const { state, runs } = outcome.value;
  const end = state.kind === "paused" ? { kind: state.kind, detail: state.detail } : state;
  if (options.has("json")) {
    const tokensSpent = runs.reduce((sum, { processingTokens }) => sum + processingTokens, 0);
    const part = { ...shard, rounds: bench.runs, bench: name };
    const json: SelectJson = { schema: 1, end, tokensSpent, receipts: [], part };
    host.stdout.write(`${printedJson(json, 2)}\n`);
  }
  host.signal.throwIfAborted();
  if (end.kind === "paused")
    return fail("paused", sentence("{0}; run the same command to continue", end.detail));
  print(
    t(
      "Done: {0}. Join all {1} parts with purser bench merge, then run the same command without --shard to judge them",
      name,
      shard.of,
    ),
  );
  return succeed(end.kind === "done" ? 0 : 1);
}
