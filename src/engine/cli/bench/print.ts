import { dash, dollars, percent, shortNumber, wholeNumber } from "../../base/text/format.ts";
import { cleanText, cutMiddle } from "../../base/text/text.ts";
import type { BenchProgress } from "../../bench/progress.ts";
import { isEvidence, measuresModel, type BenchRun } from "../../bench/run-facts.ts";
import type { Configuration } from "../../bench/configuration.ts";
import type { ConfigurationRole } from "../../bench/configuration-role.ts";
import { describeReplay } from "../../bench/describe-replay.ts";
import { describeInstall } from "../../bench/plan/describe-install.ts";
import type { BenchPlan } from "../../bench/plan/plan.ts";
import { taskFigures, type TaskFigures, type BenchReport } from "./outcome.ts";
import type { CliHost, Output } from "../ports.ts";
import { styleFor } from "../style.ts";
import { alignColumns, type Column } from "../table.ts";

/** Prints what a bench would run and spend. */
export function printPlan(
  plan: BenchPlan,
  { id, seed, configurations }: Pick<BenchReport, "id" | "seed" | "configurations">,
  out: Output,
): void {
  const line = (text: string) => out.write(`${cleanText(text)}\n`);
  const agents = configurations
    .map(({ agent, model, label, role }) => `${agent} with ${model}, ${roleNames[role]}${label}`)
    .join("; ");
  line(`Bench ${id}: ${agents} (seed ${seed})`);
  const made = plan.made === 0 ? "" : `, ${plan.made} of them already completed`;
  if (!measuresModel(plan.driver)) {
    line(`${plan.runs} runs${made}, free. ${describeReplay(plan.recordedBy)}`);
  } else {
    const price = plan.usd === null ? "price unknown" : `about ${dollars(plan.usd)} at list price`;
    line(`${plan.runs} runs${made} with ${plan.driver}: about ${shortNumber(plan.tokens)} tokens, ${price}`);
    line(`Expected: ${wholeNumber(plan.expected.perRun)} tokens a run (${plan.expected.because})`);
    if (plan.tokenCap !== null) line(`Cap: ${wholeNumber(plan.tokenCap)} tokens`);
    if (plan.metaCost !== null)
      line(
        `Benchmarks of the last seven days, with this one: ${percent(plan.metaCost.share * 100)} of your real work`,
      );
  }
  if (plan.smallestSaving !== null)
    line(`Smallest detectable difference: about ${shortNumber(plan.smallestSaving)} tokens a run`);
  if (plan.install !== null) line(describeInstall(plan.install));
  for (const warning of plan.warnings) line(`Warning: ${warning}`);
}

const roleNames: Readonly<Record<ConfigurationRole, string>> = {
  active: "unchanged, ",
  audit: "re-audited, ",
  candidate: "",
};

/** Prints a line for each run that ended; on a terminal also the runs under way, in a last line that is cleared. */
export function progressPrinter(
  configurations: readonly Configuration[],
  { stderr }: Pick<CliHost, "stderr">,
): (progress: BenchProgress) => void {
  const isLive = stderr.isTTY === true;
  const clear = isLive ? "\r\u001b[K" : "";
  return (progress) => {
    if (progress.kind === "ended") {
      const { run, done, of } = progress;
      stderr.write(`${clear}${cleanText(`${done}/${of}: ${lineOf(run, configurations)}`)}\n`);
    } else if (progress.kind === "live" && isLive) {
      const { taskId, turns, processingTokens, tool } = progress.run;
      const now = `${taskId}: turn ${turns}, ${shortNumber(processingTokens)} tokens, ${tool ?? ""}`;
      stderr.write(`${clear}${cutMiddle(cleanText(now), 78)}`);
    } else if (progress.kind === "resumed") {
      const made = progress.runs.filter(isEvidence).length;
      stderr.write(`${made} ${made === 1 ? "run was" : "runs were"} made before\n`);
    }
  };
}

function lineOf(run: BenchRun, configurations: readonly Configuration[]): string {
  const label = configurations[run.side]?.label ?? "";
  const figures = `${shortNumber(run.processingTokens)} tokens, ${run.turns} turns, ${Math.round(run.durationMs / 1000)} s`;
  const why = run.outcome === "passed" || run.detail === null ? "" : `: ${cutMiddle(run.detail, 160)}`;
  return `${run.taskId}, ${label}, round ${run.round}: ${run.outcome}, ${figures}${why}`;
}

/** Prints what a bench measured, and how to resume it where it stopped. */
export function printResults(bench: BenchReport, host: Pick<CliHost, "stdout" | "env">): void {
  const { stdout } = host;
  const figures = taskFigures(bench);
  if (figures.length > 0) stdout.write(`\n${tableOf(figures, bench, host)}`);
  const unsteady = figures.filter(({ isUnsteady }) => isUnsteady).length;
  if (unsteady > 0) stdout.write(`* completed runs differ by more than 25 %: use more runs (--runs)\n`);
  if (!measuresModel(bench.driver)) stdout.write(`${cleanText(describeReplay(bench.recordedBy))}\n`);
  else if (bench.runs.every(({ role }) => role !== "active"))
    stdout.write("Not the unchanged agent, so this does not count for its baseline.\n");
  if (bench.state === "paused") stdout.write(`${cleanText(`Paused: ${bench.reason ?? ""}`)}\n`);
  if (bench.state === "paused" || bench.state === "cancelled")
    stdout.write(`To continue: purser bench --resume ${folderOf(bench)}\n`);
}

/** Returns the name that `--resume` takes. */
function folderOf({ id, shard }: Pick<BenchReport, "id" | "shard">): string {
  return shard === null ? id : `${id}.${shard.index}of${shard.of}`;
}

function tableOf(
  figures: readonly TaskFigures[],
  { configurations }: BenchReport,
  host: Pick<CliHost, "stdout" | "env">,
): string {
  const hasSides = new Set(configurations.map(({ agent }) => agent)).size < configurations.length;
  const number = (value: number | null) => (value === null ? dash : wholeNumber(value));
  const rows = figures.map((each) => [
    each.taskId,
    ...(hasSides ? [cleanText(configurations[each.side]?.label ?? "")] : []),
    `${each.passed}/${each.runs}`,
    `${number(each.tokens)}${each.isUnsteady ? " *" : ""}`,
    number(each.run1),
    number(each.best),
  ]);
  const columns: readonly Column[] = [
    { title: "Task", fit: "middle" },
    ...(hasSides ? [{ title: "Configuration", fit: "end" as const }] : []),
    ...["Passed", "Tokens a run", "Baseline", "Best"].map((title) => ({ title, isFigure: true })),
  ];
  return alignColumns(columns, rows, styleFor(host));
}
